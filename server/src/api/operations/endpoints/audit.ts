import Type from 'typebox';
import { findChanges } from '../../../events/audit/auditStore.ts';
import type { Fields, RecordedChange } from '../../../events/audit/change.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import {
  changeActionCode,
  changeOriginCode,
  roleCode,
  subjectByCode,
  subjectCode,
} from '../../json/codes.ts';
import {
  readTimeCursor,
  TIME_CURSOR_LENGTH_MAX,
  type TimeCursor,
  writeTimeCursor,
} from '../../json/timeCursor.ts';
import { answerWith } from '../../json/values.ts';
import { code, id, instant, kind, list, text, view } from '../../json/view.ts';
import { checkPeriod, periodOf } from '../lists/listEndpoints.ts';
import { recordId } from '../wire/fields.ts';

const SHOWN_MAX = 200;
const SHOWN_USUAL = 50;

const fields = kind(
  () => Type.Record(Type.String(), Type.Unknown()),
  (values: Fields) => ({ ...values }),
);

const change = view<RecordedChange>()({
  id: id((each) => each.id, '41'),
  data_hora: instant((each) => each.at, '2026-11-16T15:00:00Z'),
  autor: text.orNull((each) => each.actor, 'central', 'o usuário; null: pela linha de comando'),
  perfil: code(roleCode).orNull((each) => each.role, roleCode.operator),
  origem: code(changeOriginCode)((each) => each.origin, changeOriginCode.operations),
  acao: code(changeActionCode)((each) => each.action, changeActionCode.changed),
  tipo: code(subjectCode)((each) => each.subject, subjectCode.tariff),
  registro_id: id.orNull((each) => each.subjectId, '1'),
  nome: text.orNull((each) => each.subjectName, 'Moto padrão', 'do que foi alterado'),
  antes: fields((each) => each.before, { por_km: '1.85' }),
  depois: fields((each) => each.after, { por_km: '1.95' }),
});
const changesPage = view<{ changes: RecordedChange[]; next: TimeCursor | null }>()({
  alteracoes: list(change, (page) => page.changes),
  proximo: text.orNull(({ next }) => next && writeTimeCursor(next), null),
});

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
      cursor: Type.Optional(
        Type.String({ maxLength: TIME_CURSOR_LENGTH_MAX, description: 'o `proximo` da página anterior' }),
      ),
      limite: Type.Optional(
        Type.Integer({ minimum: 1, maximum: SHOWN_MAX, description: `padrão ${SHOWN_USUAL}` }),
      ),
    },
    { check: checkPeriod },
  ),
  ...answerWith(changesPage),
  async handle({ deps: { db }, caller, query }) {
    const page = await findChanges(
      db,
      caller.centralId,
      {
        text: query.texto?.trim() || null,
        actor: query.autor?.trim() || null,
        subject: query.tipo === undefined ? null : subjectByCode[query.tipo],
        subjectId: query.registro_id ?? null,
        ...periodOf(query, caller.central.timeZone),
        cursor: query.cursor === undefined ? null : readTimeCursor(query.cursor),
      },
      query.limite ?? SHOWN_USUAL,
    );
    return { data: changesPage.show(page, undefined) };
  },
});
