import Type from 'typebox';
import { joined, raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import { paymentCode, queryStatusCode } from './codes.ts';
import {
  sqlCents,
  sqlCode,
  sqlDegrees,
  sqlFlag,
  sqlId,
  sqlKind,
  sqlList,
  sqlObject,
  sqlPosition,
  sqlText,
} from './sqlView.ts';
import { nullable } from './values.ts';
import { lastInExample } from './view.ts';

// Contract 2.1 and 2.3, written by PostgreSQL itself: a page of a hundred deliveries is passed through as
// text instead of being parsed, mapped and written again here (measured: three times the pages a second).

export const localTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' });
export const utcTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' });
export const decimal = Type.String({ pattern: '^-?\\d+\\.\\d+$' });

const percent = sqlKind(decimal);
const cents = sqlKind(decimal, sqlCents);
const km = sqlKind(decimal, (metres) => `trim(to_char(${metres} / 1000.0, 'FM999999990.00'))`);
const local = sqlKind(
  localTime,
  (column) => `to_char(${column} at time zone here.zone, 'YYYY-MM-DD HH24:MI:SS')`,
);
const utc = sqlKind(
  utcTime,
  (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
);
/** Shown only where it applies; see `deliveryDocuments`. */
const sometimes = (example?: string) => ({ schema: Type.Optional(Type.String()), example, sql: null });

/** The caller's own key of a row, if it has one. */
export const ownKey = sometimes('PED-1042');
/** Appended to the JSON of the row without its last brace. */
export const ownKeyOf = (row: string) =>
  raw(
    `case when ${row}.external_id is null then '' else ',"id_externo":' || to_json(${row}.external_id) end`,
  );

/** Computed from seconds, because an interval has days, whose hours start again at 0. */
const DURATION = `to_char(make_interval(
  secs => coalesce(floor(extract(epoch from d.finished_at - d.started_at)), 0)), 'HH24:MI:SS')`;
/** The price of a grouped delivery is part of its carrier's, so that a sum counts it once. */
const OWN_PRICE = 'case when d.grouped_into is null then d.net_cents else 0 end';

/** A stop `s`. */
export const stopAnswer = sqlObject({
  id: sqlId('s.id', '2077'),
  endereco: sqlText('s.address', 'Avenida Ipiranga, 1200'),
  complemento: sqlText(`coalesce(s.complement, '')`, 'sala 4'),
  bairro: sqlText('s.district', 'Azenha'),
  cidade: sqlText('s.city', 'Porto Alegre'),
  uf: sqlText('s.state', 'RS'),
  lat: sqlDegrees('s.lat', '-30.0489'),
  lng: sqlDegrees('s.lng', '-51.2158'),
  ordem: sqlPosition('s.position', 0),
  numero_pedido: sqlText(`coalesce(s.order_number, '')`, 'A-1'),
});

const pickup = {
  endereco: sqlText('d.pickup_address', 'Rua dos Andradas, 1001'),
  complemento: sqlText.orNull('d.pickup_complement', null),
  referencia: sqlText.orNull('d.pickup_reference', null),
  bairro: sqlText('d.pickup_district', 'Centro Histórico'),
  cidade: sqlText('d.pickup_city', 'Porto Alegre'),
  estado: sqlText('d.pickup_state', 'RS'),
  lat: sqlDegrees('d.pickup_lat', '-30.0305'),
  lng: sqlDegrees('d.pickup_lng', '-51.2303'),
};
const { complemento: _complement, referencia: _reference, ...returned } = pickup;
const wanted = sqlObject(returned);

const driver = {
  id: sqlText(`coalesce(d.driver_id::text, '')`, '3'),
  name: sqlText(`coalesce(driver.name, '')`, 'Carlos Lima'),
  phone: sqlText(`coalesce(driver.phone, '')`, '51999990003'),
};

/** A finished delivery of a company is the example. */
export const deliveryAnswer = lastInExample(
  sqlObject({
    id: sqlId('d.id', '1042'),
    data_hora_solicitacao: local('d.requested_at', '2026-11-16 12:00:00'),
    data_hora_solicitacao_utc: utc('d.requested_at', '2026-11-16T15:00:00Z'),
    data_hora_chegada_local: local.orNull('d.arrived_at', '2026-11-16 12:09:41'),
    data_hora_chegada_local_utc: utc.orNull('d.arrived_at', '2026-11-16T15:09:41Z'),
    data_hora_aceite: local.orNull('d.accepted_at', '2026-11-16 12:01:12'),
    data_hora_aceite_utc: utc.orNull('d.accepted_at', '2026-11-16T15:01:12Z'),
    data_hora_finalizacao: local.orNull('d.finished_at', '2026-11-16 12:31:05'),
    data_hora_finalizacao_utc: utc.orNull('d.finished_at', '2026-11-16T15:31:05Z'),
    data_hora_cancelamento: local.orNull('d.cancelled_at', null),
    data_hora_cancelamento_utc: utc.orNull('d.cancelled_at', null),
    data_hora_pendencia: local.orNull('d.pending_at', null),
    data_hora_pendencia_utc: utc.orNull('d.pending_at', null),
    status_solicitacao: sqlCode(queryStatusCode)('d.status', 'F'),
    cliente_id: sqlId('d.customer_id', '1'),
    nome_passageiro: sqlText('customer.name', 'Padaria Moinhos'),
    empresa_id: sqlId.orNull('d.company_id', '1'),
    bandeira_chamada_id: sqlId('d.central_id', '1'),
    bandeira_configuracao_id: sqlId('d.central_id', '1'),
    distancia_coleta_km: km('d.driver_to_pickup_metres', '1.84'),
    valor_corrida: cents(OWN_PRICE, '15.29'),
    condutor_especificado: sqlFlag('d.driver_specified', false),
    com_retorno: sqlFlag('d.has_return', false),
    taxista_id: driver.id,
    nome_taxista: driver.name,
    telefone_taxista: driver.phone,
    veiculo: sqlText(`coalesce(driver.vehicle, '')`, 'Honda Biz'),
    placa_veiculo: sqlText(`coalesce(driver.plate, '')`, 'IXC3D45'),
    cor_veiculo: sqlText.orNull('driver.color', 'branca'),
    duracao_corrida: sqlText(DURATION, '00:19:22'),
    distancia_percorrida_km: km('d.travelled_metres', '4.31'),
    data_hora_inicio: utc.orNull('d.started_at', '2026-11-16T15:11:43Z'),
    tipo_pagamento: sqlCode(paymentCode)('d.payment', 'D'),
    desconto: percent('d.discount_percent::text', '10.00'),
    tarifa: sqlText('tariff.name', 'Moto padrão'),
    id_categoria: sqlId('d.category_id', '1'),
    categoria: sqlText('category.name', 'Moto'),
    descricao_categoria: sqlText('category.description', 'Entregas de moto, até 10 kg'),
    nome_cliente: sqlText('customer.name', 'Padaria Moinhos'),
    cpf_cliente: sometimes(),
    cnpj_cpf_empresa: sometimes('11222333000181'),
    codigo_cupom: sometimes('DEMO10'),
    gerador_cupom_id: sometimes('1'),
    id_externo: ownKey,
    taxas_cancelamento: cents.orNull('d.cancellation_fee_cents', null),
    paradas: sqlList(stopAnswer, `coalesce(stops.documents, '[]')`),
    condutor_id: driver.id,
    nome_condutor: driver.name,
    telefone_condutor: driver.phone,
    telefone_condutor_internacional: sqlText(
      `coalesce('+55' || driver.phone, '')`,
      `+55${driver.phone.example}`,
    ),
    partida: sqlObject(pickup),
    desejado: {
      schema: nullable(wanted.schema),
      example: null,
      sql: `case when d.has_return then ${wanted.sql} end`,
    },
  }),
  ...(['cnpj_cpf_empresa', 'codigo_cupom', 'gerador_cupom_id', 'id_externo'] as const),
);

/** The registers that the JSON of a delivery `d` contains, by their aliases in the SQL below. */
const REGISTERS = {
  customer: 'customers',
  category: 'categories',
  tariff: 'tariffs',
  company: 'companies',
  driver: 'drivers',
  coupon: 'coupons',
} as const;
const NAMES = Object.keys(REGISTERS);
const versionOf = (name: string) => `'${name} ' || ${name}.id || ' ' || ${name}.xmin`;
const STOP_VERSIONS = sql`string_agg(s.xmin::text, ' ' order by s.position)`;
const REGISTER_IDS = raw(NAMES.map((name) => `d.${name}_id`).join(', '));
const REGISTER_VERSIONS = raw(NAMES.map(versionOf).join(', '));
const VERSION_SOURCES = Object.entries(REGISTERS).map(([name, table]) => ({
  name: raw(name),
  table: raw(table),
  version: raw(versionOf(name)),
}));

/**
 * One row with the versions of all rows that the JSON is made from (see rowTexts.ts), each list separated by commas:
 * `deliveries` in the order of `page` (id, version), `stops` (id of the delivery, versions), `registers` (name, id,
 * version). `page` gives the ids and requested_at of deliveries of the central, newest first.
 *
 * Stops and registers are read as sets: joins row by row took four times as long.
 */
export const deliveryVersions = (centralId: number, page: Sql): Sql => sql`
  with page as materialized (${page}),
  d as materialized (
    select d.id, d.xmin, d.requested_at, ${REGISTER_IDS}
    from page join deliveries d on d.central_id = ${centralId} and d.id = page.id)
  select
    (select string_agg(d.id || ' ' || d.xmin, ',' order by d.requested_at desc, d.id desc) from d) as deliveries,
    (select string_agg(stop.delivery_id || ' ' || stop.versions, ',') from (
      select s.delivery_id, ${STOP_VERSIONS} as versions from stops s
      where s.central_id = ${centralId} and s.delivery_id = any(array(select id from page))
      group by s.delivery_id) stop) as stops,
    (select string_agg(register.version, ',') from (
      ${joined(
        VERSION_SOURCES.map(
          ({ name, table, version }) => sql`
        select ${version} as version from ${table} ${name}
        where ${name}.central_id = ${centralId} and ${name}.id = any(array(select distinct d.${name}_id from d))`,
        ),
        ' union all ',
      )}) register) as registers`;

const FIELDS = raw(deliveryAnswer.columns);
const OWN_KEY = ownKeyOf('d');
const STOP = raw(stopAnswer.sql);

/**
 * Deliveries as JSON texts, with the versions of the rows they were made from; the caller may add conditions on `d`.
 * Fields that the contract shows only sometimes are concatenated, because a row has either all of its columns or none.
 */
export const deliveryDocuments = (
  centralId: number,
  timeZone: string,
  ids: readonly (number | string)[],
): Sql => sql`
  select d.id, d.xmin::text as version, stops.versions as stops,
  concat_ws(',', ${REGISTER_VERSIONS}) as registers,
  left(row_to_json(fields)::text, -1)
  || case when d.company_id is null then ',"cpf_cliente":' || to_json(coalesce(customer.cpf, '***'))
       else ',"cnpj_cpf_empresa":' || to_json(company.document) end
  || case when d.coupon_id is null then ''
       else ',"codigo_cupom":' || to_json(coupon.code) || ',"gerador_cupom_id":' || to_json(coupon.generator_id) end
  || ${OWN_KEY} || '}' as document
  from deliveries d
  join customers customer on customer.central_id = ${centralId} and customer.id = d.customer_id
  join categories category on category.central_id = ${centralId} and category.id = d.category_id
  join tariffs tariff on tariff.central_id = ${centralId} and tariff.id = d.tariff_id
  left join companies company on company.central_id = ${centralId} and company.id = d.company_id
  left join drivers driver on driver.central_id = ${centralId} and driver.id = d.driver_id
  left join coupons coupon on coupon.central_id = ${centralId} and coupon.id = d.coupon_id
  cross join (select ${timeZone}::text as zone) here
  cross join lateral (
    select ${STOP_VERSIONS} as versions, json_agg(${STOP} order by s.position) as documents
    from stops s where s.central_id = ${centralId} and s.delivery_id = d.id) stops
  cross join lateral (select ${FIELDS}) fields
  where d.central_id = ${centralId} and d.id = any(${ids}::bigint[])`;
