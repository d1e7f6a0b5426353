import Type from 'typebox';
import type { Language } from '../http/envelope.ts';
import { failures } from '../http/failures.ts';
import type { RefusalKind } from '../kernel/refusal.ts';
import { situationCode, situationLabel } from './codes.ts';
import { degrees, degreesText, letter, money } from './deliveryJson.ts';
import { nullable } from './values.ts';

// Contract 2.2 and 2.4, written by PostgreSQL itself as in deliveryJson.ts.

const text = Type.String();
const decimal = Type.String({ pattern: '^\\d+\\.\\d{2}$' });

const ScheduledStopSchema = Type.Object({
  id: text,
  ordem: Type.Integer({ minimum: 0 }),
  endereco: text,
  complemento: nullable(text),
  referencia: nullable(text),
  bairro: text,
  cidade: text,
  uf: text,
  lat: degrees,
  lng: degrees,
  numero_pedido: text,
  nome_cliente: text,
  telefone_cliente: text,
  observacao: nullable(text),
});

export const ScheduledSchema = Type.Object({
  id_mch_programada: text,
  situacao: Type.Enum(Object.values(situationCode)),
  situacao_formatada: Type.Enum(Object.values(situationLabel)),
  data_previsao_disparo: Type.String({ pattern: '^\\d{2}/\\d{2}/\\d{4}$' }),
  hora_previsao_disparo: Type.String({ pattern: '^\\d{2}:\\d{2}:\\d{2}$' }),
  id_mch: nullable(text),
  observacao: nullable(text),
  empresa: Type.Object({ id: nullable(text), nome: nullable(text) }),
  categoria: Type.Object({ id: text, nome: text }),
  valor: Type.Object({ estimado: decimal, prefixado: nullable(decimal) }),
  coleta: Type.Object({
    endereco: text,
    complemento: text,
    referencia: text,
    bairro: text,
    cidade: text,
    estado: text,
    lat: degrees,
    lng: degrees,
  }),
  paradas: Type.Array(ScheduledStopSchema),
});

/**
 * The select list, joins and first condition that give `document`, the JSON text of scheduled delivery `s`; the central
 * and `zone` are parameters. One that was grouped into another shows that one's delivery once there is one: it is where
 * its stops are. Its stops are listed in the one that carries them.
 */
export const scheduledDocument = (centralId: string, zone: string): string => `
  row_to_json(fields)::text as document
  from scheduled s
  join categories category on category.central_id = ${centralId} and category.id = s.category_id
  left join companies company on company.central_id = ${centralId} and company.id = s.company_id
  left join scheduled grouper on grouper.central_id = ${centralId} and grouper.id = s.grouped_into
  cross join lateral (select
    s.id::text as id_mch_programada,
    ${letter('s.situation', situationCode)} as situacao,
    ${letter('s.situation', situationLabel)} as situacao_formatada,
    to_char(s.dispatch_at at time zone ${zone}, 'DD/MM/YYYY') as data_previsao_disparo,
    to_char(s.dispatch_at at time zone ${zone}, 'HH24:MI:SS') as hora_previsao_disparo,
    coalesce(s.delivery_id, grouper.delivery_id)::text as id_mch,
    s.note as observacao,
    json_build_object('id', s.company_id::text, 'nome', company.name) as empresa,
    json_build_object('id', s.category_id::text, 'nome', category.name) as categoria,
    json_build_object('estimado', ${money('s.net_cents')}, 'prefixado', null) as valor,
    json_build_object('endereco', s.pickup_address, 'complemento', coalesce(s.pickup_complement, ''),
      'referencia', coalesce(s.pickup_reference, ''), 'bairro', s.pickup_district, 'cidade', s.pickup_city,
      'estado', s.pickup_state, 'lat', ${degreesText('s.pickup_lat')}, 'lng', ${degreesText('s.pickup_lng')}) as coleta,
    (select coalesce(json_agg(json_build_object(
        'id', p.id::text, 'ordem', p.position, 'endereco', p.address, 'complemento', p.complement,
        'referencia', p.reference, 'bairro', p.district, 'cidade', p.city, 'uf', p.state, 'lat', ${degreesText('p.lat')},
        'lng', ${degreesText('p.lng')}, 'numero_pedido', coalesce(p.order_number, ''),
        'nome_cliente', coalesce(p.recipient_name, ''), 'telefone_cliente', coalesce(p.recipient_phone, ''),
        'observacao', p.note) order by p.position), '[]')
      from scheduled_stops p where p.central_id = ${centralId} and p.scheduled_id = s.id) as paradas
  ) fields
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
