import type { Sight } from '../../centrals/caller.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import { formatEvent } from '../../contract/wire/eventBody.ts';
import type { LivePosition } from '../../events/livePositionStore.ts';
import type { LiveEvent } from '../../events/liveStore.ts';
import { sseMessage } from '../../http/eventStreams.ts';

type Watcher = Sight & { central: { timeZone: string } };

/**
 * What one watcher is told of a batch. All who see the same are told the same bytes, made once: with a thousand
 * watchers, writing each event down for each of them would be most of the work.
 */
export function formatBatch(batch: readonly LiveEvent[], watcher: Watcher): Buffer {
  const known = written.get(batch) ?? new Map<number | null, Buffer>();
  written.set(batch, known);
  const bytes = known.get(watcher.companyId) ?? Buffer.from(writeBatch(batch, watcher));
  known.set(watcher.companyId, bytes);
  return bytes;
}

const written = new WeakMap<readonly LiveEvent[], Map<number | null, Buffer>>();

const writeBatch = (batch: readonly LiveEvent[], { companyId, central }: Watcher): string =>
  batch
    .filter((event) => companyId === null || event.companyId === companyId)
    .map((event) =>
      sseMessage(
        { id: event.uid, ...formatEvent({ ...event, timeZone: central.timeZone }) },
        { id: event.id },
      ),
    )
    .join('');

/** Positions carry no id: they are not told again to one who comes back. */
export const formatPositions = (batch: readonly LivePosition[], { companyId }: Sight): string =>
  batch
    .map((one) => ({
      ...one,
      deliveries: one.deliveries.filter((each) => companyId === null || each.companyId === companyId),
    }))
    // A company sees drivers while they carry something of it.
    .filter(({ deliveries }) => companyId === null || deliveries.length > 0)
    .map(({ driverId, lat, lng, at, deliveries }) =>
      sseMessage(
        {
          condutor_id: String(driverId),
          lat,
          lng,
          em: formatUtc(at),
          entregas: deliveries.map(({ id }) => String(id)),
        },
        { event: 'posicao' },
      ),
    )
    .join('');

/** More was missed than is told again: whoever shows lists should read them again. */
export const reloadMessage = sseMessage({}, { event: 'recarregar' });
