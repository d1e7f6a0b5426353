import Type from 'typebox';
import { hashPassword } from '../../centrals/passwords.ts';
import {
  changeUser,
  findUser,
  insertUser,
  listUsers,
  removeUser,
  type User,
  type UserValues,
} from '../../centrals/userStore.ts';
import { formatted } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { nullable } from '../../wire/answers.ts';
import { roleByCode, roleCode } from '../../wire/codes.ts';
import { register } from '../register.ts';
import { activeField, optionalId, recordId } from '../wire/fields.ts';

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
  records: 'users',
  tag: 'Operação: usuários',
  nouns: { one: 'um usuário', all: 'os usuários' },
  description:
    'Operador conduz a central; integrador vê a central inteira pela interface de integração; gerente vê a própria ' +
    'empresa; condutor age por si. A senha nunca é mostrada.',
  notFound: 'record-not-found',
  refusals: ['company-not-found', 'driver-not-found', 'own-login', 'last-operator'],
  body: Type.Object({ ...fields, senha: Type.Optional(password) }, { check: checkOwner }),
  creationBody: Type.Object({ ...fields, senha: password }, { check: checkOwner }),
  bodyExample: { ...example, senha: 'uma senha comprida' },
  shown: Type.Object({
    id: recordId,
    usuario: Type.String(),
    perfil: role,
    empresa_id: nullable(recordId),
    condutor_id: nullable(recordId),
    ativo: Type.Boolean(),
  }),
  shownExample: { id: 12, ...example },
  parse: async (body): Promise<UserValues> => ({
    username: body.usuario,
    role: roleByCode[body.perfil],
    companyId: body.empresa_id ?? null,
    driverId: body.condutor_id ?? null,
    active: body.ativo ?? null,
    passwordHash: body.senha === undefined ? null : await hashPassword(body.senha),
  }),
  format: (user: User) => ({
    id: user.id,
    usuario: user.username,
    perfil: roleCode[user.role],
    empresa_id: user.companyId,
    condutor_id: user.driverId,
    ativo: user.active,
  }),
  uniqueFields: { username: 'usuario' },
  store: {
    list: listUsers,
    find: findUser,
    insert: insertUser,
    update: (tx, _centralId, id, values, caller) => changeUser(tx, caller, id, values),
    remove: (tx, _centralId, id, caller) => removeUser(tx, caller, id),
  },
});
