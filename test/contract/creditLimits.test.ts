import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote({ limits: true });
const balance = (id: string) =>
  malote.central.get(`/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=${id}`);
const topUp = (identificacao: string) =>
  malote.central.post('/entregas/empresas/creditos/recargas', {
    valor: 1,
    empresa: { tipo_identificacao: 'I', identificacao },
  });

test('a company’s wallet is topped up five times in 60 seconds, each company for itself', async () => {
  for (let time = 1; time <= 5; time += 1) {
    const answer = await topUp('padaria-moinhos');
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('x-ratelimit-limit'), '5');
    assert.equal(answer.headers.get('x-ratelimit-remaining'), String(5 - time));
  }
  const sixth = await topUp('padaria-moinhos');
  assert.equal(sixth.status, 429);
  assert.equal(sixth.body.errors[0].code, 0);
  assert.equal(sixth.headers.get('retry-after'), '60');
  assert.equal((await topUp('farmacia-guaiba')).status, 200);
  malote.clock.advance({ seconds: 61 });
  assert.equal((await topUp('padaria-moinhos')).status, 200);
});

test('a company’s balance is read twelve times in 60 seconds', async () => {
  for (let time = 1; time <= 12; time += 1) assert.equal((await balance('padaria-moinhos')).status, 200);
  const refused = await balance('padaria-moinhos');
  assert.equal(refused.status, 429);
  assert.ok(refused.headers.get('retry-after'));
  assert.equal((await balance('farmacia-guaiba')).status, 200);
});
