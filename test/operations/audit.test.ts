import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belongings } from '../support/belongings.ts';
import { client, type Json } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { everyEndpoint, type PlacedEndpoint, pathWith } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote({ allowPrivateWebhooks: true });
const { operator, central } = malote;
const made = belongings(malote);
await malote.configure({ pixKey: 'demo@example.com' });
const isOperation = ({ base }: PlacedEndpoint) => base.endsWith('/operacao');

const changes = async (query = ''): Promise<Json[]> =>
  assertOk(await operator.get(`/auditoria?limite=200${query}`)).body.data.alteracoes;

const EVENTS = 'a delivery’s history tells who did it';
const ADDRESSES = 'addresses of orders: personal data, kept with the orders';
const PHONES = 'the list of a driver’s phones tells it';
const SENT = 'the log of messages tells it';

/** Writes that record nothing in the log, with the reason. Every other write records exactly one change. */
const exceptions: [pattern: RegExp, why: string][] = [
  [/^\/entregas(?!\/empresas\/creditos)/, EVENTS],
  [/^\/programadas/, EVENTS],
  [/^\/empresas\/:id\/enderecos/, ADDRESSES],
  [/^\/condutores\/(:id\/posicao|posicoes|:id\/disponibilidade|:id\/ajuda)$/, 'the day’s work of drivers'],
  [/^\/condutores\/:id\/aparelhos\/push/, PHONES],
  [/^\/empresas\/:id\/pix$/, 'a code that nobody has paid changes no balance'],
  [/^\/planos/, 'a plan is forgotten after a day; what is applied of it is in the histories of deliveries'],
  [/^\/visoes/, 'how a user looks at lists; the views are the user’s own'],
  [/^\/webhooks\/(envios\/:id|:id)\/reenviar$/, SENT],
  [/^\/webhooks\/:id\/teste$/, SENT],
  [/^\/eventos\/teste$/, 'only the caller’s own open connections get it, and nothing changes'],
];
const isException = ({ endpoint }: PlacedEndpoint) =>
  exceptions.some(([pattern]) => pattern.test(endpoint.path));

const writes = everyEndpoint.filter(({ endpoint }) => endpoint.method !== 'GET' && !endpoint.readOnly);
const audited = writes.filter((placed) => !isException(placed));

test('every exception is needed', () => {
  for (const [pattern, why] of exceptions)
    assert.ok(
      writes.some(({ endpoint }) => pattern.test(endpoint.path)),
      why,
    );
});

let serial = 0;
/** A valid body from the example: a new value in each unique field, and at least one changed field. */
async function bodyFor({ endpoint }: PlacedEndpoint): Promise<Json> {
  serial += 1;
  const example = structuredClone((endpoint.bodyExample ?? {}) as Record<string, Json>);
  const named = `novo-${serial}`;
  if (endpoint.path.startsWith('/areas-atuacao/importar')) return example;
  if (endpoint.path.startsWith('/webhooks'))
    return { url: `https://example.com/${named}`, tipos: example.tipos };
  if (endpoint.path.includes('/creditos/'))
    return {
      valor: 1,
      observacao: 'Senhora Secreta',
      empresa: { tipo_identificacao: 'C', identificacao: 'C-1001' },
    };
  if (endpoint.path.endsWith('/lancamentos'))
    return { tipo: 'ajuste', valor: '1.00', motivo: 'Senhora Secreta' };
  if (endpoint.path.endsWith('/fechamentos')) return { ate: '2030-12-31' };
  if (endpoint.path === '/empresas/:id/pix/creditar') {
    const code = assertOk(await operator.post('/empresas/1/pix', { valor: '1.00' }));
    return { identificador: code.body.data.identificador, observacao: 'Senhora Secreta' };
  }
  if (endpoint.path === '/configuracoes') return { texto_ajuda: named };
  if (endpoint.path.startsWith('/usuarios'))
    return { ...example, usuario: named, senha: 'senha-muito-secreta' };
  if (endpoint.path.startsWith('/chaves')) return { descricao: named };
  if (endpoint.path === '/programas') return { ...example, descricao: named };
  if (endpoint.path.startsWith('/cupons')) return { ...example, codigo: named };
  if (endpoint.path.startsWith('/empresas'))
    return {
      ...example,
      nome: named,
      ...(endpoint.method === 'POST' && { cpf_cnpj: '529.982.247-25' }),
      telefone: `519${String(90_000_000 + serial)}`,
      numero_contrato: named,
      identificador: named,
    };
  if (endpoint.path.startsWith('/tarifas')) {
    const category = assertOk(await operator.post('/categorias', { nome: named, perfil: 'moto' }));
    return { ...example, nome: named, categoria_id: category.body.data.id, area_id: null };
  }
  return { ...example, nome: named };
}

/** The path's ids, of a record that the endpoint can change. */
async function idsFor({ endpoint }: PlacedEndpoint): Promise<Record<string, number>> {
  if (!endpoint.path.includes(':')) return {};
  if (endpoint.path === '/empresas/:id/fechamentos') {
    const delivery = await openDelivery(malote);
    const at = `/entregas/${delivery.id}`;
    assertOk(await operator.post(`${at}/aceitar`, { condutor_id: await newDriver(malote) }));
    assertOk(await operator.post(`${at}/iniciar`));
    for (const stopId of delivery.stopIds) assertOk(await operator.post(`${at}/paradas/${stopId}/concluir`));
    return { id: 1 };
  }
  const ids = await made.idsFor(endpoint.path.replace('/:id/fechamentos', '/:id'));
  if (endpoint.path === '/condutores/:id/fechamentos') {
    const entry = { tipo: 'ajuste', valor: '2.00', motivo: 'antes' };
    assertOk(await operator.post(`/condutores/${ids.id}/lancamentos`, entry));
  }
  if (endpoint.path.endsWith('/turnos'))
    assertOk(await operator.put(`/condutores/${ids.id}/turnos`, { semana: [] }));
  return ids;
}

for (const placed of audited)
  test(`${placed.name} leaves exactly one change, and no secret`, async () => {
    const { endpoint } = placed;
    const ids = await idsFor(placed);
    const body = await bodyFor(placed);
    const before = await changes();
    const login = isOperation(placed)
      ? operator
      : endpoint.path.startsWith('/sandbox')
        ? malote.sandbox
        : endpoint.path.startsWith('/webhooks')
          ? malote.manager
          : central;
    const path = pathWith(endpoint.path, (name) => ids[name]!);
    const answer = await login.send(path, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json' },
      ...(endpoint.method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
    });
    assert.equal(answer.status, 200, answer.text);
    const after = await changes();
    const added = after.filter(({ id }: Json) => !before.some((each: Json) => each.id === id));
    assert.equal(added.length, 1, JSON.stringify(added));
    const [change] = added;
    assert.equal(change.origem, isOperation(placed) ? 'operacao' : 'integracao');
    assert.equal(change.autor, login === malote.manager ? 'gerente' : 'central');
    assert.doesNotMatch(JSON.stringify(change), /senha-muito-secreta|argon|whsec_|mal_|Secreta/);
    const shown = JSON.stringify(answer.body.data ?? {});
    for (const [, secret] of shown.matchAll(/"(?:chave|segredo|token)":"([^"]+)"/g))
      assert.ok(!JSON.stringify(change).includes(secret!));
  });

test('a change is recorded with the changed fields only, before and after', async () => {
  assertOk(
    await operator.put('/configuracoes', { texto_ajuda: 'Ligue 1', permite_gerente_recarregar: true }),
  );
  assertOk(
    await operator.put('/configuracoes', { texto_ajuda: 'Ligue 2', permite_gerente_recarregar: true }),
  );
  const [latest, first] = await changes('&tipo=configuracoes');
  assert.deepEqual(latest.antes, { texto_ajuda: 'Ligue 1' });
  assert.deepEqual(latest.depois, { texto_ajuda: 'Ligue 2' });
  assert.equal(first.depois.permite_gerente_recarregar, true);
  const count = (await changes('&tipo=configuracoes')).length;
  assertOk(await operator.put('/configuracoes', { texto_ajuda: 'Ligue 2' }));
  assert.equal((await changes('&tipo=configuracoes')).length, count, 'nothing changed, nothing is told');
});

test('a new password is recorded without its value', async () => {
  const fields = { usuario: 'trocada', perfil: 'consulta' };
  const { id } = assertOk(await operator.post('/usuarios', { ...fields, senha: 'a primeira senha' })).body
    .data;
  assertOk(await operator.put(`/usuarios/${id}`, { ...fields, senha: 'a segunda senha' }));
  const [latest] = await changes(`&tipo=usuario&registro_id=${id}`);
  assert.deepEqual([latest.antes, latest.depois], [{}, { senha: 'alterada' }]);
});

test('a refused change leaves nothing', async () => {
  const before = (await changes()).length;
  assertRefused(await operator.delete('/chaves/987654321'), 404, /./);
  assertRefused(await operator.put('/usuarios/987654321', { usuario: 'x', perfil: 'consulta' }), 404, /./);
  const withdrawal = { valor: 999_999, empresa: { tipo_identificacao: 'C', identificacao: 'C-1001' } };
  assertRefused(await central.post('/entregas/empresas/creditos/saques', withdrawal), 422, /saldo/);
  assert.equal((await changes()).length, before);
});

test('a repeated request is told once', async () => {
  const topUp = { valor: 2, empresa: { tipo_identificacao: 'C', identificacao: 'C-1001' } };
  const headers = { 'idempotency-key': 'told-once' };
  const before = (await changes('&tipo=carteira')).length;
  for (let time = 0; time < 2; time += 1)
    assertOk(await central.post('/entregas/empresas/creditos/recargas', topUp, headers));
  const [latest, ...rest] = await changes('&tipo=carteira');
  assert.equal(rest.length + 1, before + 1);
  assert.equal(Number(latest.depois.saldo) - Number(latest.antes.saldo), 2);
});

test('of concurrent changes each records the values that the previous one left', async () => {
  const { id } = assertOk(await operator.post('/categorias', { nome: 'Zero', perfil: 'moto' })).body.data;
  const names = ['Um', 'Dois', 'Três', 'Quatro', 'Cinco'];
  await Promise.all(names.map((nome) => operator.put(`/categorias/${id}`, { nome, perfil: 'moto' })));
  const chain = (await changes(`&tipo=categoria&registro_id=${id}`)).filter(
    ({ acao }: Json) => acao === 'alterado',
  );
  assert.equal(chain.length, names.length);
  const next = new Map(chain.map(({ antes, depois }: Json) => [antes.nome, depois.nome]));
  const followed: string[] = [];
  for (let name = next.get('Zero'); name !== undefined; name = next.get(name)) followed.push(name);
  assert.deepEqual(new Set(followed), new Set(names), 'each change begins where another ended');
});

test('the log is searched by text, author, kind and period, and paged', async () => {
  assertOk(await operator.post('/categorias', { nome: 'Triciclo Elétrico', perfil: 'moto' }));
  const found = await changes('&texto=triciclo%20eletrico');
  assert.equal(found.length, 1);
  assert.equal(found[0].nome, 'Triciclo Elétrico');
  assert.deepEqual(await changes('&texto=triciclo%20eletrico&tipo=tarifa'), []);
  assert.deepEqual(await changes('&texto=triciclo%20eletrico&autor=gerente'), []);
  assert.equal(
    (await changes('&texto=triciclo%20eletrico&autor=central&de=2026-11-16&ate=2026-11-16')).length,
    1,
  );
  assert.deepEqual(await changes('&texto=triciclo%20eletrico&ate=2026-11-15'), []);
  assert.equal((await operator.get('/auditoria?de=2026-11-16&ate=2026-11-15')).status, 400);
  const all = await changes();
  const paged: Json[] = [];
  for (let cursor = ''; ; ) {
    const { data } = assertOk(await operator.get(`/auditoria?limite=7${cursor}`)).body;
    paged.push(...data.alteracoes);
    if (data.proximo === null) break;
    cursor = `&cursor=${data.proximo}`;
  }
  assert.deepEqual(
    paged.map(({ id }) => id),
    all.map(({ id }) => id),
  );
  assertFailure(await operator.get('/auditoria?cursor=x'), 400, 2);
});

test('another central sees none of it', async () => {
  const neighbour = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-vizinha',
    user: 'vizinha',
    password: 'demo',
  });
  assert.deepEqual(assertOk(await neighbour.get('/auditoria')).body.data, { alteracoes: [], proximo: null });
});

test('only those who may read the log do', async () => {
  assertRefused(await malote.driver(1).get('/auditoria'), 403, /permissão/);
});
