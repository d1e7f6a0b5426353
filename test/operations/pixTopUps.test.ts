import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
const { operator, clock } = malote;
const loginOf = (user: string) =>
  client(`${malote.url}/api/v2/operacao`, { key: 'demo-chave', user, password: 'demo' });
const [manager, manager2] = [loginOf('gerente'), loginOf('gerente2')];
const PIX = '/empresas/1/pix';
const balance = async (): Promise<number> =>
  Number(assertOk(await operator.get('/empresas/1/extrato')).body.data.saldo);

test('without a Pix key there is no code, and nothing to list', async () => {
  assertRefused(await operator.post(PIX, { valor: '150.00' }), 422, /ainda não informou a sua chave Pix/);
  assert.deepEqual(assertOk(await operator.get(PIX)).body.data, []);
});

test('a code has the amount and an identifier of its own, for the central and the own manager', async (t) => {
  await malote.configureFor(t, { pixKey: 'pix@central.com.br', pixCity: 'Porto Alegre' });
  const codes = [];
  for (const login of [operator, manager]) {
    const { codigo, identificador, valor } = assertOk(await login.post(PIX, { valor: '150.00' })).body.data;
    assert.equal(valor, '150.00');
    assert.match(
      codigo,
      /^00020126400014br\.gov\.bcb\.pix0118pix@central\.com\.br5204000053039865406150\.00/,
    );
    assert.match(identificador, /^CR1X[A-Z2-9]{8}$/);
    assert.ok(codigo.includes(`05${identificador.length}${identificador}6304`));
    codes.push(identificador);
  }
  assert.notEqual(codes[0], codes[1]);
  const awaited = assertOk(await manager.get(PIX)).body.data;
  assert.deepEqual(
    new Set(awaited.map(({ identificador }: { identificador: string }) => identificador)),
    new Set(codes),
  );
  assertRefused(await manager2.post(PIX, { valor: '150.00' }), 404, /empresa/);
  assertRefused(await manager2.get(PIX), 404, /empresa/);
  assertRefused(await operator.post('/empresas/9999/pix', { valor: '1.00' }), 404, /empresa/);
  assertRefused(await operator.post(PIX, { valor: '0.00' }), 422, /de 0,01 a 1\.000\.000,00/);
});

test('a code is credited once, however many do it at once, and then leaves the list', async (t) => {
  await malote.configureFor(t, { pixKey: 'pix@central.com.br', pixCity: 'Porto Alegre' });
  const { identificador } = assertOk(await manager.post(PIX, { valor: '80.00' })).body.data;
  const before = await balance();
  const credit = () => operator.post(`${PIX}/creditar`, { identificador });
  const answers = await Promise.all([credit(), credit(), credit()]);
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 2 });
  assertRefused(await credit(), 409, /já foram adicionados/);
  assert.equal(await balance(), before + 80);
  const { lancamentos } = assertOk(await operator.get('/empresas/1/extrato')).body.data;
  assert.equal(lancamentos[0].observacao, `Pix ${identificador}`);
  const awaited = assertOk(await operator.get(PIX)).body.data;
  assert.ok(!awaited.some((each: { identificador: string }) => each.identificador === identificador));
});

test('what arrived may be another amount; another company and a manager cannot credit it', async (t) => {
  await malote.configureFor(t, { pixKey: 'pix@central.com.br', pixCity: 'Porto Alegre' });
  const { identificador } = assertOk(await manager.post(PIX, { valor: '80.00' })).body.data;
  const body = { identificador, valor: '79.50', observacao: 'com tarifa' };
  assertRefused(await manager.post(`${PIX}/creditar`, body), 403, /permiss|permite/);
  assertRefused(await operator.post('/empresas/2/pix/creditar', body), 404, /não há um código Pix/);
  assertRefused(
    await operator.post(`${PIX}/creditar`, { ...body, identificador: 'CR1XNADA' }),
    404,
    /não há um código Pix/,
  );
  const before = await balance();
  assertOk(await operator.post(`${PIX}/creditar`, body));
  assert.equal(await balance(), before + 79.5);
});

test('a code that nobody pays is forgotten when the company asks for another a month later', async (t) => {
  await malote.configureFor(t, { pixKey: 'pix@central.com.br', pixCity: 'Porto Alegre' });
  const { identificador } = assertOk(await manager.post(PIX, { valor: '10.00' })).body.data;
  clock.advance({ hours: 24 * 31 });
  assertOk(await manager.post(PIX, { valor: '10.00' }));
  assertRefused(await operator.post(`${PIX}/creditar`, { identificador }), 404, /não há um código Pix/);
});

test('a Pix key that no bank knows is refused, and one that was stored before hinders nothing', async (t) => {
  const answer = await operator.put('/configuracoes', { pix_chave: 'minha chave' });
  assert.equal(answer.status, 400, answer.text);
  assert.match(answer.body.errors[0].message, /'pix_chave': deve ser um CPF ou CNPJ válido/);
  assertOk(await operator.put('/configuracoes', { pix_chave: '' }));
  await malote.configureFor(t, { pixKey: 'minha chave' });
  const read = assertOk(await operator.get('/configuracoes')).body.data;
  assert.equal(read.pix_chave, 'minha chave');
  const changed = assertOk(await operator.put('/configuracoes', { pix_cidade: 'Canoas' })).body.data;
  assert.deepEqual([changed.pix_chave, changed.pix_cidade], ['minha chave', 'Canoas']);
});

test('of one company at most 200 codes await payment, and those that are forgotten make room', async (t) => {
  await malote.configureFor(t, { pixKey: 'pix@central.com.br', pixCity: 'Porto Alegre' });
  await malote.db`
    insert into pix_top_ups (central_id, identifier, company_id, amount_cents, requested_at)
    select 1, 'CHEIO' || n, 2, 100, ${clock.now()}::timestamptz from generate_series(1, 199) n`;
  assertOk(await manager2.post('/empresas/2/pix', { valor: '1.00' }));
  assertRefused(await manager2.post('/empresas/2/pix', { valor: '1.00' }), 409, /há 200 códigos Pix/);
  const listed = assertOk(await operator.get('/empresas/2/pix')).body.data;
  assert.equal(listed.length, 200, 'each of them can be found and credited');
  assertOk(await manager.post(PIX, { valor: '1.00' }));
  clock.advance({ hours: 31 * 24 });
  assertOk(await manager2.post('/empresas/2/pix', { valor: '1.00' }));
});
