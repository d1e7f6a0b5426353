import Type from 'typebox';
import { type Cursor, findChanges } from '../../audit/auditStore.ts';
import type { RecordedChange } from '../../audit/change.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { invalid } from '../../http/invalidInput.ts';
import {
  changeActionCode,
  changeOriginCode,
  roleCode,
  subjectByCode,
  subjectCode,
} from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable } from '../../wire/values.ts';
import { checkPeriod, periodOf } from '../lists/listEndpoints.ts';
import { instantShown, recordId } from '../wire/fields.ts';

const SHOWN_MAX = 200;
const SHOWN_USUAL = 50;

const fields = Type.Record(Type.String(), Type.Unknown());

const ChangeSchema = Type.Object({
  id: recordId,
  data_hora: instantShown,
  autor: nullable(Type.String({ description: 'o usuário; null: pela linha de comando' })),
  perfil: nullable(Type.Enum(Object.values(roleCode))),
  origem: Type.Enum(Object.values(changeOriginCode)),
  acao: Type.Enum(Object.values(changeActionCode)),
  tipo: Type.Enum(Object.values(subjectCode)),
  registro_id: nullable(recordId),
  nome: nullable(Type.String({ description: 'do que foi alterado' })),
  antes: fields,
  depois: fields,
});

const formatChange = (change: RecordedChange) => ({
  id: change.id,
  data_hora: formatUtc(change.at),
  autor: change.actor,
  perfil: change.role && roleCode[change.role],
  origem: changeOriginCode[change.origin],
  acao: changeActionCode[change.action],
  tipo: subjectCode[change.subject],
  registro_id: change.subjectId,
  nome: change.subjectName,
  antes: { ...change.before },
  depois: { ...change.after },
});

/** In microseconds, the precision of the database. */
const writeCursor = ({ at, id }: Cursor): string => `${at.epochNanoseconds / 1_000n}-${id}`;

function readCursor(text: string): Cursor {
  const [, at, id] = /^(\d{1,17})-(\d{1,15})$/.exec(text) ?? [];
  if (!at || !id)
    throw invalid('cursor', 'deve ser o da página anterior', 'must be that of the previous page');
  return { at: new Temporal.Instant(BigInt(at) * 1_000n), id: Number(id) };
}

export const listChangesEndpoint = endpoint({
  method: 'GET',
  path: '/auditoria',
  tag: 'Operação: auditoria',
  summary: 'Ver quem alterou o quê',
  description:
    'Alterações de configurações, cadastros, usuários, chaves, webhooks, saldos e fechamentos, da mais nova para a mais ' +
    'antiga: `antes` e `depois` trazem só os campos que mudaram. Senhas, chaves e segredos nunca aparecem. `proximo` é o ' +
    '`cursor` da próxima página; com filtros, uma página pode vir vazia e ter próxima.',
  permission: 'audit',
  limit: 'operations',
  query: Type.Object(
    {
      texto: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'no nome, no autor ou nos valores, sem diferenciar acentos',
        }),
      ),
      autor: Type.Optional(Type.String({ maxLength: 100, description: 'o usuário, por inteiro' })),
      tipo: Type.Optional(Type.Enum(Object.values(subjectCode))),
      registro_id: Type.Optional(recordId),
      de: Type.Optional(formatted('iso-date', 'AAAA-MM-DD')),
      ate: Type.Optional(formatted('iso-date', 'AAAA-MM-DD, inclusive')),
      cursor: Type.Optional(Type.String({ maxLength: 40, description: 'o `proximo` da página anterior' })),
      limite: Type.Optional(
        Type.Integer({ minimum: 1, maximum: SHOWN_MAX, description: `padrão ${SHOWN_USUAL}` }),
      ),
    },
    { check: checkPeriod },
  ),
  answer: dataAnswer(Type.Object({ alteracoes: Type.Array(ChangeSchema), proximo: nullable(Type.String()) })),
  answerExample: {
    success: true,
    data: {
      alteracoes: [
        {
          id: 41,
          data_hora: '2026-11-16T15:00:00Z',
          autor: 'central',
          perfil: roleCode.operator,
          origem: changeOriginCode.operations,
          acao: changeActionCode.changed,
          tipo: subjectCode.tariff,
          registro_id: 1,
          nome: 'Moto padrão',
          antes: { por_km: '1.85' },
          depois: { por_km: '1.95' },
        },
      ],
      proximo: null,
    },
  },
  async handle({ deps: { db }, caller, query }) {
    const { changes, next } = await findChanges(
      db,
      caller.centralId,
      {
        text: query.texto?.trim() || null,
        actor: query.autor?.trim() || null,
        subject: query.tipo === undefined ? null : subjectByCode[query.tipo],
        subjectId: query.registro_id ?? null,
        ...periodOf(query, caller.central.timeZone),
        cursor: query.cursor === undefined ? null : readCursor(query.cursor),
      },
      query.limite ?? SHOWN_USUAL,
    );
    return { data: { alteracoes: changes.map(formatChange), proximo: next && writeCursor(next) } };
  },
});
