import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../../../server/src/cli/commands.ts';
import type { Json } from '../../support/client.ts';
import { startMalote } from '../../support/malote.ts';
import { databaseUrlOf, runMalote } from '../../support/maloteProcess.ts';
import { assertOk, openDelivery } from '../../support/steps.ts';

const malote = await startMalote();
const { db, operator, manager } = malote;
const env = { DATABASE_URL: databaseUrlOf(malote.connection) };
const PASSWORD = 'uma senha bem secreta';

interface Audited {
  name: string;
  args: string[];
  input?: string;
  /** The recorded changes, in order: the central, the subject, and the changed fields afterwards. */
  recorded: [centralId: number, subject: string, action: string, name: string | null, after: Json][];
}

/** Every command that changes a central, in the order of the tests. */
const audited: Audited[] = [
  {
    name: 'user create',
    args: ['--central', '1', '--name', 'olga', '--role', 'viewer'],
    input: `${PASSWORD}\n`,
    recorded: [
      [
        1,
        'user',
        'created',
        'olga',
        { usuario: 'olga', perfil: 'consulta', empresa_id: null, condutor_id: null, ativo: true },
      ],
    ],
  },
  {
    name: 'key create',
    args: ['--central', '1', '--label', 'Loja virtual'],
    recorded: [[1, 'key', 'created', 'Loja virtual', { descricao: 'Loja virtual' }]],
  },
  {
    name: 'token create',
    args: ['--central', '1', '--label', 'Loja virtual', '--scopes', 'watch,order'],
    recorded: [
      [
        1,
        'program',
        'created',
        'Loja virtual',
        { descricao: 'Loja virtual', empresa_id: null, permissoes: ['watch', 'order'], expira_em: null },
      ],
    ],
  },
  {
    name: 'central create',
    args: ['--name', 'Terceira', '--time-zone', 'America/Manaus'],
    recorded: [[3, 'central', 'created', 'Terceira', { nome: 'Terceira', fuso_horario: 'America/Manaus' }]],
  },
  {
    name: 'privacy erase',
    args: ['--central', '1', '--phone', '51999990000', '--by', 'Senhora Secreta'],
    recorded: [[1, 'personal_data', 'deleted', null, {}]],
  },
  {
    name: 'demo remove',
    args: [],
    recorded: [],
  },
];

/** The other commands, with the reason why they record nothing. */
const exceptions: Record<string, string> = {
  serve: 'serves the interfaces, which record what they change',
  work: 'what the service does by itself is recorded by the histories of deliveries',
  migrate: 'changes the schema; the table of migrations tells it',
  demo: 'creates whole centrals in an empty database: their logs begin afterwards',
  'conformance integration': 'calls another server, whose interfaces record what they change',
  'privacy export': 'changes nothing; privacy_actions tells that it was asked for',
  'reports rebuild': 'counts again what is stored',
  backup: 'reads',
  restore: 'brings a whole database, with its log',
  'addresses import': 'of all centrals; "addresses status" tells it',
  'addresses status': 'reads',
  'roads import': 'of all centrals; "roads status" tells it',
  'roads status': 'reads',
  'token list': 'reads',
  listen: 'reads events of a service',
  trigger: 'asks a service, whose interfaces record what they change',
  'token revoke': 'tested below',
};

const entries = () =>
  db<Json>`
    select central_id as "centralId", id, subject, action, subject_name as name, after, before, origin, actor,
      user_id as "userId"
    from audit_entries order by happened_at, central_id, id`;

/** Runs a command and returns what it recorded in the log. */
async function run(name: string, { args, input }: Pick<Audited, 'args' | 'input'>): Promise<Json[]> {
  const before = new Set((await entries()).map(({ centralId, id }) => `${centralId} ${id}`));
  const { code, stderr } = await runMalote([...name.split(' '), ...args], { env, ...(input && { input }) });
  assert.equal(code, 0, stderr);
  const added = (await entries()).filter(({ centralId, id }) => !before.has(`${centralId} ${id}`));
  for (const { origin, actor, userId } of added)
    assert.deepEqual([origin, actor, userId], ['command_line', null, null]);
  assert.doesNotMatch(JSON.stringify(added), /secret|argon|mal_|51999990000/i);
  return added;
}

test('every command is either recorded in the audit log or known not to be', () => {
  assert.deepEqual(
    [...audited.map(({ name }) => name), ...Object.keys(exceptions)].toSorted(),
    commands.map(({ name }) => name).toSorted(),
  );
});

for (const command of audited.filter(({ recorded }) => recorded.length > 0))
  test(`malote ${command.name} is recorded in the audit log as done on the command line`, async () => {
    if (command.name === 'privacy erase') {
      const { id } = await openDelivery(malote);
      assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
    }
    const added = await run(command.name, command);
    assert.deepEqual(
      added.map(({ centralId, subject, action, name, after }) => [centralId, subject, action, name, after]),
      command.recorded,
    );
  });

test('malote token revoke is recorded too, and token list shows the state of each program', async () => {
  const [program] = await db<{ id: number }>`select id from programs where central_id = 1`;
  const list = async () => (await runMalote(['token', 'list', '--central', '1'], { env })).stdout;
  assert.match(
    await list(),
    new RegExp(`^${program!.id}\tactive\twhole central\twatch,order\tnever used\tLoja`),
  );
  const added = await run('token revoke', { args: ['--central', '1', '--id', String(program!.id)] });
  assert.deepEqual(
    added.map(({ subject, name, after }) => [subject, name, Object.keys(after)]),
    [['program', 'Loja virtual', ['revogado_em']]],
  );
  assert.match(await list(), /\trevoked\t/);
});

test('keys and programs of the sandbox are recorded as such, and listed apart', async () => {
  const make = async (name: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runMalote(
      [...name.split(' '), '--central', '1', '--label', 'De teste', '--sandbox', ...args],
      { env },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\S*teste_/m);
    const last = (await entries()).findLast(({ name: subject }) => subject === 'De teste');
    assert.equal(last!.after.ambiente_de_teste, true);
  };
  await make('key create');
  await make('token create', '--scopes', 'watch');
  const list = async (...args: string[]) =>
    (await runMalote(['token', 'list', '--central', '1', ...args], { env })).stdout;
  assert.match(await list('--sandbox'), /De teste/);
  assert.doesNotMatch(await list(), /De teste/);
});

test('operators read that it was done on the command line, and how much was erased', async () => {
  const { alteracoes } = assertOk(await operator.get('/auditoria?tipo=dados_pessoais')).body.data;
  assert.equal(alteracoes.length, 1);
  const [{ origem, autor, perfil, acao, antes, depois }] = alteracoes;
  assert.deepEqual([origem, autor, perfil, acao, depois], ['linha_de_comando', null, null, 'excluido', {}]);
  assert.deepEqual([antes.entregas, antes.paradas], [0, 1]);
});

test('malote demo remove tells of every key, login and central that it closes', async () => {
  await malote.configure({ simulatedCouriers: true });
  const users = await db<{ username: string }>`
    select username from users u where active and username <> 'olga'
      and not exists (select from programs p where p.central_id = u.central_id and p.id = u.id)
    order by central_id, id`;
  const added = await run('demo remove', { args: [] });
  const of = (subject: string) => added.filter((entry) => entry.subject === subject);
  assert.equal(of('key').length, 3);
  for (const { before, after } of of('key')) {
    assert.equal(before.revogada_em, null);
    assert.match(after.revogada_em, /^\d{4}-/);
  }
  assert.deepEqual(
    of('user').map(({ name }) => name),
    users.map(({ username }) => username),
  );
  for (const { before, after } of of('user'))
    assert.deepEqual([before, after], [{ ativo: true }, { ativo: false, senha: 'alterada' }]);
  assert.deepEqual(
    of('central').map(({ name, after }) => [name, after]),
    [
      ['Central Demonstração', { ativo: false }],
      ['Central Vizinha', { ativo: false }],
    ],
  );
  assert.deepEqual(
    of('settings').map(({ name, after }) => [name, after]),
    [['Central Demonstração', { simula_condutores: false }]],
  );
  assert.equal(added.length, 3 + users.length + 2 + 1);
  assert.deepEqual(await run('demo remove', { args: [] }), [], 'nothing is left to remove');
});
