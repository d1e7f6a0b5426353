import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, client } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const { operator } = malote;
const neighbourOperator = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-vizinha',
  user: 'vizinha',
  password: 'demo',
});

const square = (west: number, south: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + 1, south],
      [west + 1, south + 1],
      [west, south + 1],
      [west, south],
    ],
  ],
});

interface Register {
  path: string;
  created: Record<string, unknown>;
  changed: Record<string, unknown>;
  /** The answered fields that differ from the sent ones. */
  shown?: Record<string, unknown>;
  notFound: string;
  /** The required fields of a body, sorted. */
  required: string[];
  /** The fields that only a creation requires. */
  requiredOnce?: string[];
}

const tariff = {
  nome: 'Moto no centro',
  categoria_id: 1,
  area_id: 2,
  bandeirada: '4.50',
  por_km: '1.8755',
  por_minuto: '0.10',
  por_parada_extra: '2.00',
  fator_retorno: '0.75',
  minimo: '0.00',
  repasse: { tipo: 'tabela', percentual: null, fixo: '5.00', por_km: '1.125', por_parada: '0.80' },
  janelas: [{ dias: [1, 7], inicio: '22:00', fim: '06:00', fator: '1.3' }],
};

const registers: Register[] = [
  {
    path: '/empresas',
    created: { nome: 'Livraria', cpf_cnpj: '529.982.247-25', telefone: '(51) 98888-7777' },
    changed: {
      nome: 'Livraria Nova',
      cpf_cnpj: '52998224725',
      telefone: null,
      numero_contrato: 'C-9',
      identificador: 'livraria',
      categoria_padrao_id: 2,
      exige_liberacao: true,
      ativa: false,
    },
    shown: {
      nome: 'Livraria',
      cpf_cnpj: '52998224725',
      telefone: '51988887777',
      numero_contrato: null,
      identificador: null,
      categoria_padrao_id: null,
      exige_liberacao: false,
      falha: null,
      texto_ajuda: null,
      comprovante_foto: null,
      comprovante_assinatura: null,
      comprovante_nome: null,
      comprovante_valor: null,
      ativa: true,
    },
    notFound: 'empresa não encontrada',
    required: ['cpf_cnpj', 'nome'],
  },
  {
    path: '/categorias',
    created: { nome: 'Van', perfil: 'carro' },
    changed: { nome: 'Van grande', descricao: 'até 800 kg', perfil: 'carro', ativa: false },
    shown: { nome: 'Van', descricao: '', perfil: 'carro', ativa: true },
    notFound: 'categoria não encontrada',
    required: ['nome', 'perfil'],
  },
  {
    path: '/tarifas',
    created: tariff,
    changed: { ...tariff, categoria_id: 2, nome: 'Carro no centro', por_km: '2.00', janelas: [] },
    notFound: 'registro não encontrado',
    required: [
      'bandeirada',
      'categoria_id',
      'fator_retorno',
      'minimo',
      'nome',
      'por_km',
      'por_minuto',
      'por_parada_extra',
    ],
  },
  {
    path: '/areas-atuacao',
    created: { nome: 'Canoas', padrao: false, geometria: square(-53, -29) },
    changed: { nome: 'Canoas Norte', padrao: false, geometria: square(-53, -28) },
    notFound: 'área de atuação não encontrada',
    required: ['geometria', 'nome'],
  },
  {
    path: '/condutores',
    created: { nome: 'Rita', telefone: '51 97777-6666', placa: 'abc1d23', categorias: [2, 1] },
    changed: {
      nome: 'Rita Lee',
      telefone: '51977776666',
      veiculo: 'Honda',
      placa: 'ABC1D23',
      cor: 'azul',
      categorias: [3],
      empresas: [2],
      ativo: false,
    },
    shown: {
      nome: 'Rita',
      telefone: '51977776666',
      veiculo: '',
      placa: 'ABC1D23',
      cor: null,
      categorias: [1, 2],
      empresas: [],
      disponivel: false,
      ativo: true,
      simulado: false,
    },
    notFound: 'entregador não encontrado',
    required: ['categorias', 'nome', 'telefone'],
  },
  {
    path: '/usuarios',
    created: { usuario: 'maria', senha: 'uma senha boa', perfil: 'integrador' },
    changed: { usuario: 'maria.silva', perfil: 'gerente', empresa_id: 2, condutor_id: null, ativo: false },
    shown: { usuario: 'maria', perfil: 'integrador', empresa_id: null, condutor_id: null, ativo: true },
    notFound: 'registro não encontrado',
    required: ['perfil', 'usuario'],
    requiredOnce: ['senha'],
  },
  {
    path: '/cupons',
    created: { codigo: 'NATAL', percentual: '12.5', valido_ate: '2026-12-26T00:00:00-03:00' },
    changed: {
      codigo: 'NATAL26',
      percentual: '100.00',
      gerador_cupom_id: '7',
      valido_ate: null,
      limite_usos: 9,
      limite_usos_por_empresa: 2,
      empresas: [1],
      ativo: false,
    },
    shown: {
      codigo: 'NATAL',
      percentual: '12.50',
      gerador_cupom_id: '',
      valido_ate: '2026-12-26T03:00:00Z',
      limite_usos: null,
      limite_usos_por_empresa: null,
      empresas: [],
      usos: 0,
      ativo: true,
    },
    notFound: 'registro não encontrado',
    required: ['codigo', 'percentual'],
  },
  {
    path: '/motivos-cancelamento',
    created: { nome: 'Chuva forte' },
    changed: { nome: 'Chuva', nome_en: 'Rain', ativo: false },
    shown: { nome: 'Chuva forte', nome_en: 'Chuva forte', ativo: true },
    notFound: 'motivo de cancelamento não encontrado',
    required: ['nome'],
  },
];

/** Ids are shown as texts. */
const withTextIds = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name.endsWith('_id') && typeof value === 'number') return [name, String(value)];
      return [name, name === 'categorias' || name === 'empresas' ? (value as number[]).map(String) : value];
    }),
  );

for (const { path, created, changed, shown = created, notFound, required, requiredOnce = [] } of registers) {
  test(`${path}: an entry is created, read, listed, replaced and deleted`, async () => {
    const posted = await operator.post(path, created);
    assert.equal(posted.status, 200, posted.text);
    const { id } = posted.body.data;
    assert.match(id, /^\d+$/);
    assert.deepEqual(posted.body, { success: true, data: { id, ...withTextIds(shown) } });

    const read = await operator.get(`${path}/${id}`);
    assert.deepEqual(read.body, posted.body);
    const listed = await operator.get(`${path}?limite=100`);
    assert.equal(listed.status, 200, listed.text);
    assert.deepEqual(listed.body.data.at(-1), posted.body.data);

    const put = await operator.put(`${path}/${id}`, changed);
    assert.equal(put.status, 200, put.text);
    for (const [field, value] of Object.entries(withTextIds(changed)))
      assert.deepEqual(put.body.data[field], value, field);
    assert.deepEqual((await operator.get(`${path}/${id}`)).body, put.body);

    const deleted = await operator.delete(`${path}/${id}`);
    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual(deleted.body, { success: true, message: 'registro excluído' });
    assert.equal((await operator.get(`${path}/${id}`)).status, 404);
  });

  test(`${path}: what was read can be written back as it is`, async () => {
    const { body } = await operator.get(`${path}?limite=1`);
    const [{ id, disponivel: _available, simulado: _simulated, ...fields }] = body.data;
    const put = await operator.put(`${path}/${id}`, fields);
    assert.equal(put.status, 200, put.text);
    assert.deepEqual((await operator.get(`${path}?limite=1`)).body, body);
  });

  test(`${path}: an entry that is not there is a 404 to reading, replacing and deleting`, async () => {
    for (const answer of [
      await operator.get(`${path}/99999`),
      await operator.put(`${path}/99999`, changed),
      await operator.delete(`${path}/99999`),
    ]) {
      assertFailure(answer, 404, 0);
      assert.equal(answer.body.errors[0].message, notFound);
    }
  });

  // Every central numbers its reasons from 1.
  if (path !== '/motivos-cancelamento')
    test(`${path}: another central's entry is not there`, async () => {
      const [{ id }] = (await operator.get(`${path}?limite=1`)).body.data;
      for (const answer of [
        await neighbourOperator.get(`${path}/${id}`),
        await neighbourOperator.put(`${path}/${id}`, changed),
        await neighbourOperator.delete(`${path}/${id}`),
      ])
        assert.equal(answer.status, 404, answer.text);
      assert.equal((await operator.get(`${path}/${id}`)).status, 200);
    });

  test(`${path}: only an operator may look at it or change it`, async () => {
    const operations = (user: string): Client =>
      client(`${malote.url}/api/v2/operacao`, { key: 'demo-chave', user, password: 'demo' });
    for (const user of ['gerente', 'condutor1']) {
      const who = operations(user);
      for (const answer of [
        await who.get(path),
        await who.get(`${path}/1`),
        await who.post(path, created),
        await who.put(`${path}/1`, changed),
        await who.delete(`${path}/1`),
      ])
        assertFailure(answer, 403, 0);
    }
  });

  test(`${path}: a list has pages, in the order of the ids`, async () => {
    const all = (await operator.get(`${path}?limite=100`)).body.data;
    const ids = all.map(({ id }: { id: number }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => a - b),
    );
    const second = await operator.get(`${path}?limite=1&pagina=2`);
    assert.deepEqual(second.body.data, all.slice(1, 2));
    assert.deepEqual((await operator.get(`${path}?pagina=1000`)).body.data, []);
    for (const query of ['limite=0', 'limite=101', 'pagina=0', 'pagina=x'])
      assertFailure(await operator.get(`${path}?${query}`), 400, 2);
  });

  test(`${path}: an empty body names everything that is required`, async () => {
    const created = await operator.post(path, {});
    assert.deepEqual(complainedFields(created), [...required, ...requiredOnce].toSorted());
    const replaced = await operator.put(`${path}/1`, {});
    assert.deepEqual(complainedFields(replaced), required);
    for (const answer of [created, replaced])
      for (const { message } of answer.body.errors) assert.match(message, /^'\w+': é obrigatório$/);
  });
}

test('a deletion is answered in the reader’s language', async () => {
  const { body } = await operator.post('/motivos-cancelamento', { nome: 'Outro motivo' });
  const deleted = await operator.delete(`/motivos-cancelamento/${body.data.id}`, { 'accept-language': 'en' });
  assert.deepEqual(deleted.body, { success: true, message: 'record deleted' });
});

test('the same Idempotency-Key creates one entry', async () => {
  const headers = { 'idempotency-key': 'one-category' };
  const first = await operator.post('/categorias', { nome: 'Patinete', perfil: 'bicicleta' }, headers);
  const second = await operator.post('/categorias', { nome: 'Patinete', perfil: 'bicicleta' }, headers);
  assert.equal(first.status, 200, first.text);
  assert.equal(second.text, first.text);
});
