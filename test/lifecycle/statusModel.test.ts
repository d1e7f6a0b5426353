import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { distributeOnce } from '../support/rounds.ts';

/**
 * Random walks through the life of deliveries. A model written from the rules says what each step must answer and which
 * status follows. The service, over HTTP, must agree at every step, legal or not. No driver is on duty, so the driver
 * search finds none and only the steps assign deliveries. Deliveries of company 2 wait for their release.
 */
const malote = await startMalote();
const { manager, manager2, central, operator, clock, db } = malote;
await db`update drivers set available = false`;
await db`update companies set needs_release = true where central_id = 1 and id = 2`;

const LETTERS = {
  awaiting_release: 'L',
  distributing: 'D',
  offered: 'G',
  accepted: 'A',
  on_hold: 'S',
  in_progress: 'E',
  finished: 'F',
  not_attended: 'N',
  cancelled: 'C',
  pending: 'P',
} as const;
type Letter = (typeof LETTERS)[keyof typeof LETTERS];

const SEARCH_LIMIT_MINUTES = 20;

interface ModelDelivery {
  id: string;
  stopId: string;
  status: Letter;
  returning: boolean;
  driver: number | null;
  arrived: boolean;
  concluded: boolean;
  acceptedAt: number;
  searchSince: Temporal.Instant;
  /** The expected statuses, in order. */
  story: Letter[];
}

interface Model {
  deliveries: ModelDelivery[];
  step: number;
}

type Service = typeof malote;

const DRIVERS = [1, 1, 2];
const OPEN_MAX = 3;

const isOpen = ({ status }: ModelDelivery): boolean => !'FCN'.includes(status);

/** The delivery that a step is about: usually an open one, sometimes one that is over. */
interface Which {
  index: number;
  evenOver: boolean;
}

function pick({ deliveries }: Model, { index, evenOver }: Which): ModelDelivery {
  const open = deliveries.filter(isOpen);
  const among = evenOver || open.length === 0 ? deliveries : open;
  return among[index % among.length]!;
}

const currentOf = (model: Model, driver: number) =>
  model.deliveries.find(
    (delivery) => delivery.driver === driver && (delivery.status === 'A' || delivery.status === 'E'),
  );

/** The oldest delivery on hold for a driver who became free continues. */
function resume(model: Model, driver: number): void {
  if (currentOf(model, driver)) return;
  const [next] = model.deliveries
    .filter((delivery) => delivery.driver === driver && delivery.status === 'S')
    .sort((a, b) => a.acceptedAt - b.acceptedAt);
  if (next) move(next, 'A');
}

function move(delivery: ModelDelivery, to: Letter): void {
  delivery.status = to;
  delivery.story.push(to);
}

function searchAnew(delivery: ModelDelivery): void {
  move(delivery, 'D');
  delivery.searchSince = clock.now();
}

/** One step on one delivery: when it is legal, what it sends, and its effect on the model. */
interface StepRule {
  path: (delivery: ModelDelivery) => string;
  body?: (driver: number) => unknown;
  legal: (delivery: ModelDelivery) => boolean;
  apply: (model: Model, delivery: ModelDelivery, driver: number) => void;
}

const free = (model: Model, delivery: ModelDelivery, wasCurrent: boolean) => {
  const driver = delivery.driver;
  if (driver !== null && wasCurrent) resume(model, driver);
};

const end = (model: Model, delivery: ModelDelivery) => {
  move(delivery, 'F');
  free(model, delivery, true);
};

const rules: Record<string, StepRule> = {
  release: {
    path: ({ id }) => `/entregas/${id}/liberar`,
    legal: ({ status }) => status === 'L',
    apply: (_, delivery) => searchAnew(delivery),
  },
  assign: {
    path: ({ id }) => `/entregas/${id}/atribuir`,
    body: (driver) => ({ condutor_id: driver }),
    legal: ({ status }) => 'DGP'.includes(status),
    apply: (_, delivery) => move(delivery, 'G'),
  },
  refuse: {
    path: ({ id }) => `/entregas/${id}/recusar`,
    legal: ({ status }) => status === 'G',
    apply: (_, delivery) => searchAnew(delivery),
  },
  accept: {
    path: ({ id }) => `/entregas/${id}/aceitar`,
    body: (driver) => ({ condutor_id: driver }),
    legal: ({ status }) => 'DGP'.includes(status),
    apply: (model, delivery, driver) => {
      const next = currentOf(model, driver) ? 'S' : 'A';
      delivery.driver = driver;
      delivery.acceptedAt = model.step;
      move(delivery, next);
    },
  },
  arrive: {
    path: ({ id }) => `/entregas/${id}/chegar`,
    legal: ({ status, arrived }) => status === 'A' && !arrived,
    apply: (_, delivery) => {
      move(delivery, 'A');
      delivery.arrived = true;
    },
  },
  giveUp: {
    path: ({ id }) => `/entregas/${id}/desistir`,
    legal: ({ status }) => status === 'A' || status === 'S',
    apply: (model, delivery) => {
      const wasCurrent = delivery.status === 'A';
      const driver = delivery.driver!;
      searchAnew(delivery);
      delivery.driver = null;
      delivery.arrived = false;
      if (wasCurrent) resume(model, driver);
    },
  },
  start: {
    path: ({ id }) => `/entregas/${id}/iniciar`,
    legal: ({ status }) => status === 'A',
    apply: (_, delivery) => move(delivery, 'E'),
  },
  conclude: {
    path: ({ id, stopId }) => `/entregas/${id}/paradas/${stopId}/concluir`,
    legal: ({ status, concluded }) => status === 'E' && !concluded,
    apply: (model, delivery) => {
      delivery.concluded = true;
      if (!delivery.returning) end(model, delivery);
    },
  },
  finish: {
    path: ({ id }) => `/entregas/${id}/finalizar`,
    legal: ({ status, concluded }) => (status === 'E' && concluded) || status === 'F',
    apply: (model, delivery) => {
      if (delivery.status === 'E') end(model, delivery);
    },
  },
};

class Open implements fc.AsyncCommand<Model, Service> {
  readonly status: 'D' | 'L';
  readonly returning: boolean;
  constructor(status: 'D' | 'L', returning: boolean) {
    this.status = status;
    this.returning = returning;
  }
  check = (model: Readonly<Model>) => model.deliveries.filter(isOpen).length < OPEN_MAX;
  async run(model: Model): Promise<void> {
    clock.advance({ seconds: 1 });
    const { returning } = this;
    const ordered = order({ com_retorno: returning });
    const answer = await (this.status === 'D' ? manager : manager2).post('/entregas', ordered);
    assert.equal(answer.status, 200, answer.text);
    const id = answer.body.data.id_mch;
    const { body } = await central.get(`/entregas/${id}`);
    const [stop] = body.data.paradas;
    model.step += 1;
    model.deliveries.push({
      id,
      stopId: stop.id,
      status: this.status,
      returning,
      driver: null,
      arrived: false,
      concluded: false,
      acceptedAt: 0,
      searchSince: clock.now(),
      story: [this.status],
    });
  }
  toString = () => `open in ${this.status}${this.returning ? ', returning' : ''}`;
}

/** Time passes, and the driver search finds no driver. */
class Search implements fc.AsyncCommand<Model, Service> {
  readonly minutes: number;
  constructor(minutes: number) {
    this.minutes = minutes;
  }
  check = () => true;
  async run(model: Model): Promise<void> {
    clock.advance({ minutes: this.minutes });
    await distributeOnce(malote.app.deps);
    for (const delivery of model.deliveries) {
      if (delivery.status !== 'D' && delivery.status !== 'P') continue;
      const searched = clock.now().since(delivery.searchSince).total('minutes');
      if (searched >= SEARCH_LIMIT_MINUTES) move(delivery, 'N');
      else if (delivery.status === 'D') move(delivery, 'P');
    }
    await agree(model);
  }
  toString = () => `search after ${this.minutes} minutes`;
}

class Step implements fc.AsyncCommand<Model, Service> {
  readonly name: string;
  readonly which: Which;
  readonly driver: number;
  constructor(name: string, which: Which, driver: number) {
    this.name = name;
    this.which = which;
    this.driver = driver;
  }
  check = (model: Readonly<Model>) => model.deliveries.length > 0;
  async run(model: Model): Promise<void> {
    clock.advance({ seconds: 1 });
    model.step += 1;
    const delivery = pick(model, this.which);
    const rule = rules[this.name]!;
    const answer = await operator.post(rule.path(delivery), rule.body?.(this.driver) ?? {});
    if (rule.legal(delivery)) {
      assert.equal(answer.status, 200, `${this} must be legal: ${answer.text}`);
      rule.apply(model, delivery, this.driver);
    } else assert.ok([406, 409].includes(answer.status), `${this} must be refused: ${answer.text}`);
    await agree(model);
  }
  toString = () => `${this.name} ${JSON.stringify(this.which)} driver ${this.driver}`;
}

class Cancel implements fc.AsyncCommand<Model, Service> {
  readonly which: Which;
  constructor(which: Which) {
    this.which = which;
  }
  check = (model: Readonly<Model>) => model.deliveries.length > 0;
  async run(model: Model): Promise<void> {
    clock.advance({ seconds: 1 });
    model.step += 1;
    const delivery = pick(model, this.which);
    const answer = await central.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 });
    if ('FCN'.includes(delivery.status)) assert.equal(answer.status, 406, answer.text);
    else {
      assert.equal(answer.status, 200, answer.text);
      const wasCurrent = delivery.status === 'A' || delivery.status === 'E';
      move(delivery, 'C');
      free(model, delivery, wasCurrent);
    }
    await agree(model);
  }
  toString = () => `cancel ${JSON.stringify(this.which)}`;
}

interface Row {
  id: number;
  status: keyof typeof LETTERS;
  event_sequence: number;
  ordered: boolean;
  events: number;
  story: (keyof typeof LETTERS)[];
}

/** The service shows the state of the model, and every invariant holds. */
async function agree(model: Model): Promise<void> {
  const shown = model.deliveries[model.step % model.deliveries.length];
  if (shown) {
    const answer = await central.get(`/entregas/${shown.id}/status`);
    assert.equal(answer.body.data.status, shown.status === 'L' ? 'P' : shown.status, `delivery ${shown.id}`);
  }
  const ids = model.deliveries.map(({ id }) => Number(id));
  const rows = await db<Row>`
    select d.id, d.status, d.event_sequence, (
        select bool_and(earlier <= later) from unnest(
          array_remove(array[requested_at, pending_at, accepted_at, d.arrived_at, started_at, concluded_at], null),
          (array_remove(array[requested_at, pending_at, accepted_at, d.arrived_at, started_at, concluded_at,
            coalesce(finished_at, not_attended_at, cancelled_at, 'infinity')], null))[2:]) as t (earlier, later)
      ) as ordered,
      (select count(*) from events e where e.central_id = 1 and e.delivery_id = d.id) as events,
      array(select e.payload ->> 'status' from events e where e.central_id = 1 and e.delivery_id = d.id
        and e.type = 'delivery.status' order by e.sequence) as story
    from deliveries d
    join stops s on s.central_id = d.central_id and s.delivery_id = d.id
    where d.central_id = 1 and d.id = any(${ids}::bigint[])`;
  for (const delivery of model.deliveries) {
    const row = rows.find(({ id }) => String(id) === delivery.id)!;
    assert.equal(LETTERS[row.status], delivery.status, `delivery ${row.id}`);
    assert.ok(row.ordered, `moments of delivery ${row.id} are in order`);
    assert.equal(row.events, row.event_sequence, 'the sequence counts the events');
    assert.deepEqual(
      row.story.map((status) => LETTERS[status]),
      delivery.story,
      `events of ${delivery.id} match its changes`,
    );
    assert.equal(row.events, delivery.story.length + Number(delivery.concluded));
  }
  const [carrying] = await db<{ highest: number }>`
    select coalesce(max(n), 0)::integer as highest from (
      select count(*) as n from deliveries where central_id = 1 and status = 'in_progress' group by driver_id) each`;
  assert.ok(carrying!.highest <= 1, 'a driver carries one started delivery at a time');
}

/** Steps that make progress are more likely; otherwise hardly any walk would reach its end. */
const LIKELIHOOD: Record<string, number> = { release: 2, accept: 5, start: 6, conclude: 6, finish: 6 };

test('every walk of legal and illegal steps ends where the rules say', { timeout: 240_000 }, async () => {
  const which = fc.record({
    index: fc.nat({ max: 7 }),
    evenOver: fc.nat({ max: 4 }).map((drawn) => drawn === 0),
  });
  const driver = fc.constantFrom(...DRIVERS);
  const command = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('D', 'D', 'L'), fc.boolean())
        .map(([status, returning]) => new Open(status, returning)),
    },
    { weight: 2, arbitrary: fc.constantFrom(0, 0, 7, 21).map((minutes) => new Search(minutes)) },
    { weight: 1, arbitrary: which.map((delivery) => new Cancel(delivery)) },
    ...Object.keys(rules).map((name) => ({
      weight: LIKELIHOOD[name] ?? 1,
      arbitrary: fc.tuple(which, driver).map(([delivery, by]) => new Step(name, delivery, by)),
    })),
  );
  const reached = new Set<Letter>();
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 50, maxLength: 80, size: 'max' }), async (walk) => {
      await db`update deliveries set status = 'cancelled', cancelled_at = ${clock.now()}, finished_at = null
        where central_id = 1 and status not in ('finished', 'cancelled', 'not_attended')`;
      const model: Model = { deliveries: [], step: 0 };
      await fc.asyncModelRun(() => ({ model, real: malote }), walk);
      for (const { story } of model.deliveries) for (const letter of story) reached.add(letter);
    }),
    { numRuns: 20 },
  );
  assert.deepEqual(reached, new Set(Object.values(LETTERS)), 'together the walks came to every status');
});
