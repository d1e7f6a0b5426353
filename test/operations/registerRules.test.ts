import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order } from '../support/orders.ts';

const malote = await startMalote();
const { operator } = malote;

const company = (changes: Record<string, unknown> = {}) => ({
  nome: 'Livraria',
  cpf_cnpj: '52998224725',
  ...changes,
});
const tariff = (changes: Record<string, unknown> = {}) => ({
  nome: 'Moto no centro',
  categoria_id: 1,
  area_id: 2,
  bandeirada: '4.50',
  por_km: '1.85',
  por_minuto: '0.10',
  por_parada_extra: '2.00',
  fator_retorno: '0.75',
  minimo: '0.00',
  ...changes,
});

const duplicates: [path: string, field: string, body: Record<string, unknown>][] = [
  ['/empresas', 'cpf_cnpj', company({ cpf_cnpj: '11.222.333/0001-81' })],
  ['/empresas', 'telefone', company({ telefone: '(51) 3333-1234' })],
  ['/empresas', 'numero_contrato', company({ numero_contrato: 'C-1001' })],
  ['/empresas', 'identificador', company({ identificador: 'padaria-moinhos' })],
  ['/categorias', 'nome', { nome: 'MOTO', perfil: 'moto' }],
  ['/tarifas', 'categoria_id, area_id', tariff({ area_id: null })],
  ['/usuarios', 'usuario', { usuario: 'gerente', senha: 'oito letras', perfil: 'integrador' }],
  ['/cupons', 'codigo', { codigo: 'demo10', percentual: '5' }],
  [
    '/areas-atuacao',
    'nome',
    {
      nome: 'porto alegre',
      geometria: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    },
  ],
];
for (const [path, field, body] of duplicates)
  test(`${path}: a second entry with the same ${field} is refused, and the field named`, async () => {
    const answer = await operator.post(path, body);
    assertFailure(answer, 409, 0);
    assert.equal(answer.body.errors[0].message, `já existe um registro com este valor: ${field}`);
  });

test('replacing an entry by another one’s value is refused as well', async () => {
  const { body } = await operator.get('/empresas/2');
  const { id, ...fields } = body.data;
  const answer = await operator.put(`/empresas/${id}`, { ...fields, cpf_cnpj: '11222333000181' });
  assertFailure(answer, 409, 0);
  assert.deepEqual((await operator.get('/empresas/2')).body, body);
});

const inUse = ['/empresas/1', '/categorias/1', '/areas-atuacao/1', '/condutores/1'];
for (const path of inUse)
  test(`${path} cannot be deleted while something depends on it`, async () => {
    await malote.manager.post('/entregas', order());
    assertFailure(await operator.delete(path), 409, 0);
    assert.equal((await operator.get(path)).status, 200);
  });

test('a tariff and a coupon that priced a delivery stay', async () => {
  const created = await malote.manager.post('/entregas', order({ codigo_cupom: 'demo10' }));
  assert.equal(created.status, 200, created.text);
  for (const path of ['/tarifas/1', '/cupons/1']) {
    const answer = await operator.delete(path);
    assertFailure(answer, 409, 0);
    assert.equal(answer.body.errors[0].message, 'o registro está em uso e não pode ser excluído');
  }
});

test('a reason that a cancellation named stays', async () => {
  const { body } = await operator.post('/motivos-cancelamento', { nome: 'Trânsito' });
  const created = await malote.manager.post('/entregas', order());
  await malote.manager.post(`/entregas/${created.body.data.id_mch}/cancelar`, {
    motivo_id: Number(body.data.id),
  });
  assertFailure(await operator.delete(`/motivos-cancelamento/${body.data.id}`), 409, 0);
});

test('a user who topped up a wallet stays, for the ledger names it', async () => {
  await malote.configure({ managerTopUp: true });
  await malote.manager2.post('/entregas/empresas/creditos/recargas', {
    valor: 1,
    empresa: { tipo_identificacao: 'I', identificacao: 'farmacia-guaiba' },
  });
  const users = (await operator.get('/usuarios?limite=100')).body.data;
  const { id } = users.find(({ usuario }: { usuario: string }) => usuario === 'gerente2');
  assertFailure(await operator.delete(`/usuarios/${id}`), 409, 0);
});

const unknown: [path: string, body: Record<string, unknown>, message: string][] = [
  ['/empresas', company({ categoria_padrao_id: 99 }), 'categoria não encontrada'],
  ['/empresas', company({ categoria_padrao_id: 10_000_001 }), 'categoria não encontrada'],
  ['/tarifas', tariff({ categoria_id: 99 }), 'categoria não encontrada'],
  ['/tarifas', tariff({ area_id: 99 }), 'área de atuação não encontrada'],
  ['/condutores', { nome: 'Rita', telefone: '51977776666', categorias: [1, 99] }, 'categoria não encontrada'],
  [
    '/usuarios',
    { usuario: 'a', senha: 'oito letras', perfil: 'gerente', empresa_id: 99 },
    'empresa não encontrada',
  ],
  [
    '/usuarios',
    { usuario: 'a', senha: 'oito letras', perfil: 'gerente', empresa_id: 10_000_001 },
    'empresa não encontrada',
  ],
  [
    '/usuarios',
    { usuario: 'a', senha: 'oito letras', perfil: 'condutor', condutor_id: 99 },
    'entregador não encontrado',
  ],
];
for (const [path, body, message] of unknown)
  test(`${path} ${JSON.stringify(body)}: ${message}`, async () => {
    const answer = await operator.post(path, body);
    assertFailure(answer, 404, 0);
    assert.equal(answer.body.errors[0].message, message);
    assert.equal((await operator.get('/condutores?limite=100')).body.data.length, 6);
  });

const mistakes: [path: string, body: Record<string, unknown>, fields: string[]][] = [
  [
    '/empresas',
    { cpf_cnpj: '52998224724', telefone: '123', ativa: 'sim' },
    ['ativa', 'cpf_cnpj', 'nome', 'telefone'],
  ],
  ['/categorias', { nome: ' ', perfil: 'avião' }, ['nome', 'perfil']],
  ['/motivos-cancelamento', { nome: '' }, ['nome']],
  [
    '/tarifas',
    tariff({
      bandeirada: '1.234',
      por_km: 1.85,
      por_minuto: '-1',
      fator_retorno: '100',
      minimo: '1000000',
      janelas: [
        { dias: [], inicio: '9:00', fim: '24:00', fator: 'x' },
        { dias: [0, 8], inicio: '09:00', fim: '10:00', fator: '-1' },
        { dias: [1, 1], inicio: '09:00', fim: '10:00', fator: '1' },
      ],
    }),
    [
      'bandeirada',
      'fator_retorno',
      'janelas[0].dias',
      'janelas[0].fator',
      'janelas[0].fim',
      'janelas[0].inicio',
      'janelas[1].dias[0]',
      'janelas[1].dias[1]',
      'janelas[1].fator',
      'janelas[2].dias',
      'minimo',
      'por_km',
      'por_minuto',
    ],
  ],
  ['/condutores', { nome: 'Rita', telefone: '51', categorias: [1, 1] }, ['categorias', 'telefone']],
  ['/usuarios', { usuario: 'a:b', senha: 'curta', perfil: 'gerente' }, ['empresa_id', 'senha', 'usuario']],
  [
    '/usuarios',
    { usuario: 'a b', senha: 'oito letras', perfil: 'condutor', empresa_id: 1 },
    ['condutor_id', 'empresa_id', 'usuario'],
  ],
  ['/usuarios', { usuario: 'ab', perfil: 'operador', condutor_id: 1 }, ['condutor_id', 'senha']],
  [
    '/cupons',
    { codigo: '  ', percentual: '0', valido_ate: '2026-13-01T00:00:00Z' },
    ['codigo', 'percentual', 'valido_ate'],
  ],
  ['/cupons', { codigo: 'A', percentual: '100.01', valido_ate: '2026-12-01' }, ['percentual', 'valido_ate']],
  ['/chaves', {}, ['descricao']],
];
for (const [path, body, fields] of mistakes)
  test(`${path}: all of ${fields.join(', ')} are named in one answer`, async () => {
    assert.deepEqual(complainedFields(await operator.post(path, body)), fields);
  });

test('a new company can order, has an empty wallet, and leaves no trace when deleted', async () => {
  const { body } = await operator.post(
    '/empresas',
    company({ categoria_padrao_id: 1, identificador: 'livraria' }),
  );
  const { id } = body.data;
  const estimated = await malote.central.post(`/entregas/empresas/${id}/estimativas`, estimate());
  assert.equal(estimated.status, 200, estimated.text);
  const balance = await malote.central.get(
    '/entregas/empresas/creditos/saldo?tipo_identificacao=F&identificacao=529.982.247-25',
  );
  assert.equal(balance.body.data.saldo, 0);
  const rows = () => malote.db`
    select company_id from customers where central_id = 1 and company_id = ${id}
    union all select company_id from wallets where central_id = 1 and company_id = ${id}`;
  assert.equal((await rows()).length, 2);
  assert.equal((await operator.delete(`/empresas/${id}`)).status, 200);
  assert.equal((await rows()).length, 0);
});

test('a company with an entry in its ledger, or a login, or a delivery, cannot be deleted', async () => {
  for (const depend of [
    (id: number) =>
      malote.central.post('/entregas/empresas/creditos/recargas', {
        valor: 1,
        empresa: { tipo_identificacao: 'I', identificacao: `empresa-${id}` },
      }),
    (id: number) =>
      operator.post('/usuarios', {
        usuario: `g${id}`,
        senha: 'oito letras',
        perfil: 'gerente',
        empresa_id: id,
      }),
    (id: number) => malote.central.post('/entregas', order({ empresa_id: Number(id), categoria_id: 1 })),
  ]) {
    const { body } = await operator.post('/empresas', company({ cpf_cnpj: newCpf() }));
    const { id, ...fields } = body.data;
    await operator.put(`/empresas/${id}`, { ...fields, identificador: `empresa-${id}` });
    const depending = await depend(id);
    assert.equal(depending.status, 200, depending.text);
    assertFailure(await operator.delete(`/empresas/${id}`), 409, 0);
  }
});

let people = 0;
/** A CPF that no other record in these tests has. */
function newCpf(): string {
  people += 1;
  const digits = Array.from(String(100_000_000 + people), Number);
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  }
  return digits.join('');
}

test('a company’s new name is the customer’s name of its deliveries', async () => {
  const created = await malote.manager2.post('/entregas', order());
  const { id, ...fields } = (await operator.get('/empresas/2')).body.data;
  await operator.put(`/empresas/${id}`, { ...fields, nome: 'Farmácia do Povo' });
  const delivery = await malote.manager2.get(`/entregas/${created.body.data.id_mch}`);
  assert.equal(delivery.body.data.nome_cliente, 'Farmácia do Povo');
});

test('an inactive company, category or coupon is out of use, and comes back', async () => {
  const uses: [path: string, flag: string, use: () => Promise<{ status: number }>, refused: number][] = [
    ['/empresas/1', 'ativa', () => malote.manager.post('/entregas', order()), 422],
    ['/categorias/3', 'ativa', () => malote.manager.post('/entregas', order({ categoria_id: 3 })), 404],
    ['/cupons/1', 'ativo', () => malote.manager.post('/entregas', order({ codigo_cupom: 'DEMO10' })), 422],
  ];
  for (const [path, flag, use, refused] of uses) {
    const { id: _id, ...fields } = (await operator.get(path)).body.data;
    await operator.put(path, { ...fields, [flag]: false });
    assert.equal((await use()).status, refused, path);
    const { [flag]: _flag, ...unsaid } = fields;
    await operator.put(path, unsaid);
    assert.equal((await use()).status, refused, `${path} stays inactive when nothing is said about it`);
    await operator.put(path, fields);
    assert.equal((await use()).status, 200, path);
  }
});

test('a driver who is made inactive is no longer available', async () => {
  const { id, disponivel, simulado: _simulated, ...fields } = (await operator.get('/condutores/2')).body.data;
  assert.equal(disponivel, true);
  const { body } = await operator.put(`/condutores/${id}`, { ...fields, ativo: false });
  assert.equal(body.data.disponivel, false);
  const back = await operator.put(`/condutores/${id}`, { ...fields, ativo: true });
  assert.equal(back.body.data.disponivel, false);
});

test('the writer’s next request is priced with the tariff just written', async () => {
  const body = tariff({ bandeirada: '50.00', por_km: '0', por_minuto: '0', minimo: '0' });
  const created = await operator.post('/tarifas', body);
  assert.equal(created.status, 200, created.text);
  const price = async () =>
    (await malote.central.post('/entregas/empresas/1/estimativas', estimate())).body.data.estimativa_valor;
  assert.equal(await price(), 50);
  await operator.put(`/tarifas/${created.body.data.id}`, { ...body, bandeirada: '61.23' });
  assert.equal(await price(), 61.23);
  await operator.delete(`/tarifas/${created.body.data.id}`);
  assert.notEqual(await price(), 61.23);
});
