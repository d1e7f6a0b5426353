import Type from 'typebox';
import {
  type ApiKey,
  deleteOldestRevoked,
  digestApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  newApiKey,
  revokeApiKey,
  updateApiKey,
} from '../../../centrals/apiKeyStore.ts';
import { assertRoom, lockCentral } from '../../../centrals/centralStore.ts';
import { addUser, changeUser, removeUser } from '../../../centrals/keepUsers.ts';
import { hashPassword } from '../../../centrals/passwords.ts';
import { findUser, listUsers, type User, type UserValues } from '../../../centrals/userStore.ts';
import { changeActor, recordChange } from '../../../events/audit/recordChange.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { roleByCode, roleCode } from '../../json/codes.ts';
import {
  answerWith,
  answerWithList,
  dataAnswer,
  formatUtc,
  messageAnswer,
  nullable,
  pageFields,
  parsePage,
} from '../../json/values.ts';
import { code, flag, id, instant, text, view } from '../../json/view.ts';
import { register, writeRegister } from '../register.ts';
import { activeField, nameText, optionalId } from '../wire/fields.ts';

const shared = { tag: 'Operação: chaves', permission: 'keys', limit: 'operations' } as const;

/** Older revoked keys are deleted when a key is made. */
const REVOKED_SHOWN_MAX = 1_000;

const body = Type.Object({ descricao: nameText(100) });
const bodyExample = { descricao: 'Loja virtual' };

const keyShown = view<ApiKey>()({
  id: id((key) => key.id, '2'),
  descricao: text((key) => key.label, bodyExample.descricao),
  criada_em: instant((key) => key.createdAt, '2026-11-16T15:00:00Z'),
  revogada_em: instant.orNull((key) => key.revokedAt, null),
});
const formatKey = (key: ApiKey) => keyShown.show(key, undefined);

function mustBe<Found>(key: Found | undefined | false): Found {
  if (!key) throw new Refusal('record-not-found');
  return key;
}

const lockKey = async (tx: Tx, centralId: number, id: number): Promise<ApiKey> => {
  await lockCentral(tx, centralId);
  return mustBe(await findApiKey(tx, centralId, id));
};

/** Not a standard register: a key is shown once, can only be renamed, and is revoked instead of deleted. */
export const keyEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    path: '/chaves',
    summary: 'Listar as chaves de acesso (api-key)',
    query: Type.Object(pageFields),
    ...answerWithList(keyShown),
    async handle({ deps, caller, query }) {
      const keys = await listApiKeys(deps.db, caller.centralId, parsePage(query));
      return { data: keys.map(formatKey) };
    },
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/chaves',
    summary: 'Criar uma chave de acesso',
    description:
      'A chave aparece somente nesta resposta; guarde-a. Uma repetição com a mesma Idempotency-Key traz `chave` nula.',
    refusals: ['too-many-records'],
    body,
    bodyExample,
    answer: dataAnswer(Type.Object({ ...keyShown.schema.properties, chave: nullable(Type.String()) })),
    answerExample: { success: true, data: { ...keyShown.example, chave: 'mal_…' } },
    withoutSecret: ({ data }) => ({ data: { ...data, chave: null } }),
    async handle({ deps, caller, body }) {
      const label = plainName(body.descricao);
      const secret = newApiKey();
      const now = deps.clock.now();
      const id = await writeRegister(deps, async (tx) => {
        await assertRoom(tx, caller.centralId, 'keys');
        await deleteOldestRevoked(tx, caller.centralId, REVOKED_SHOWN_MAX);
        const made = await insertApiKey(tx, caller.centralId, label, digestApiKey(secret), now);
        await recordChange(tx, changeActor(caller, now, 'operations'), {
          subject: 'key',
          id: made,
          name: label,
          before: null,
          after: { descricao: label },
        });
        return made;
      });
      return {
        data: { ...formatKey({ id, label, createdAt: now, revokedAt: null }), chave: secret },
      };
    },
  }),
  endpoint({
    ...shared,
    method: 'GET',
    path: '/chaves/:id',
    summary: 'Ler uma chave de acesso',
    refusals: ['record-not-found'],
    ...answerWith(keyShown),
    async handle({ deps, caller, params }) {
      return { data: formatKey(mustBe(await findApiKey(deps.db, caller.centralId, params.id!))) };
    },
  }),
  endpoint({
    ...shared,
    method: 'PUT',
    path: '/chaves/:id',
    summary: 'Alterar a descrição de uma chave de acesso',
    refusals: ['record-not-found'],
    body,
    bodyExample,
    ...answerWith(keyShown),
    async handle({ deps, caller, params, body }) {
      const { centralId } = caller;
      const label = plainName(body.descricao);
      const key = await writeRegister(deps, async (tx) => {
        const before = await lockKey(tx, centralId, params.id!);
        mustBe(await updateApiKey(tx, centralId, params.id!, label));
        await recordChange(tx, changeActor(caller, deps.clock.now(), 'operations'), {
          subject: 'key',
          id: params.id!,
          name: label,
          before: { descricao: before.label },
          after: { descricao: label },
        });
        return mustBe(await findApiKey(tx, centralId, params.id!));
      });
      return { data: formatKey(key) };
    },
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    path: '/chaves/:id',
    summary: 'Revogar uma chave de acesso',
    description: 'Para sempre. A última chave ativa não pode ser revogada.',
    refusals: ['record-not-found', 'last-key'],
    answer: messageAnswer,
    answerExample: { success: true, message: 'chave revogada' },
    async handle({ deps, caller, params, language }) {
      await writeRegister(deps, async (tx) => {
        const now = deps.clock.now();
        const { label, revokedAt } = await lockKey(tx, caller.centralId, params.id!);
        mustBe(await revokeApiKey(tx, caller.centralId, params.id!, now));
        await recordChange(tx, changeActor(caller, now, 'operations'), {
          subject: 'key',
          id: params.id!,
          name: label,
          before: { revogada_em: revokedAt && formatUtc(revokedAt) },
          after: { revogada_em: formatUtc(revokedAt ?? now) },
        });
      });
      return { message: language === 'pt' ? 'chave revogada' : 'key revoked' };
    },
  }),
];

const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 200;

const role = Type.Enum(Object.values(roleCode));
const password = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  description: 'ausente em uma alteração: a senha continua a mesma',
});

/** A manager belongs to a company and a driver's login to a driver; the others to neither. */
const checkOwner: Check = ({ perfil, empresa_id: companyId, condutor_id: driverId }) => {
  if (!Object.values(roleCode).some((code) => code === perfil)) return [];
  return [
    ...ownerProblem('empresa_id', companyId, perfil === roleCode.manager, roleCode.manager),
    ...ownerProblem('condutor_id', driverId, perfil === roleCode.driver, roleCode.driver),
  ];
};

function ownerProblem(field: string, value: unknown, needed: boolean, code: string): Problem[] {
  const given = value !== undefined && value !== null;
  if (given === needed) return [];
  return needed
    ? [{ field, pt: `é obrigatório para o perfil ${code}`, en: `is required for the role ${code}` }]
    : [{ field, pt: `é somente para o perfil ${code}`, en: `is only for the role ${code}` }];
}

const fields = {
  usuario: formatted('username'),
  perfil: role,
  empresa_id: optionalId,
  condutor_id: optionalId,
  ativo: activeField,
};

const example = {
  usuario: 'gerente.moinhos',
  perfil: roleCode.manager,
  empresa_id: 1,
  condutor_id: null,
  ativo: true,
};

export const userEndpoints = register({
  path: '/usuarios',
  permissions: { read: 'users', write: 'users' },
  audit: {
    subject: 'user',
    nameOf: ({ username }) => username,
    hidden: ({ passwordHash }: UserValues) => (passwordHash === null ? {} : { senha: 'alterada' }),
  },
  records: 'users',
  tag: 'Operação: usuários',
  nouns: { one: 'um usuário', all: 'os usuários' },
  description:
    'Operador e supervisor conduzem a central; financeiro cuida de fechamentos e saldos; atendente faz pedidos; ' +
    'consulta só lê; integrador vê a central inteira pela interface de integração; gerente vê a própria empresa; ' +
    'entregador age por si. Ninguém dá ou altera um acesso com direitos que não tem. A senha nunca é mostrada.',
  notFound: 'record-not-found',
  refusals: [
    'company-not-found',
    'driver-not-found',
    'own-login',
    'last-operator',
    'last-supervisor',
    'not-allowed',
  ],
  removalRefusals: ['own-login', 'last-operator', 'last-supervisor'],
  body: Type.Object({ ...fields, senha: Type.Optional(password) }, { check: checkOwner }),
  creationBody: Type.Object({ ...fields, senha: password }, { check: checkOwner }),
  bodyExample: { ...example, senha: 'uma senha comprida' },
  shown: view<User>()({
    id: id((user) => user.id, '12'),
    usuario: text((user) => user.username, example.usuario),
    perfil: code(roleCode)((user) => user.role, example.perfil),
    empresa_id: id.orNull((user) => user.companyId, '1'),
    condutor_id: id.orNull((user) => user.driverId, example.condutor_id),
    ativo: flag((user) => user.active, example.ativo),
  }),
  parse: async (body, centralId): Promise<UserValues> => ({
    username: body.usuario,
    role: roleByCode[body.perfil],
    companyId: body.empresa_id ?? null,
    driverId: body.condutor_id ?? null,
    active: body.ativo ?? null,
    passwordHash: body.senha === undefined ? null : await hashPassword(body.senha, centralId),
  }),
  uniqueFields: { username: 'usuario' },
  store: {
    list: listUsers,
    find: findUser,
    insert: (tx, _centralId, values, caller) => addUser(tx, caller, values),
    update: (tx, _centralId, id, values, caller) => changeUser(tx, caller, id, values),
    remove: (tx, _centralId, id, caller) => removeUser(tx, caller, id),
  },
});
