import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import { type Answer, type Client, client, type Json } from '../support/client.ts';
import { assertFailure as assertEnvelope } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote({ allowPrivateWebhooks: true });
const { url } = malote;
const deps = {
  ...malote.app.deps,
  log: { error: (details: object) => assert.fail(JSON.stringify(details)) },
};
const TEST_KEY = 'teste_demo-chave';
const at = (base: 'integracao' | 'operacao', user = 'central', key = TEST_KEY): Client =>
  client(`${url}/api/v2/${base}`, { key, user, password: 'demo' });
const box = at('integracao');
const boxManager = at('integracao', 'gerente');
const boxOperator = at('operacao');

function assertFailure(answer: Answer, status: number, code: number, message = /./): void {
  assertEnvelope(answer, status, code);
  assert.match(answer.body.errors[0].message, message);
}

const advance = (minutes: number, by = box) => by.post('/sandbox/relogio', { avancar_minutos: minutes });
const placed = async (by: Client, fields: Record<string, unknown> = {}): Promise<number> =>
  Number(assertOk(await by.post('/entregas', order(fields))).body.data.id_mch);

describe('the registers of the sandbox', () => {
  test('are those of the real central, with the same ids', async () => {
    for (const path of [
      '/empresas',
      '/categorias',
      '/areas-atuacao',
      '/motivos-cancelamento',
      '/cupons',
      '/tarifas',
    ]) {
      const real = assertOk(await malote.operator.get(path)).body.data;
      assert.deepEqual(assertOk(await boxOperator.get(path)).body.data, real, path);
    }
    const areas = assertOk(await malote.central.get('/entregas/bandeiras/areas-atuacao')).body;
    assert.deepEqual(assertOk(await box.get('/entregas/bandeiras/areas-atuacao')).body, areas);
  });

  test('an estimate costs the same', async () => {
    const body = {
      endereco_partida: 'Rua dos Andradas, 1',
      bairro_partida: 'Centro',
      cidade_partida: 'Porto Alegre',
      estado_partida: 'RS',
      endereco_desejado: 'Rua X, 2',
      bairro_desejado: 'Centro',
      cidade_desejado: 'Porto Alegre',
      estado_desejado: 'RS',
      lat_partida: -30.03,
      lng_partida: -51.23,
      lat_desejado: -30.04,
      lng_desejado: -51.22,
    };
    const real = assertOk(await malote.central.post('/entregas/empresas/1/estimativas', body)).body;
    assert.deepEqual(assertOk(await box.post('/entregas/empresas/1/estimativas', body)).body, real);
  });

  test('its drivers are simulated, and none is of the real central', async () => {
    const drivers = assertOk(await boxOperator.get('/condutores')).body.data;
    assert.equal(drivers.length, 5);
    assert.ok(drivers.every((driver: { simulado: boolean }) => driver.simulado));
    const real = assertOk(await malote.operator.get('/condutores')).body.data;
    const ids = new Set(real.map(({ id }: { id: string }) => id));
    assert.ok(drivers.every(({ id }: { id: string }) => !ids.has(id)));
  });

  test('a change in the sandbox does not reach the real side', async () => {
    const before = assertOk(await malote.operator.get('/empresas/1')).body.data;
    assertOk(await boxOperator.put('/empresas/1', { ...before, nome: 'Outro nome', categoria_padrao_id: 1 }));
    assert.equal(assertOk(await malote.operator.get('/empresas/1')).body.data.nome, before.nome);
    assert.equal(assertOk(await boxOperator.get('/empresas/1')).body.data.nome, 'Outro nome');
  });
});

describe('logins', () => {
  test('of the real central are valid in the sandbox, with the same rights', async () => {
    assertOk(await box.get('/sandbox'));
    const mine = await placed(boxManager);
    assertOk(await boxManager.get(`/entregas/${mine}`));
    assertFailure(await at('integracao', 'gerente2').get(`/entregas/${mine}`), 404, 0);
  });

  test('a wrong password, an unknown user and a driver of the real central are the same 401', async () => {
    const wrong = await client(`${url}/api/v2/integracao`, {
      key: TEST_KEY,
      user: 'central',
      password: 'x',
    }).get('/sandbox');
    const unknown = await client(`${url}/api/v2/integracao`, {
      key: TEST_KEY,
      user: 'ninguem',
      password: 'demo',
    }).get('/sandbox');
    assertFailure(wrong, 401, 0);
    assert.equal(unknown.text, wrong.text);
    assert.equal((await at('integracao', 'condutor1').get('/sandbox')).text, wrong.text);
  });

  test('a login that is disabled on the real side is shut out of the sandbox at once', async () => {
    const user = {
      usuario: 'teste.some',
      perfil: 'integrador',
      empresa_id: null,
      condutor_id: null,
      ativo: true,
    };
    const { id } = assertOk(await malote.operator.post('/usuarios', { ...user, senha: 'uma senha comprida' }))
      .body.data;
    const login = client(`${url}/api/v2/integracao`, {
      key: TEST_KEY,
      user: user.usuario,
      password: 'uma senha comprida',
    });
    assertOk(await login.get('/sandbox'));
    assertOk(await malote.operator.put(`/usuarios/${id}`, { ...user, ativo: false }));
    assertFailure(await login.get('/sandbox'), 401, 0);
  });

  test('the manager of a company that is newer than the sandbox finds the company there', async () => {
    const company = {
      nome: 'Livraria Nova',
      cpf_cnpj: '11444777000161',
      telefone: '5133330000',
      categoria_padrao_id: 1,
    };
    const { id } = assertOk(await malote.operator.post('/empresas', company)).body.data;
    assertOk(
      await malote.operator.post('/usuarios', {
        usuario: 'livraria',
        perfil: 'gerente',
        empresa_id: Number(id),
        condutor_id: null,
        ativo: true,
        senha: 'uma senha comprida',
      }),
    );
    const login = client(`${url}/api/v2/integracao`, {
      key: TEST_KEY,
      user: 'livraria',
      password: 'uma senha comprida',
    });
    await placed(login);
  });

  test('users, keys and programs are not kept in the sandbox', async () => {
    for (const path of ['/usuarios', '/chaves', '/programas', '/ambiente-de-teste/chaves'])
      assertFailure(await boxOperator.get(path), 403, 0, /são os da central/);
  });
});

describe('keys', () => {
  test('are made, listed and revoked on the real side', async () => {
    const made = assertOk(await malote.operator.post('/ambiente-de-teste/chaves', { descricao: 'Loja' })).body
      .data;
    assert.match(made.chave, /^teste_[\w-]{43}$/);
    const key = at('integracao', 'central', made.chave);
    assertOk(await key.get('/sandbox'));
    const { chave: _, ...shown } = made;
    const listed = assertOk(await malote.operator.get('/ambiente-de-teste/chaves')).body.data;
    assert.deepEqual(listed.at(-1), shown);
    const real = assertOk(await malote.operator.get('/chaves')).body.data;
    assert.ok(!real.some(({ descricao }: { descricao: string }) => descricao === 'Loja'));
    assertOk(await malote.operator.delete(`/ambiente-de-teste/chaves/${made.id}`));
    assertFailure(await key.get('/sandbox'), 401, 0);
    assertFailure(await malote.operator.delete('/ambiente-de-teste/chaves/999'), 404, 0);
  });

  test('a repetition of the creation does not show the key again', async () => {
    const headers = { 'idempotency-key': 'chave-de-teste-1' };
    const first = assertOk(
      await malote.operator.post('/ambiente-de-teste/chaves', { descricao: 'Uma' }, headers),
    );
    assert.ok(first.body.data.chave);
    const again = assertOk(
      await malote.operator.post('/ambiente-de-teste/chaves', { descricao: 'Uma' }, headers),
    );
    assert.deepEqual(again.body.data, { ...first.body.data, chave: null });
  });

  test('a program of the sandbox reaches the sandbox only', async () => {
    const made = assertOk(
      await malote.operator.post('/programas', {
        descricao: 'Robô',
        permissoes: ['watch', 'order'],
        ambiente_de_teste: true,
      }),
    ).body.data;
    assert.match(made.token, /^teste_1_[\w-]{49}$/);
    const program = client(`${url}/api/v2/integracao`, { token: made.token });
    const id = await placed(program, { empresa_id: 1 });
    assertFailure(await malote.central.get(`/entregas/${id}`), 404, 0);
    assertOk(await box.get(`/entregas/${id}`));
    assertOk(await advance(1, program));
    const lists = await Promise.all(
      ['', '?ambiente=teste'].map((query) => malote.operator.get(`/programas${query}`)),
    );
    const [real, test] = lists.map((answer) =>
      assertOk(answer).body.data.map((each: { id: string }) => each.id),
    );
    assert.ok(!real.includes(made.id) && test.includes(made.id));
    const access = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: made.id,
        client_secret: made.token,
      }),
    });
    const { access_token: token } = (await access.json()) as { access_token: string };
    assert.match(token, /^teste_1_/);
    assertOk(await client(`${url}/api/v2/integracao`, { token }).get('/sandbox'));
    // The same secret with the other beginning is another secret.
    assertFailure(
      await client(`${url}/api/v2/integracao`, { token: made.token.replace('teste', 'malote') }).get(
        '/sandbox',
      ),
      401,
      0,
    );
    assertOk(await malote.operator.delete(`/programas/${made.id}`));
    assertFailure(await program.get('/sandbox'), 401, 0);
  });
});

describe('the clock', () => {
  const wiped = async (t: TestContext): Promise<void> => {
    assertOk(await box.delete('/sandbox'));
    t.after(async () => assertOk(await box.delete('/sandbox')));
  };

  test('is put forward, and says so', async (t) => {
    await wiped(t);
    const before = assertOk(await box.get('/sandbox')).body.data;
    assert.deepEqual(before, { existe: true, agora: '2026-11-16T15:00:00Z', adiantado_minutos: 0 });
    const after = { existe: true, agora: '2026-11-16T15:30:00Z', adiantado_minutos: 30 };
    assert.deepEqual(assertOk(await advance(30)).body.data, after);
    assert.deepEqual(assertOk(await box.get('/sandbox')).body.data, after);
    assert.deepEqual(assertOk(await malote.operator.get('/ambiente-de-teste')).body.data, after);
    const id = await placed(box, { empresa_id: 1 });
    const { data } = assertOk(await box.get(`/entregas/${id}`)).body;
    assert.equal(data.data_hora_solicitacao_utc, '2026-11-16T15:30:00Z');
    const real = await placed(malote.central, { empresa_id: 1 });
    assert.equal(
      assertOk(await malote.central.get(`/entregas/${real}`)).body.data.data_hora_solicitacao_utc,
      '2026-11-16T15:00:00Z',
    );
  });

  test('a repeated request with its Idempotency-Key puts it forward once', async (t) => {
    await wiped(t);
    const headers = { 'idempotency-key': 'meia-hora' };
    for (let time = 0; time < 2; time += 1)
      assertOk(await box.post('/sandbox/relogio', { avancar_minutos: 30 }, headers));
    assert.equal(assertOk(await box.get('/sandbox')).body.data.adiantado_minutos, 30);
  });

  test('does not go back, nor more than 31 days at once, nor beyond a year', async (t) => {
    await wiped(t);
    for (const minutes of [-30, 0, 44_641, 1.5, '30', null])
      assertFailure(
        await box.post('/sandbox/relogio', { avancar_minutos: minutes }),
        400,
        2,
        /avancar_minutos/,
      );
    for (let month = 0; month < 11; month += 1) assertOk(await advance(44_640));
    assertFailure(await advance(44_640), 422, 0, /366 dias/);
  });

  test('many at once add up', async (t) => {
    await wiped(t);
    await Promise.all(Array.from({ length: 8 }, async () => assertOk(await advance(10))));
    assert.equal(assertOk(await box.get('/sandbox')).body.data.adiantado_minutos, 80);
  });

  test('a scheduled delivery of tomorrow is dispatched when the clock has come there', async (t) => {
    await wiped(t);
    const tomorrow = scheduledOrder({ data: '17/11/2026', hora: '12:00:00' });
    const scheduled = async (by: Client) =>
      Number(assertOk(await by.post('/entregas/programadas', tomorrow)).body.data.id_mch);
    const real = await scheduled(malote.manager);
    const id = await scheduled(boxManager);
    const situation = async (by: Client, of: number) =>
      assertOk(await by.get(`/entregas/programadas/${of}`)).body.data.situacao;
    assertOk(await advance(60));
    await dispatchDue(deps);
    assert.equal(await situation(boxManager, id), 'A');
    assertOk(await advance(24 * 60));
    await dispatchDue(deps);
    assert.equal(await situation(boxManager, id), 'D');
    assert.equal(await situation(malote.manager, real), 'A');
  });

  test('quotes expire', async (t) => {
    await wiped(t);
    const body = order({ empresa_id: 1 });
    const quote = async () => assertOk(await box.post('/entregas/cotacoes', body)).body.data.cotacao_id;
    const late = await quote();
    assertOk(await advance(60));
    assertFailure(await box.post('/entregas', { ...body, cotacao_id: late }), 406, 0, /cotação/);
    assertOk(await box.post('/entregas', { ...body, cotacao_id: await quote() }));
  });
});

describe('with the credentials of the real side', () => {
  test('clock and wiping of the integration interface are refused by a kind of their own', async () => {
    for (const answer of [
      await malote.central.get('/sandbox'),
      await malote.central.post('/sandbox/relogio', { avancar_minutos: 30 }),
      await malote.central.delete('/sandbox'),
    ])
      assertFailure(answer, 403, 0, /só existe no ambiente de teste/);
  });

  test('a login of one company cannot change the sandbox of all', async () => {
    assertFailure(await boxManager.delete('/sandbox'), 403, 0);
    assertFailure(await advance(1, boxManager), 403, 0);
    assertOk(await boxManager.get('/sandbox'));
  });

  test('operators put the clock forward and wipe, which the audit log has', async () => {
    assertOk(await malote.operator.delete('/ambiente-de-teste'));
    assertOk(await malote.operator.post('/ambiente-de-teste/relogio', { avancar_minutos: 5 }));
    assert.equal(assertOk(await box.get('/sandbox')).body.data.adiantado_minutos, 5);
    const { data } = assertOk(await malote.operator.get('/auditoria?tipo=ambiente_de_teste')).body;
    assert.deepEqual(
      data.alteracoes.slice(0, 2).map(({ depois, autor }: Json) => ({ depois, autor })),
      [
        { depois: { adiantado_minutos: 5 }, autor: 'central' },
        { depois: { apagado: 'sim', adiantado_minutos: 0 }, autor: 'central' },
      ],
    );
    assertOk(await malote.operator.delete('/ambiente-de-teste'));
  });
});
