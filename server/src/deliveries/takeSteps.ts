import type { Actor, StatusDetails } from '../events/event.ts';
import type { Tx } from '../postgres/database.ts';
import { assertStep, type StepName, steps } from './status.ts';
import { markSteps, recordSteps } from './stepBatchStore.ts';
import type { Stepping } from './takeStep.ts';

/**
 * Takes the same step for several deliveries of a central in two statements: each is moved together with all deliveries
 * grouped into it, and an event is recorded for each, as `takeStep` does for one. The caller holds the locks of all of
 * them. If the step is not allowed for one of them, it refuses before anything is written.
 */
export async function takeSteps<Delivery extends Stepping>(
  tx: Tx,
  centralId: number,
  deliveries: readonly Delivery[],
  name: StepName,
  actor: Actor,
  more: (delivery: Delivery) => StatusDetails = () => ({}),
  searchAgainAt: Temporal.Instant | null = null,
): Promise<void> {
  if (deliveries.length === 0) return;
  for (const { status } of deliveries) assertStep(name, status);
  const payloads = new Map(
    deliveries.map((delivery): [number, StatusDetails] => [
      delivery.id,
      {
        status: steps[name].to,
        previousStatus: delivery.status,
        driverId: delivery.driverId,
        ...more(delivery),
      },
    ]),
  );
  const moved = await markSteps(tx, centralId, [...payloads.keys()], name, actor, searchAgainAt);
  const places = new Map([...payloads.keys()].map((id, place) => [id, place]));
  // The event of a delivery comes before those of the deliveries grouped into it.
  moved.sort(
    (a, b) =>
      places.get(a.carrierId)! - places.get(b.carrierId)! ||
      Number(a.id !== a.carrierId) - Number(b.id !== b.carrierId) ||
      a.id - b.id,
  );
  const events = moved.map(({ id, carrierId }) => ({ deliveryId: id, payload: payloads.get(carrierId)! }));
  await recordSteps(tx, centralId, events, actor);
}
