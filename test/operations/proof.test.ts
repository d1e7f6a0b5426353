import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Answer, type Client, client, type Json } from '../support/client.ts';
import { jpeg, png, SECRET_PLACE, webp } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import {
  assertOk,
  assertRefused,
  countStatuses,
  deliveryIn,
  openDelivery,
  type TestDelivery,
} from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const neighbour = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-vizinha',
  user: 'vizinha',
  password: 'demo',
});

const OFF = { proofPhoto: 'off', proofSignature: 'off', proofName: 'off', proofAmount: false };
beforeEach(() => malote.configure({ ...OFF, confirmationCode: false }));

/** A delivery in progress with driver 1, who carries no other. */
async function started(changes: Record<string, unknown> = {}, stops = 1): Promise<TestDelivery> {
  const left = await malote.db<{ id: number }>`
    select id from deliveries where central_id = 1 and driver_id = 1 and status = 'in_progress'`;
  for (const { id } of left)
    assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
  const delivery = await openDelivery(malote, changes, stops);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 1 }));
  assertOk(await malote.driver(1).post(`/entregas/${delivery.id}/iniciar`));
  return delivery;
}

const pathOf = ({ id, stopIds }: TestDelivery, kind = 'foto') =>
  `/entregas/${id}/paradas/${stopIds[0]}/comprovantes/${kind}`;

const put = (who: Client, path: string, image: Buffer, type = 'image/jpeg', headers = {}): Promise<Answer> =>
  who.send(path, {
    method: 'PUT',
    body: new Uint8Array(image),
    headers: { 'content-type': type, ...headers },
  });

const conclude = (who: Client, { id, stopIds }: TestDelivery, body: object = {}) =>
  who.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, body);

const stopOf = async ({ id }: TestDelivery, who = operator): Promise<Json> =>
  assertOk(await who.get(`/entregas/${id}`)).body.data.paradas[0];

const read = async (url: string) => fetch(url, { redirect: 'manual' });

const collecting = (amount: string) => ({ paradas: [{ ...stop(0), valor_cobrar: amount }] });

test('the driver sends photo and signature; they are cleaned, and read by signed links', async () => {
  const delivery = await started();
  const driver = malote.driver(1);
  const taken = malote.clock.now().subtract({ minutes: 3 }).toString({ smallestUnit: 'second' });
  const sent = assertOk(await put(driver, `${pathOf(delivery)}?ocorrido_em=${taken}`, jpeg()));
  assert.deepEqual(sent.body.data, {
    id_mch: String(delivery.id),
    parada_id: String(delivery.stopIds[0]),
    tipo: 'foto',
    formato: 'image/jpeg',
    largura: 640,
    altura: 480,
    tirada_em: taken,
    recebida_em: malote.clock.now().toString({ smallestUnit: 'second' }),
  });
  assertOk(await put(driver, pathOf(delivery, 'assinatura'), png(), 'image/png'));
  assertOk(await conclude(driver, delivery, { recebido_por: '  Maria Souza ' }));

  const shown = await stopOf(delivery);
  assert.equal(shown.recebido_por, 'Maria Souza');
  assert.deepEqual(
    shown.comprovantes.map((proof: Json) => [proof.tipo, proof.formato]),
    [
      ['foto', 'image/jpeg'],
      ['assinatura', 'image/png'],
    ],
  );
  const image = await read(shown.comprovantes[0].url);
  assert.equal(image.status, 200);
  assert.equal(image.headers.get('content-type'), 'image/jpeg');
  assert.equal(image.headers.get('content-disposition'), 'inline; filename="comprovante-foto.jpg"');
  assert.equal(image.headers.get('x-content-type-options'), 'nosniff');
  assert.match(image.headers.get('content-security-policy')!, /^default-src 'none'; sandbox/);
  assert.equal(image.headers.get('cache-control'), 'private, max-age=3600');
  const content = Buffer.from(await image.arrayBuffer());
  assert.ok(jpeg().includes(SECRET_PLACE) && !content.includes('GPS'));

  for (const who of [driver, operator]) {
    const { data } = assertOk(await who.get(pathOf(delivery))).body;
    assert.equal(data.url, shown.comprovantes[0].url, 'links of one hour are equal');
  }
  const detail = assertOk(await malote.manager.get(`/entregas/${delivery.id}/detalhes`)).body.data;
  assert.deepEqual(detail.paradas[0].comprovantes, shown.comprovantes);
  assert.equal(detail.paradas[0].recebido_por, 'Maria Souza');
  const event = detail.eventos.find(({ tipo }: Json) => tipo === 'entrega.parada_concluida');
  assert.deepEqual(
    event.dados.comprovantes.map(({ tipo, url }: Json) => [tipo, url]),
    shown.comprovantes.map(({ tipo, url }: Json) => [tipo, url]),
  );
  assert.ok(!JSON.stringify(event).includes('Maria'), 'events name no recipient');
});

test('missing required proof is named, one kind after the other, and nothing is concluded', async () => {
  await malote.configure({
    proofPhoto: 'required',
    proofSignature: 'required',
    proofName: 'required',
    proofAmount: true,
  });
  const delivery = await started(collecting('42.90'));
  const driver = malote.driver(1);
  const refused = async (body: object, kind: string, words: RegExp) => {
    const answer = await conclude(driver, delivery, body);
    assertRefused(answer, 422, words);
    assert.equal(answer.body.errors[0].kind, kind);
  };
  await refused({}, 'proof-amount-missing', /falta o valor recebido/);
  const paid = { valor_recebido: '40.00', forma_recebimento: 'X' };
  await refused(paid, 'proof-name-missing', /falta o nome de quem recebeu/);
  await refused({ ...paid, recebido_por: '   ' }, 'proof-name-missing', /falta o nome/);
  const named = { ...paid, recebido_por: 'Porteiro' };
  await refused(named, 'proof-photo-missing', /falta a foto da entrega/);
  assertOk(await put(driver, pathOf(delivery), jpeg()));
  await refused(named, 'proof-signature-missing', /falta a assinatura de quem recebeu/);
  const english = await driver.post(
    `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`,
    named,
    { 'accept-language': 'en' },
  );
  assert.match(english.body.errors[0].message, /signature of who received it is missing/);
  assert.equal((await stopOf(delivery)).concluida_em, null);
  assertOk(await put(driver, pathOf(delivery, 'assinatura'), png(), 'image/png'));
  assertOk(await conclude(driver, delivery, named));
  const { recebido_por, valor_recebido, forma_recebimento } = await stopOf(delivery);
  assert.deepEqual([recebido_por, valor_recebido, forma_recebimento], ['Porteiro', '40.00', 'X']);
  const { eventos } = assertOk(await malote.manager.get(`/entregas/${delivery.id}/detalhes`)).body.data;
  const { dados } = eventos.find(({ tipo }: Json) => tipo === 'entrega.parada_concluida');
  assert.deepEqual([dados.valor_recebido, dados.forma_recebimento], ['40.00', 'X']);
});

test('an operator does without what is required by giving a reason; a driver cannot', async () => {
  await malote.configure({ proofPhoto: 'required' });
  const delivery = await started();
  const reason = { sem_codigo_motivo: 'câmera quebrada' };
  assertRefused(await conclude(malote.driver(1), delivery, reason), 422, /falta a foto/);
  assertRefused(await conclude(operator, delivery), 422, /falta a foto/);
  assertOk(await conclude(operator, delivery, reason));
  const { eventos } = assertOk(await malote.manager.get(`/entregas/${delivery.id}/detalhes`)).body.data;
  const { dados } = eventos.find(({ tipo }: Json) => tipo === 'entrega.parada_concluida');
  assert.equal(dados.sem_codigo_motivo, 'câmera quebrada');
});

test('the amount is asked for only where there is one to collect, and nothing paid is an answer', async () => {
  await malote.configure({ proofAmount: true });
  assertOk(await conclude(malote.driver(1), await started()));
  const delivery = await started(collecting('10.00'));
  assertOk(await conclude(malote.driver(1), delivery, { valor_recebido: '0.00' }));
  const { valor_recebido, forma_recebimento } = await stopOf(delivery);
  assert.deepEqual([valor_recebido, forma_recebimento], ['0.00', order().forma_pagamento]);
});

test('a company has its own rules, which the driver’s app gets; null follows the central', async (t) => {
  await malote.configure({ proofPhoto: 'required', proofName: 'optional' });
  const path = '/empresas/1';
  const { id: _id, ...company } = assertOk(await operator.get(path)).body.data;
  t.after(async () => assertOk(await operator.put(path, company)));
  assertOk(
    await operator.put(path, { ...company, comprovante_foto: 'nao', comprovante_assinatura: 'obrigatorio' }),
  );
  await malote.app.deps.registersHeard();
  const delivery = await started();
  const { regras, corridas } = assertOk(await malote.driver(1).get('/condutores/1/trabalho')).body.data;
  const others = { codigo: false, valor: false };
  assert.deepEqual(regras.comprovante, {
    foto: 'obrigatorio',
    assinatura: 'nao',
    nome: 'opcional',
    ...others,
  });
  assert.deepEqual(corridas[0].comprovante, {
    foto: 'nao',
    assinatura: 'obrigatorio',
    nome: 'opcional',
    ...others,
  });
  assertRefused(await conclude(malote.driver(1), delivery), 422, /falta a assinatura/);
});

test('while a stop is open another image takes the place of the first, whose link then leads nowhere', async () => {
  const delivery = await started();
  const driver = malote.driver(1);
  assertOk(await put(driver, pathOf(delivery), jpeg({ seed: 'one' })));
  const { url } = assertOk(await driver.get(pathOf(delivery))).body.data;
  const first = assertOk(await put(driver, pathOf(delivery), jpeg({ seed: 'two' }))).body;
  malote.clock.advance({ minutes: 1 });
  assert.deepEqual(assertOk(await put(driver, pathOf(delivery), jpeg({ seed: 'two' }))).body, first);
  assert.equal((await read(url)).status, 404);
  const again = assertOk(await driver.get(pathOf(delivery))).body.data.url;
  assert.ok(Buffer.from(await (await read(again)).arrayBuffer()).includes('two'));
});

test('after the end of a stop a missing image is still accepted, with an event; an existing one stays', async () => {
  const delivery = await started();
  const driver = malote.driver(1);
  assertOk(await put(driver, pathOf(delivery), jpeg({ seed: 'kept' })));
  assertOk(await conclude(driver, delivery));
  malote.clock.advance({ hours: 71 });
  const same = assertOk(await put(driver, pathOf(delivery), jpeg({ seed: 'kept' })));
  assert.equal(same.body.data.tipo, 'foto');
  const other = await put(driver, pathOf(delivery), jpeg({ seed: 'other' }));
  assertRefused(other, 409, /já terminou com outra imagem/);
  assertOk(await put(driver, pathOf(delivery, 'assinatura'), png(), 'image/png'));
  const { eventos, paradas } = assertOk(await malote.manager.get(`/entregas/${delivery.id}/detalhes`)).body
    .data;
  const announced = eventos.filter(({ tipo }: Json) => tipo === 'entrega.comprovante');
  assert.deepEqual(
    announced.map(({ dados }: Json) => dados.comprovantes.map((proof: Json) => [proof.tipo, proof.url])),
    [[['assinatura', paradas[0].comprovantes[1].url]]],
  );
});

test('three days after its end a stop takes no image any more', async () => {
  const delivery = await started();
  assertOk(await conclude(malote.driver(1), delivery));
  malote.clock.advance({ hours: 73 });
  assertRefused(await put(malote.driver(1), pathOf(delivery), jpeg()), 409, /há mais de 72 horas/);
});

test('an image before the start, or after a cancellation, is refused', async () => {
  const accepted = await deliveryIn(malote, 'accepted');
  assertRefused(await put(operator, pathOf(accepted), jpeg()), 406, /./);
  const cancelled = await deliveryIn(malote, 'cancelled');
  assertRefused(await put(operator, pathOf(cancelled), jpeg()), 406, /./);
});

const invalidImages: [what: string, body: Buffer, type: string, status: number, words: RegExp][] = [
  [
    'a page called an image',
    Buffer.from('<script>alert(1)</script>'),
    'image/png',
    400,
    /não é uma imagem inteira/,
  ],
  ['a JPEG called a PNG', jpeg(), 'image/png', 400, /Content-Type diz/],
  [
    'SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'image/svg+xml',
    400,
    /deve ser um de: image\/jpeg/,
  ],
  ['nothing', Buffer.alloc(0), 'image/jpeg', 400, /é obrigatório/],
  ['a huge one by its header', png({ width: 90_000 }), 'image/png', 400, /no máximo 4096 pontos/],
  ['an animation', webp({ animated: true }), 'image/webp', 400, /não pode ser animada/],
  ['one that is cut off', jpeg().subarray(0, 150), 'image/jpeg', 400, /não é uma imagem inteira/],
  ['more than 300 KiB', Buffer.alloc(300 * 1024 + 1, 1), 'image/jpeg', 413, /300 KiB/],
];
test('forged, broken and huge images are refused in words, and nothing is kept', async () => {
  const delivery = await started();
  for (const [what, body, type, status, words] of invalidImages) {
    const answer = await put(malote.driver(1), pathOf(delivery), body, type);
    assert.equal(answer.status, status, `${what}: ${answer.text}`);
    assert.match(answer.body.errors[0].message, words, what);
  }
  assert.equal((await malote.driver(1).get(pathOf(delivery))).status, 404);
  assertOk(await put(malote.driver(1), pathOf(delivery), webp(), 'image/webp; charset=x'));
});

test('images that arrive at once: the same one is kept once, and of different ones one is kept whole', async () => {
  const delivery = await started();
  const driver = malote.driver(1);
  const same = await Promise.all(Array.from({ length: 8 }, () => put(driver, pathOf(delivery), jpeg())));
  assert.deepEqual(countStatuses(same), { 200: 8 });
  assert.equal(new Set(same.map(({ text }) => text)).size, 1);
  const seeds = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
  const different = await Promise.all(seeds.map((seed) => put(driver, pathOf(delivery), jpeg({ seed }))));
  assert.deepEqual(countStatuses(different), { 200: 5 });
  const { url } = assertOk(await driver.get(pathOf(delivery))).body.data;
  assert.match(
    Buffer.from(await (await read(url)).arrayBuffer()).toString('latin1'),
    /scan (a|bb|ccc|dddd|eeeee)/,
  );
});

test('an image and the conclusion at once: required, it is there or the conclusion is refused', async () => {
  await malote.configure({ proofPhoto: 'required' });
  for (let round = 0; round < 5; round += 1) {
    const delivery = await started();
    const [sent, concluded] = await Promise.all([
      put(malote.driver(1), pathOf(delivery), jpeg()),
      conclude(malote.driver(1), delivery),
    ]);
    assertOk(sent);
    if (concluded.status !== 200) assertRefused(concluded, 422, /falta a foto/);
    assert.equal((await stopOf(delivery)).comprovantes.length, 1);
  }
});

test('the same Idempotency-Key with the same image is answered from the record, with another one refused', async () => {
  const delivery = await started();
  const key = { 'idempotency-key': crypto.randomUUID() };
  const first = assertOk(
    await put(malote.driver(1), pathOf(delivery), jpeg({ seed: '1' }), 'image/jpeg', key),
  );
  malote.clock.advance({ seconds: 30 });
  const again = assertOk(
    await put(malote.driver(1), pathOf(delivery), jpeg({ seed: '1' }), 'image/jpeg', key),
  );
  assert.equal(again.text, first.text);
  assertRefused(
    await put(malote.driver(1), pathOf(delivery), jpeg({ seed: '2' }), 'image/jpeg', key),
    409,
    /já foi usada com outra/,
  );
});

test('a login that may not see a delivery finds no image: other drivers, companies and centrals', async () => {
  const delivery = await started();
  assertOk(await put(malote.driver(1), pathOf(delivery), jpeg()));
  const manager = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-chave',
    user: 'gerente',
    password: 'demo',
  });
  const manager2 = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-chave',
    user: 'gerente2',
    password: 'demo',
  });
  assertOk(await manager.get(pathOf(delivery)));
  for (const who of [malote.driver(2), manager2, neighbour])
    assertRefused(await who.get(pathOf(delivery)), 404, /entrega não encontrada/);
  for (const who of [malote.driver(2), neighbour])
    assertRefused(await put(who, pathOf(delivery), jpeg({ seed: 'mine' })), 404, /entrega não encontrada/);
  assertRefused(await put(manager, pathOf(delivery), jpeg()), 403, /permissão/);
  const other = await started();
  const crossed = `/entregas/${other.id}/paradas/${delivery.stopIds[0]}/comprovantes/foto`;
  assertRefused(await manager.get(crossed), 404, /parada não encontrada/);
  assertRefused(await put(malote.driver(1), crossed, jpeg()), 404, /parada não encontrada/);
});

test('changed, foreign, expired and unknown links are the same 404', async () => {
  const delivery = await started();
  assertOk(await put(malote.driver(1), pathOf(delivery), jpeg()));
  const { url, expira_em } = assertOk(await operator.get(pathOf(delivery))).body.data;
  assert.equal((await read(url)).status, 200);
  const [, token] = /\/comprovantes\/(.+)$/.exec(url)!;
  const [central, secret] = token!.split('.') as [string, string];
  const flipped = (at: number) =>
    `${secret.slice(0, at)}${secret[at] === 'A' ? 'B' : 'A'}${secret.slice(at + 1)}`;
  const forged = [
    ...Array.from({ length: secret.length - 1 }, (_, at) => `${central}.${flipped(at)}`),
    `2.${secret}`,
    `zz.${secret}`,
    secret,
    `${central}.${secret}A`,
    `${central}.${secret.slice(0, -4)}`,
    '1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '..%2f..%2fetc',
  ];
  const answers = new Set<string>();
  for (const text of forged) {
    const answer = await read(`${malote.url}/comprovantes/${text}`);
    assert.equal(answer.status, 404, text);
    answers.add(await answer.text());
  }
  const expires = Temporal.Instant.from(expira_em);
  malote.clock.set(expires.subtract({ seconds: 1 }).toString());
  assert.equal((await read(url)).status, 200);
  malote.clock.set(expires.toString());
  const expired = await read(url);
  assert.equal(expired.status, 404);
  answers.add(await expired.text());
  assert.deepEqual(
    [...answers].map((text) => JSON.parse(text).errors[0].message),
    ['não há comprovante neste endereço, ou o link expirou'],
  );
});

test('settings and companies speak of proof in the words of the interface', async () => {
  const changed = { comprovante_foto: 'obrigatorio', comprovante_valor: true, comprovante_no_rastreio: true };
  const { data } = assertOk(await operator.put('/configuracoes', changed)).body;
  const { comprovante_foto, comprovante_valor, comprovante_no_rastreio, comprovante_nome } = data;
  assert.deepEqual({ comprovante_foto, comprovante_valor, comprovante_no_rastreio }, changed);
  assert.equal(comprovante_nome, 'nao');
  assert.equal((await operator.put('/configuracoes', { comprovante_foto: 'required' })).status, 400);
});
