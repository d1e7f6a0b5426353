import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

/**
 * Random walks through the life of deliveries. A model written from the rules says what each step must
 * answer and where it leads; the service, over HTTP, must agree at every step, legal or not.
 */
const malote = await startMalote();
const { manager, operator, clock, db } = malote;

type Letter = 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';

interface ModelDelivery {
  id: string;
  stopId: string;
  status: Letter;
  driver: number | null;
  offeredTo: number | null;
  arrived: boolean;
  concluded: boolean;
  acceptedAt: number;
  changes: number;
}

interface Model {
  deliveries: ModelDelivery[];
  step: number;
}

type Service = typeof malote;

const DRIVERS = [1, 2];

const currentOf = (model: Model, driver: number) =>
  model.deliveries.find((one) => one.driver === driver && (one.status === 'A' || one.status === 'E'));

/** The oldest that waits for a driver who became free goes on. */
function resume(model: Model, driver: number): void {
  if (currentOf(model, driver)) return;
  const [next] = model.deliveries
    .filter((one) => one.driver === driver && one.status === 'S')
    .sort((a, b) => a.acceptedAt - b.acceptedAt);
  if (next) move(next, 'A');
}

function move(delivery: ModelDelivery, to: Letter): void {
  delivery.status = to;
  delivery.changes += 1;
}

/** One step on one delivery: when it is legal, what it sends, and what it does to the model. */
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

const rules: Record<string, StepRule> = {
  assign: {
    path: ({ id }) => `/entregas/${id}/atribuir`,
    body: (driver) => ({ condutor_id: driver }),
    legal: ({ status }) => 'DGP'.includes(status),
    apply: (_, delivery, driver) => {
      move(delivery, 'G');
      delivery.offeredTo = driver;
    },
  },
  refuse: {
    path: ({ id }) => `/entregas/${id}/recusar`,
    legal: ({ status }) => status === 'G',
    apply: (_, delivery) => {
      move(delivery, 'D');
      delivery.offeredTo = null;
    },
  },
  accept: {
    path: ({ id }) => `/entregas/${id}/aceitar`,
    body: (driver) => ({ condutor_id: driver }),
    legal: ({ status }) => 'DGP'.includes(status),
    apply: (model, delivery, driver) => {
      const next = currentOf(model, driver) ? 'S' : 'A';
      delivery.driver = driver;
      delivery.offeredTo = null;
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
      move(delivery, 'D');
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
    apply: (_, delivery) => {
      delivery.concluded = true;
    },
  },
  finish: {
    path: ({ id }) => `/entregas/${id}/finalizar`,
    legal: ({ status, concluded }) => status === 'E' && concluded,
    apply: (model, delivery) => {
      move(delivery, 'F');
      free(model, delivery, true);
    },
  },
};

class Open implements fc.AsyncCommand<Model, Service> {
  check = (model: Readonly<Model>) => model.deliveries.length < 4;
  async run(model: Model): Promise<void> {
    clock.advance({ seconds: 1 });
    const answer = await manager.post('/entregas', order());
    assert.equal(answer.status, 200, answer.text);
    const id = answer.body.data.id_mch;
    const { body } = await manager.get(`/entregas/${id}`);
    const [stop] = body.data.paradas;
    model.step += 1;
    model.deliveries.push({
      id,
      stopId: stop.id,
      status: 'D',
      driver: null,
      offeredTo: null,
      arrived: false,
      concluded: false,
      acceptedAt: 0,
      changes: 1,
    });
  }
  toString = () => 'open';
}

class Step implements fc.AsyncCommand<Model, Service> {
  readonly name: string;
  readonly which: number;
  readonly driver: number;
  constructor(name: string, which: number, driver: number) {
    this.name = name;
    this.which = which;
    this.driver = driver;
  }
  check = (model: Readonly<Model>) => model.deliveries.length > 0;
  async run(model: Model): Promise<void> {
    clock.advance({ seconds: 1 });
    model.step += 1;
    const delivery = model.deliveries[this.which % model.deliveries.length]!;
    const rule = rules[this.name]!;
    const answer = await operator.post(rule.path(delivery), rule.body?.(this.driver) ?? {});
    if (rule.legal(delivery)) {
      assert.equal(answer.status, 200, `${this} must be legal: ${answer.text}`);
      rule.apply(model, delivery, this.driver);
    } else assert.ok([406, 409].includes(answer.status), `${this} must be refused: ${answer.text}`);
    await agree(model);
  }
  toString = () => `${this.name} delivery ${this.which} driver ${this.driver}`;
}

class Cancel implements fc.AsyncCommand<Model, Service> {
  readonly which: number;
  constructor(which: number) {
    this.which = which;
  }
  check = (model: Readonly<Model>) => model.deliveries.length > 0;
  async run(model: Model): Promise<void> {
    clock.advance({ seconds: 1 });
    model.step += 1;
    const delivery = model.deliveries[this.which % model.deliveries.length]!;
    const answer = await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 });
    if ('FCN'.includes(delivery.status)) assert.equal(answer.status, 406, answer.text);
    else {
      assert.equal(answer.status, 200, answer.text);
      const wasCurrent = delivery.status === 'A' || delivery.status === 'E';
      move(delivery, 'C');
      free(model, delivery, wasCurrent);
    }
    await agree(model);
  }
  toString = () => `cancel delivery ${this.which}`;
}

interface Row {
  id: number;
  event_sequence: number;
  moments: (Temporal.Instant | null)[];
  ordered: boolean;
  events: number;
  last: string | null;
  status: string;
}

/** The service shows what the model says, and every invariant holds. */
async function agree(model: Model): Promise<void> {
  for (const { id, status } of model.deliveries) {
    const answer = await manager.get(`/entregas/${id}/status`);
    assert.equal(answer.body.data.status, status, `delivery ${id}`);
  }
  const ids = model.deliveries.map(({ id }) => Number(id));
  const rows = await db<Row>`
    select d.id, d.status, d.event_sequence,
      coalesce(d.requested_at <= d.accepted_at, true) and coalesce(d.accepted_at <= d.arrived_at, true)
        and coalesce(d.accepted_at <= d.started_at, true) and coalesce(d.started_at <= d.finished_at, true)
        and coalesce(d.requested_at <= d.cancelled_at, true) as ordered,
      (select count(*) from events e where e.central_id = 1 and e.delivery_id = d.id)::integer as events,
      (select e.payload ->> 'status' from events e where e.central_id = 1 and e.delivery_id = d.id
        and e.type = 'delivery.status' order by e.sequence desc limit 1) as last
    from deliveries d where d.central_id = 1 and d.id = any(${ids}::bigint[])`;
  for (const row of rows) {
    assert.ok(row.ordered, `moments of delivery ${row.id} are in order`);
    assert.equal(row.events, row.event_sequence, 'the sequence counts the events');
    assert.equal(row.last, row.status, 'the last event tells the status');
  }
  for (const delivery of model.deliveries) {
    const row = rows.find(({ id }) => String(id) === delivery.id)!;
    assert.equal(
      row.events,
      delivery.changes + Number(delivery.concluded),
      `events of ${delivery.id} match its changes`,
    );
  }
  const [carrying] = await db<{ most: number }>`
    select coalesce(max(n), 0)::integer as most from (
      select count(*) as n from deliveries where central_id = 1 and status = 'in_progress' group by driver_id) each`;
  assert.ok(carrying!.most <= 1, 'a driver carries one started delivery at a time');
}

test('every walk of legal and illegal steps ends where the rules say', { timeout: 240_000 }, async () => {
  const which = fc.nat({ max: 3 });
  const commands = [
    fc.constant(new Open()),
    ...Object.keys(rules).map((name) =>
      fc
        .tuple(which, fc.constantFrom(...DRIVERS))
        .map(([delivery, driver]) => new Step(name, delivery, driver)),
    ),
    which.map((delivery) => new Cancel(delivery)),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (walk) => {
      await db`update deliveries set status = 'cancelled', cancelled_at = ${clock.now()}, finished_at = null
        where central_id = 1 and status not in ('finished', 'cancelled', 'not_attended')`;
      await fc.asyncModelRun(() => ({ model: { deliveries: [], step: 0 }, real: malote }), walk);
    }),
    { numRuns: 25 },
  );
});
