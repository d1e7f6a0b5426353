import Type from 'typebox';
import type { RefusalKind } from '../../platform/kernel/refusal.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { Language } from '../http/envelope.ts';
import { failures } from '../http/failures/failures.ts';
import { labelsOf, situationCode } from './codes.ts';
import { ownKey, ownKeyOf } from './deliveryJson.ts';
import { SITUATION_LABELS } from './labels.ts';
import {
  sqlCents,
  sqlCode,
  sqlDegrees,
  sqlId,
  sqlKind,
  sqlList,
  sqlObject,
  sqlPosition,
  sqlText,
} from './sqlView.ts';

/** `situacao_formatada`. */
export const situationLabel = labelsOf(situationCode, SITUATION_LABELS);

// Contract 2.2 and 2.4, written by PostgreSQL itself as in deliveryJson.ts.

const cents = sqlKind(Type.String({ pattern: '^\\d+\\.\\d{2}$' }), sqlCents);
const day = sqlKind(
  Type.String({ pattern: '^\\d{2}/\\d{2}/\\d{4}$' }),
  (column) => `to_char(${column} at time zone here.zone, 'DD/MM/YYYY')`,
);
const timeOfDay = sqlKind(
  Type.String({ pattern: '^\\d{2}:\\d{2}:\\d{2}$' }),
  (column) => `to_char(${column} at time zone here.zone, 'HH24:MI:SS')`,
);

/** A stop `p`. */
export const scheduledStop = sqlObject({
  id: sqlId('p.id', '901'),
  ordem: sqlPosition('p.position', 0),
  endereco: sqlText('p.address', 'Avenida Ipiranga, 1200'),
  complemento: sqlText.orNull('p.complement', null),
  referencia: sqlText.orNull('p.reference', null),
  bairro: sqlText('p.district', 'Azenha'),
  cidade: sqlText('p.city', 'Porto Alegre'),
  uf: sqlText('p.state', 'RS'),
  lat: sqlDegrees('p.lat', '-30.0489'),
  lng: sqlDegrees('p.lng', '-51.2158'),
  numero_pedido: sqlText(`coalesce(p.order_number, '')`, 'A-1'),
  nome_cliente: sqlText(`coalesce(p.recipient_name, '')`, 'Maria'),
  telefone_cliente: sqlText(`coalesce(p.recipient_phone, '')`, '51999990000'),
  observacao: sqlText.orNull('p.note', null),
});

/**
 * A grouped scheduled delivery shows the delivery of its grouper, once that is dispatched. Its stops are listed in its
 * grouper.
 */
export const scheduledAnswer = sqlObject({
  id_mch_programada: sqlId('s.id', '318'),
  situacao: sqlCode(situationCode)('s.situation', 'A'),
  situacao_formatada: sqlCode(situationLabel)('s.situation', 'Aguardando'),
  data_previsao_disparo: day('s.dispatch_at', '24/12/2027'),
  hora_previsao_disparo: timeOfDay('s.dispatch_at', '18:30:00'),
  id_mch: sqlId.orNull('coalesce(s.delivery_id, grouper.delivery_id)', null),
  observacao: sqlText.orNull('s.note', null),
  empresa: sqlObject({
    id: sqlId.orNull('s.company_id', '1'),
    nome: sqlText.orNull('company.name', 'Padaria Moinhos'),
  }),
  categoria: sqlObject({ id: sqlId('s.category_id', '1'), nome: sqlText('category.name', 'Moto') }),
  valor: sqlObject({
    estimado: cents('s.net_cents', '14.35'),
    prefixado: { ...cents.orNull('', null), sql: 'null' },
  }),
  coleta: sqlObject({
    endereco: sqlText('s.pickup_address', 'Rua dos Andradas, 1001'),
    complemento: sqlText(`coalesce(s.pickup_complement, '')`, ''),
    referencia: sqlText(`coalesce(s.pickup_reference, '')`, ''),
    bairro: sqlText('s.pickup_district', 'Centro Histórico'),
    cidade: sqlText('s.pickup_city', 'Porto Alegre'),
    estado: sqlText('s.pickup_state', 'RS'),
    lat: sqlDegrees('s.pickup_lat', '-30.0305'),
    lng: sqlDegrees('s.pickup_lng', '-51.2303'),
  }),
  paradas: sqlList(scheduledStop, `coalesce(stops.documents, '[]')`),
  id_externo: ownKey,
});

const FIELDS = raw(scheduledAnswer.columns);
const OWN_KEY = ownKeyOf('s');
const STOP = raw(scheduledStop.sql);

/** The select list, joins and first condition that give `document`, the JSON text of scheduled delivery `s`. */
export const scheduledDocument = (centralId: number, timeZone: string): Sql => sql`
  left(row_to_json(fields)::text, -1) || ${OWN_KEY} || '}' as document
  from scheduled s
  join categories category on category.central_id = ${centralId} and category.id = s.category_id
  left join companies company on company.central_id = ${centralId} and company.id = s.company_id
  left join scheduled grouper on grouper.central_id = ${centralId} and grouper.id = s.grouped_into
  cross join (select ${timeZone}::text as zone) here
  cross join lateral (
    select json_agg(${STOP} order by p.position) as documents
    from scheduled_stops p where p.central_id = ${centralId} and p.scheduled_id = s.id) stops
  cross join lateral (select ${FIELDS}) fields
  where s.central_id = ${centralId}`;

type Words = Readonly<Record<Language, string>>;

const internal: Words = { pt: 'erro interno no disparo', en: 'internal error at the dispatch' };

/** Only the kind of a failure is stored, so texts with details cannot be used here. */
const withoutDetails: Readonly<Partial<Record<string, Words>>> = {
  'outside-operating-areas': {
    pt: 'um ponto fica fora das áreas de atuação da central',
    en: 'a point is outside the operating areas of the central',
  },
};

/** Why a dispatch failed, in the text with which a request would have been refused. */
export function describeDispatchFailure(failure: string, language: Language): string {
  const words =
    withoutDetails[failure] ?? (failures[failure as RefusalKind] as Words | undefined) ?? internal;
  return words[language].includes('{') ? internal[language] : words[language];
}
