import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { assertRefused, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const driverOnIntegration = client(`${malote.url}/api/v2/integracao`, {
  key: 'demo-chave',
  user: 'condutor1',
  password: 'demo',
});
const managerOnOperation = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
const delivery = await openDelivery(malote);

const steps = ['aceitar', 'recusar', 'chegar', 'iniciar', 'finalizar', 'desistir', 'liberar', 'atribuir'];
const paths = [
  ...steps.map((step) => `/entregas/${delivery.id}/${step}`),
  `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`,
  '/condutores/1/posicao',
  '/condutores/1/disponibilidade',
];

for (const path of paths)
  test(`a company's manager may not call ${path.replace(/\d+/g, '{id}')}`, async () => {
    assertRefused(await managerOnOperation.post(path, {}), 403, /não tem permissão/);
  });

for (const step of ['liberar', 'atribuir'])
  test(`a driver may not call ${step}`, async () => {
    const answer = await malote.driver(1).post(`/entregas/${delivery.id}/${step}`, { condutor_id: 1 });
    assertRefused(answer, 403, /não tem permissão/);
  });

for (const [method, path] of [
  ['get', ''],
  ['get', '/status'],
  ['get', '/recibo'],
  ['get', '/links-rastreio'],
  ['get', '/condutor/posicao'],
  ['post', '/cancelar'],
] as const)
  test(`a driver's login is refused on the integration interface: ${method} {id}${path}`, async () => {
    const answer = await driverOnIntegration[method](`/entregas/${delivery.id}${path}`);
    assertRefused(answer, 403, /não tem permissão/);
  });

test('without credentials every path of the operation answers 401 in the envelope', async () => {
  for (const path of paths) {
    const anonymous = await malote.operator.send(path, {
      method: 'POST',
      headers: { authorization: undefined },
    });
    assertRefused(anonymous, 401, /usuário e\/ou senha inválidos/);
    const keyless = await malote.operator.send(path, { method: 'POST', headers: { 'api-key': undefined } });
    assertRefused(keyless, 401, /bandeira/);
  }
});

test('a wrong method is 405 and says what is allowed', async () => {
  const answer = await malote.operator.get(`/entregas/${delivery.id}/aceitar`);
  assertRefused(answer, 405, /método não permitido/);
  assert.equal(answer.headers.get('allow'), 'POST');
});
