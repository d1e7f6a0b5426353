import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decisionCode, failureReasonCode } from '../../server/src/api/json/codes.ts';
import { failureRules } from '../../server/src/api/operations/wire/failureRulesView.ts';
import { decideFailure as decideOnServer } from '../../server/src/centrals/failureRules.ts';
import type { Action } from '../../web/driver/src/core/action.ts';
import { decideFailure, visitOf } from '../../web/driver/src/core/failure.ts';
import { currentRun, isKnownTo, localView } from '../../web/driver/src/core/localView.ts';
import { journeyTo, nextStep, targetOf } from '../../web/driver/src/core/nextStep.ts';
import type { FailureDecision, Work } from '../../web/driver/src/core/work.ts';
import { sampleEntry, sampleRules, sampleRun, sampleStop, sampleWork } from './samples.ts';

const on = (deliveryId: string, ...kinds: ('arrive-pickup' | 'start' | 'finish' | 'give-up')[]): Action[] =>
  kinds.map((kind) => ({ kind, deliveryId }));
const conclude = (deliveryId: string, stopId: string): Action => ({
  kind: 'conclude',
  deliveryId,
  stopId,
  body: {},
});
const fail = (deliveryId: string, stopId: string, visit = 1): Action => ({
  kind: 'fail',
  deliveryId,
  stopId,
  visit,
  body: { motivo: 'ausente' },
});
const view = (work: Work, ...actions: Action[]) =>
  localView(
    work,
    actions.map((action) => sampleEntry(action)),
  );
const withRule = (decision: FailureDecision, changes: Partial<Work> = {}): Work => {
  const work = sampleWork(changes);
  return { ...work, corridas: work.corridas.map((run) => ({ ...run, falha: sampleRules(decision) })) };
};

/** The texts of the main button from acceptance to the end, when every step is done by it. */
function wholeRun(work: Work): string[] {
  const journeys = new Set<string>();
  const done: Action[] = [];
  const said: string[] = [];
  for (;;) {
    const run = localView(
      work,
      done.map((action) => sampleEntry(action)),
    ).corridas[0]!;
    const step = nextStep(run, journeys, null);
    const stop = step.stop?.id;
    said.push([step.kind, stop].filter(Boolean).join(' '));
    if (step.kind === 'over' || step.kind === 'wait') return said;
    const deliveryId = run.id_mch;
    if (step.kind === 'go-pickup' || step.kind === 'go-stop' || step.kind === 'go-return')
      journeys.add(journeyTo(run, targetOf(step)!));
    else if (step.kind === 'arrive-stop')
      done.push({ kind: 'arrive-stop', deliveryId, stopId: stop!, visit: 1 });
    else if (step.kind === 'conclude') done.push(conclude(deliveryId, stop!));
    else done.push({ kind: step.kind, deliveryId });
  }
}

const TO_THE_STOPS = ['go-pickup', 'arrive-pickup', 'start', 'go-stop 1', 'arrive-stop 1', 'conclude 1'];

test('the big button leads through a run without network', () => {
  assert.deepEqual(wholeRun(sampleWork()), [
    ...TO_THE_STOPS,
    ...['go-stop 2', 'arrive-stop 2', 'conclude 2', 'over'],
  ]);
  assert.deepEqual(wholeRun(sampleWork({ corridas: [sampleRun('10', { com_retorno: true })] })), [
    ...TO_THE_STOPS,
    ...['go-stop 2', 'arrive-stop 2', 'conclude 2', 'go-return', 'finish', 'over'],
  ]);
});

test('a driver who is there already is not sent there', () => {
  const { corridas } = localView(sampleWork(), []);
  const { coleta } = corridas[0]!;
  assert.equal(nextStep(corridas[0]!, new Set(), coleta).kind, 'arrive-pickup');
  assert.equal(
    nextStep(corridas[0]!, new Set(), { lat: coleta.lat + 0.01, lng: coleta.lng }).kind,
    'go-pickup',
  );
});

test('stops are visited in the computed order, whichever order they come in', () => {
  const run = sampleRun('10', {
    status: 'E',
    paradas: [sampleStop('2', { ordem: 1 }), sampleStop('1', { ordem: 2 })].reverse(),
  });
  assert.equal(
    nextStep(localView(sampleWork({ corridas: [run] }), []).corridas[0]!, new Set(), null).stop?.id,
    '2',
  );
});

test('actions keep the time at which they happened, and the server’s own times win', () => {
  const mine = view(sampleWork(), ...on('10', 'arrive-pickup', 'start')).corridas[0]!;
  assert.equal(mine.chegou_em, '2026-11-16T15:10:00Z');
  assert.equal(mine.iniciada_em, '2026-11-16T15:10:00Z');
  const known = sampleWork({ corridas: [sampleRun('10', { chegou_em: '2026-11-16T15:09:00Z' })] });
  assert.equal(view(known, ...on('10', 'arrive-pickup')).corridas[0]!.chegou_em, '2026-11-16T15:09:00Z');
});

test('a failed stop is tried later, brought back, or left, as the central decides', () => {
  const started = { corridas: [sampleRun('10', { status: 'E' })] };
  const later = view(withRule('tentar_depois', started), fail('10', '1')).corridas[0]!;
  assert.deepEqual(
    later.paradas.map(({ id, situacao }) => `${id} ${situacao}`),
    ['2 pendente', '1 pendente'],
  );
  const twice = view(
    withRule('tentar_depois', started),
    ...[fail('10', '1'), conclude('10', '2'), fail('10', '1', 2)],
  ).corridas[0]!;
  assert.equal(twice.paradas.find(({ id }) => id === '1')!.situacao, 'nao_entregue');
  assert.equal(twice.isOver, true);

  const back = view(withRule('retornar', started), fail('10', '1'), conclude('10', '2')).corridas[0]!;
  assert.equal(back.isOver, false);
  assert.equal(nextStep(back, new Set(), null).kind, 'go-return');
  const failedThere = [sampleStop('1', { situacao: 'nao_entregue' }), sampleStop('2')];
  const fromServer = view(
    withRule('retornar', {
      corridas: [sampleRun('10', { status: 'E', com_retorno: true, paradas: failedThere })],
    }),
    conclude('10', '2'),
  ).corridas[0]!;
  assert.equal(nextStep(fromServer, new Set(), null).kind, 'go-return');

  const left = view(withRule('deixar_no_fim', started), fail('10', '1'), conclude('10', '2')).corridas[0]!;
  assert.equal(left.isOver, true);
});

test('actions stored by an earlier version of the app, without the number of the visit, count', () => {
  const stored = (action: object): Action => ({ ...action, visit: undefined }) as unknown as Action;
  const started = { corridas: [sampleRun('10', { status: 'E' })] };
  const arrived = view(sampleWork(started), stored({ kind: 'arrive-stop', deliveryId: '10', stopId: '1' }))
    .corridas[0]!;
  assert.equal(nextStep(arrived, new Set(), null).kind, 'conclude');
  const failed = view(withRule('deixar_no_fim', started), stored(fail('10', '1'))).corridas[0]!;
  assert.equal(failed.paradas.find(({ id }) => id === '1')!.situacao, 'nao_entregue');
});

test('when a run ends, the next one on hold becomes the current one', () => {
  const work = sampleWork({
    corridas: [
      sampleRun('10', { status: 'E', paradas: [sampleStop('1')] }),
      sampleRun('11', { status: 'S' }),
    ],
  });
  assert.equal(currentRun(view(work))!.id_mch, '10');
  const after = currentRun(view(work, conclude('10', '1')))!;
  assert.equal(after.id_mch, '11');
  assert.equal(after.status, 'A');
  assert.equal(currentRun(view(work, conclude('10', '1'), ...on('11', 'give-up'))), null);
});

test('the duty switch shows what was chosen last, and only the own actions count', () => {
  const duty = (available: boolean): Action => ({ kind: 'duty', available });
  assert.equal(view(sampleWork(), duty(false)).condutor.disponivel, false);
  assert.equal(view(sampleWork(), duty(false), duty(true)).condutor.disponivel, true);
  const foreign = sampleEntry(duty(false), { driverId: '2' });
  assert.equal(localView(sampleWork(), [foreign]).condutor.disponivel, true);
});

test('an action that the server already knows changes nothing when applied again', () => {
  const action = fc.constantFrom<Action>(
    ...on('10', 'arrive-pickup', 'start', 'finish'),
    ...['1', '2'].flatMap((stopId): Action[] => [
      { kind: 'arrive-stop', deliveryId: '10', stopId, visit: 1 },
      conclude('10', stopId),
      fail('10', stopId),
    ]),
  );
  fc.assert(
    fc.property(
      fc.array(action),
      fc.constantFrom('tentar_depois' as const, 'retornar' as const, 'deixar_no_fim' as const),
      (wanted, rule) => {
        // Each action is about the visit that the driver is at, as the screens create it.
        const actions: Action[] = [];
        for (const each of wanted) {
          const stops = view(withRule(rule), ...actions).corridas[0]!.paradas;
          const stop = 'stopId' in each && stops.find(({ id }) => id === each.stopId);
          actions.push(stop && 'visit' in each ? { ...each, visit: visitOf(stop) } : each);
        }
        const once = view(withRule(rule), ...actions);
        const known: Work = { ...once, corridas: once.corridas.filter(({ isOver }) => !isOver) };
        const again = view(known, ...actions);
        assert.deepEqual(
          again.corridas.map(({ paradas, status, isOver }) => ({ paradas, status, isOver })),
          once.corridas
            .filter(({ isOver }) => !isOver)
            .map(({ paradas, status, isOver }) => ({ paradas, status, isOver })),
        );
      },
    ),
  );
});

test('a refused action that the central has done itself is recognised', () => {
  const done = sampleWork({
    corridas: [sampleRun('10', { status: 'E', paradas: [sampleStop('1', { situacao: 'concluida' })] })],
  });
  const asked = (action: Action) => isKnownTo(done, action as Parameters<typeof isKnownTo>[1]);
  assert.ok(asked(conclude('10', '1')));
  assert.ok(asked({ kind: 'start', deliveryId: '10' }));
  assert.ok(!asked(fail('10', '1')));
  assert.ok(!asked({ kind: 'finish', deliveryId: '10' }));
  assert.ok(!asked(conclude('11', '1')));
});

test('the app decides about a failed stop as the server does', () => {
  const decision = fc.constantFrom('retry' as const, 'return' as const, 'leave' as const);
  fc.assert(
    fc.property(
      fc.record({
        rules: fc.record({
          ...{ absent: decision, wrong_address: decision, refused: decision, other: decision },
          attemptsMax: fc.integer({ min: 1, max: 4 }),
          afterwards: fc.constantFrom('return' as const, 'leave' as const),
        }),
        reason: fc.constantFrom(
          'absent' as const,
          'wrong_address' as const,
          'refused' as const,
          'other' as const,
        ),
        attemptsBefore: fc.integer({ min: 0, max: 4 }),
        others: fc.array(
          fc.constantFrom('pendente' as const, 'concluida' as const, 'nao_entregue' as const),
          {
            maxLength: 3,
          },
        ),
      }),
      ({ rules, reason, attemptsBefore, others }) => {
        const othersOpen = others.filter((situacao) => situacao === 'pendente').length;
        const expected = decideOnServer(rules, { reason, attemptsBefore, othersOpen });
        const run = {
          falha: failureRules.show(rules, undefined),
          paradas: [
            sampleStop('1', { tentativas: attemptsBefore }),
            ...others.map((situacao, index) => sampleStop(String(index + 2), { situacao })),
          ],
        };
        assert.equal(decideFailure(run, '1', failureReasonCode[reason]), decisionCode[expected]);
      },
    ),
  );
});

test('after a failed attempt the driver is led to the stop once more', () => {
  const started = sampleWork({
    corridas: [sampleRun('10', { status: 'E', falha: sampleRules('tentar_depois') })],
  });
  const run = view(started, fail('10', '1'), conclude('10', '2')).corridas[0]!;
  const journeys = new Set([journeyTo(run, '1')]);
  const step = nextStep(run, journeys, null);
  assert.deepEqual([step.kind, step.stop?.id, targetOf(step)], ['go-stop', '1', '1 1']);
});

test('an action that only a later version of the app knows changes nothing', () => {
  const work = sampleWork();
  const later = { kind: 'later', deliveryId: work.corridas[0]!.id_mch } as unknown as Action;
  assert.deepEqual(view(work, later), view(work));
});
