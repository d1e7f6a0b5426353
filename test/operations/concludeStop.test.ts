import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Answer } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import {
  allOf,
  assertOk,
  assertRefused,
  deliveryIn,
  openDelivery,
  type TestDelivery,
} from '../support/steps.ts';

const malote = await startMalote();

const concludeAs =
  (who: typeof malote.operator) =>
  ({ id, stopIds }: TestDelivery, code?: unknown, stop = 0): Promise<Answer> =>
    who.post(
      `/entregas/${id}/paradas/${stopIds[stop]}/concluir`,
      code === undefined ? {} : { codigo_confirmacao: code },
    );
const asOperator = concludeAs(malote.operator);
const asDriver = concludeAs(malote.driver(1));

const codesOf = async ({ id }: TestDelivery): Promise<number[]> =>
  assertOk(await malote.manager.get(`/entregas/${id}/links-rastreio`)).body.data.map(
    (row: { codigo_confirmacao: number }) => row.codigo_confirmacao,
  );
const wrongFor = (code: number): number => (code === 9999 ? 1000 : code + 1);

/** A delivery started by the demonstration's first driver, who is freed of earlier tests' deliveries. */
async function startedByDriver(stops = 1): Promise<TestDelivery> {
  const left = await malote.db<{ id: number }>`
    select id from deliveries where central_id = 1 and driver_id = 1 and status = 'in_progress'`;
  for (const { id } of left)
    assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
  const delivery = await openDelivery(malote, {}, stops);
  assertOk(await malote.operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 1 }));
  assertOk(await malote.driver(1).post(`/entregas/${delivery.id}/iniciar`));
  return delivery;
}

beforeEach(() => malote.configure({ confirmationCode: true }));

test('without the setting a stop is concluded without a code, and whatever is sent as one is not looked at', async () => {
  await malote.configure({ confirmationCode: false });
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const answer = assertOk(await asOperator(delivery));
  assert.deepEqual(answer.body, {
    success: true,
    data: {
      id_mch: String(delivery.id),
      parada_id: String(delivery.stopIds[0]),
      paradas_restantes: 1,
      status: 'E',
    },
  });
  const last = assertOk(await asOperator(delivery, 1234, 1)).body.data;
  assert.deepEqual([last.paradas_restantes, last.status], [0, 'F']);
});

test("with the setting the recipient's code concludes the stop", async () => {
  const delivery = await startedByDriver(2);
  const codes = await codesOf(delivery);
  assert.equal(assertOk(await asDriver(delivery, codes[0])).body.data.paradas_restantes, 1);
  assert.equal(assertOk(await asDriver(delivery, codes[1], 1)).body.data.paradas_restantes, 0);
});

test('a missing code is 400 with code 2, and is no attempt', async () => {
  const delivery = await startedByDriver();
  const before = await allOf(malote, delivery.id);
  for (const sent of [undefined, null]) {
    const answer = await asDriver(delivery, sent);
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body, {
      success: false,
      errors: [
        { code: 2, message: "'codigo_confirmacao': é obrigatório", kind: 'confirmation-code-required' },
      ],
    });
  }
  const text = await asDriver(delivery, '12345');
  assert.equal(text.status, 400);
  assert.equal(text.body.errors[0].code, 2);
  const english = await malote
    .driver(1)
    .post(
      `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`,
      {},
      { 'accept-language': 'en' },
    );
  assert.deepEqual(english.body.errors, [
    { code: 2, message: "'codigo_confirmacao': is required", kind: 'confirmation-code-required' },
  ]);
  const after = (await allOf(malote, delivery.id)) as {
    stops: { wrong_codes: number; concluded_at: null }[];
  };
  assert.equal(after.stops[0]!.wrong_codes, 0);
  assert.equal(after.stops[0]!.concluded_at, null);
  assert.deepEqual(
    (before as { delivery: unknown }).delivery,
    (after as unknown as { delivery: unknown }).delivery,
  );
});

test('wrong codes are counted although refused; the fifth locks the stop, also for the right code', async () => {
  const delivery = await startedByDriver();
  const [code] = await codesOf(delivery);
  for (const left of [4, 3, 2, 1, 0])
    assertRefused(
      await asDriver(delivery, wrongFor(code!)),
      422,
      new RegExp(`incorreto; tentativas restantes: ${left}$`),
    );
  assertRefused(await asDriver(delivery, code), 422, /bloqueado/);
  assertRefused(await asDriver(delivery), 422, /bloqueado/);
  const status = await malote.central.get(`/entregas/${delivery.id}/status`);
  assert.equal(status.body.data.status, 'E');
});

test('the right code after a wrong one still concludes the stop', async () => {
  const delivery = await startedByDriver();
  const [code] = await codesOf(delivery);
  assertRefused(await asDriver(delivery, wrongFor(code!)), 422, /restantes: 4/);
  assertOk(await asDriver(delivery, code));
});

test('many guesses at once are five guesses', async () => {
  const delivery = await startedByDriver();
  const [code] = await codesOf(delivery);
  const guesses = Array.from({ length: 20 }, (_, index) => 1000 + ((code! - 1000 + 1 + index) % 9000));
  const answers = await Promise.all(guesses.map((guess) => asDriver(delivery, guess)));
  const compared = answers.filter((answer) => /incorreto/.test(answer.text));
  assert.equal(compared.length, 5);
  for (const answer of answers) assert.equal(answer.status, 422);
  assert.equal(answers.filter((answer) => /bloqueado/.test(answer.text)).length, 15);
});

test('each stop counts its own wrong codes', async () => {
  const delivery = await startedByDriver(2);
  const codes = await codesOf(delivery);
  for (let attempt = 0; attempt < 5; attempt += 1) await asDriver(delivery, wrongFor(codes[0]!));
  assertRefused(await asDriver(delivery, codes[0]), 422, /bloqueado/);
  assertOk(await asDriver(delivery, codes[1], 1));
});

const withoutCode = (who: typeof malote.operator, { id, stopIds }: TestDelivery, body: unknown) =>
  who.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, body);
const history = async ({ id }: TestDelivery) =>
  assertOk(await malote.operator.get(`/entregas/${id}/historico`)).body.data.eventos;

test('five wrong codes lock the stop for an operator too, whatever code or none it sends', async () => {
  const delivery = await startedByDriver();
  const [code] = await codesOf(delivery);
  assert.equal((await asOperator(delivery)).status, 400);
  for (const left of [4, 3, 2, 1, 0])
    assertRefused(await asOperator(delivery, wrongFor(code!)), 422, new RegExp(`restantes: ${left}$`));
  for (const sent of [undefined, wrongFor(code!), code])
    assertRefused(await asOperator(delivery, sent), 422, /bloqueado/);
  const delivered = await startedByDriver();
  const [right] = await codesOf(delivered);
  assertOk(await asOperator(delivered, right));
});

test('an operator concludes a locked stop with a reason, which its history tells with who gave it', async () => {
  const delivery = await startedByDriver();
  const [code] = await codesOf(delivery);
  for (let attempt = 0; attempt < 5; attempt += 1) await asDriver(delivery, wrongFor(code!));
  const reason = 'Cliente confirmou por telefone';
  const answer = await withoutCode(malote.operator, delivery, { sem_codigo_motivo: `  ${reason} ` });
  assert.equal(assertOk(answer).body.data.status, 'F');
  const recorded = (await history(delivery)).find(
    (event: { type: string }) => event.type === 'entrega.parada_concluida',
  );
  assert.equal(recorded.data.sem_codigo_motivo, reason);
  assert.deepEqual(recorded.autor, { nome: 'central', perfil: 'operador' });
  const detail = assertOk(await malote.operator.get(`/entregas/${delivery.id}`)).body.data;
  assert.equal(detail.paradas[0].codigo_bloqueado, true);
});

test('a recipient without a code is vouched for in the same way; one with a code leaves no reason behind', async () => {
  const delivery = await startedByDriver();
  assertOk(await withoutCode(malote.operator, delivery, { sem_codigo_motivo: 'Sem celular' }));
  const usual = await startedByDriver();
  const [code] = await codesOf(usual);
  assertOk(await asDriver(usual, code));
  const recorded = (await history(usual)).find(
    (event: { type: string }) => event.type === 'entrega.parada_concluida',
  );
  assert.equal(recorded.data.sem_codigo_motivo, null);
});

test('a driver cannot do without the code, and nobody sends a reason beside a code or an empty one', async () => {
  const delivery = await startedByDriver();
  const [code] = await codesOf(delivery);
  const before = await allOf(malote, delivery.id);
  assertRefused(
    await withoutCode(malote.driver(1), delivery, { sem_codigo_motivo: 'porque sim' }),
    403,
    /permissão|não pode|permitid/,
  );
  for (const body of [
    { sem_codigo_motivo: 'x', codigo_confirmacao: code },
    { sem_codigo_motivo: '' },
    { sem_codigo_motivo: '   ' },
    { sem_codigo_motivo: 'x'.repeat(301) },
  ]) {
    const answer = await withoutCode(malote.operator, delivery, body);
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.errors[0].code, 2);
    assert.match(answer.body.errors[0].message, /^'sem_codigo_motivo': /);
  }
  assert.deepEqual(await allOf(malote, delivery.id), before);
});

test('a code that nobody has read yet cannot be left out either', async () => {
  const delivery = await startedByDriver();
  assert.equal((await asDriver(delivery)).status, 400);
  const guess = await asDriver(delivery, 1000);
  assert.ok([200, 422].includes(guess.status), guess.text);
});

test('a stop of another delivery is not found', async () => {
  const [started, other] = [await startedByDriver(), await deliveryIn(malote, 'accepted')];
  const answer = await malote.operator.post(`/entregas/${started.id}/paradas/${other.stopIds[0]}/concluir`, {
    codigo_confirmacao: 1234,
  });
  assertRefused(answer, 404, /parada não encontrada/);
  const nowhere = await malote.operator.post(`/entregas/${started.id}/paradas/999999/concluir`, {});
  assertRefused(nowhere, 404, /parada não encontrada/);
  const malformed = await malote.operator.post(`/entregas/${started.id}/paradas/x/concluir`, {});
  assert.equal(malformed.status, 400);
  assert.deepEqual(malformed.body.errors, [
    { code: 2, message: "'parada_id': deve ser um número inteiro positivo", kind: 'invalid-input' },
  ]);
});

test('the same key concludes once and answers twice', async () => {
  const delivery = await startedByDriver(2);
  const [code] = await codesOf(delivery);
  const path = `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`;
  const send = () =>
    malote
      .driver(1)
      .post(path, { codigo_confirmacao: code }, { 'idempotency-key': `conclude-${delivery.id}` });
  const answers = await Promise.all([send(), send()]);
  for (const answer of answers) assert.equal(assertOk(answer).body.data.paradas_restantes, 1);
});

test('a concluded stop is recorded as an event of its delivery', async () => {
  const delivery = await startedByDriver(2);
  const codes = await codesOf(delivery);
  assertOk(await asDriver(delivery, codes[1], 1));
  const [event] = await malote.db<{ payload: unknown; sequence: number }>`
    select payload, sequence from events
    where central_id = 1 and delivery_id = ${delivery.id} and type = 'delivery.stop_concluded'`;
  assert.partialDeepStrictEqual(event!.payload, {
    stopId: delivery.stopIds[1],
    order: 1,
    carriedBy: delivery.id,
    driverId: 1,
  });
});

test('a stop that another delivery carries is reported for both, and concluded under the one that carries it', async () => {
  await malote.configure({ confirmationCode: false });
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  await malote.db.begin(async (tx) => {
    await tx`
      update deliveries set grouped_into = ${grouper.id}, driver_id = ${grouper.driverId}
      where central_id = 1 and id = ${grouped.id}`;
    await tx`
      update stops set delivery_id = ${grouper.id}, position = 1
      where central_id = 1 and delivery_id = ${grouped.id}`;
  });
  const stopId = grouped.stopIds[0]!;
  const underOwn = await malote.operator.post(`/entregas/${grouped.id}/paradas/${stopId}/concluir`);
  assertRefused(underOwn, 406, new RegExp(`agrupada na entrega ${grouper.id}`));
  assertOk(await malote.operator.post(`/entregas/${grouper.id}/paradas/${stopId}/concluir`));
  const recorded = await malote.db<{ delivery_id: number }>`
    select delivery_id from events
    where central_id = 1 and type = 'delivery.stop_concluded' and (payload ->> 'stopId')::bigint = ${stopId}
    order by delivery_id`;
  assert.deepEqual(
    recorded.map((event) => event.delivery_id),
    [grouper.id, grouped.id],
  );
});

test('a code may come as text or as a number, with and without its leading zeros', async () => {
  for (const [code, sent] of [
    ['0123', '0123'],
    ['0123', 123],
    ['0000', '0000'],
    ['4821', '4821'],
    ['4821', 4821],
  ] as const) {
    const delivery = await startedByDriver();
    await malote.db`
      update stops set confirmation_code = ${Number(code)} where central_id = 1 and id = ${delivery.stopIds[0]!}`;
    assertOk(await asDriver(delivery, sent));
  }
  const delivery = await startedByDriver();
  const wrong = wrongFor((await codesOf(delivery))[0]!);
  assertRefused(await asDriver(delivery, String(wrong).padStart(4, '0')), 422, /incorreto/);
  for (const odd of ['123', '12345', ' 123', '1e3', '-123', 'abcd', true, 1.5])
    assert.equal((await asDriver(delivery, odd)).status, 400, String(odd));
});
