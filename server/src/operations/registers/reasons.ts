import Type from 'typebox';
import {
  deleteReason,
  findReason,
  insertReason,
  listReasons,
  type Reason,
  type ReasonValues,
  updateReason,
} from '../../centrals/reasonStore.ts';
import { register } from '../register.ts';
import { activeField, recordId, requiredText } from '../wire/fields.ts';

const example = { nome: 'Chuva forte', nome_en: 'Heavy rain', ativo: true };

export const reasonEndpoints = register({
  path: '/motivos-cancelamento',
  records: 'reasons',
  tag: 'Operação: motivos de cancelamento',
  nouns: { one: 'um motivo de cancelamento', all: 'os motivos de cancelamento' },
  notFound: 'reason-not-found',
  body: Type.Object({
    nome: requiredText(),
    nome_en: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'ausente: igual a nome' }),
    ),
    ativo: activeField,
  }),
  bodyExample: example,
  shown: Type.Object({ id: recordId, nome: Type.String(), nome_en: Type.String(), ativo: Type.Boolean() }),
  shownExample: { id: 14, ...example },
  parse: (body): ReasonValues => ({
    name: body.nome,
    nameEn: body.nome_en ?? body.nome,
    active: body.ativo ?? null,
  }),
  format: (reason: Reason) => ({
    id: reason.id,
    nome: reason.name,
    nome_en: reason.nameEn,
    ativo: reason.active,
  }),
  store: {
    list: listReasons,
    find: findReason,
    insert: insertReason,
    update: updateReason,
    remove: deleteReason,
  },
});
