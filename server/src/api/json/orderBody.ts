import type { Static } from 'typebox';
import Type from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import {
  type Creation,
  type CreationResult,
  EXTERNAL_ID_LENGTH_MAX,
} from '../../deliveries/orders/externalId.ts';
import type { SentAddress, SentOrder } from '../../deliveries/orders/locateAddresses.ts';
import type { OrderedStop } from '../../deliveries/orders/request.ts';
import type { Script } from '../../deliveries/orders/script.ts';
import type { Replacement } from '../../deliveries/scheduled/scheduled.ts';
import { STOPS_MAX } from '../../money/pricing/stopOrder.ts';
import { parseCpf } from '../../platform/kernel/documents.ts';
import { decimalToCents, numberToCents } from '../../platform/kernel/money.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal, type RefusalKind } from '../../platform/kernel/refusal.ts';
import type { Endpoint, RequestContext } from '../http/endpoint.ts';
import { formatted } from '../http/formats.ts';
import type { Problem } from '../http/invalidInput.ts';
import { ORDER_PAYMENT_CODES, paymentByCode } from './codes.ts';
import { type OrderDemandsInput, orderDemandsField, parseDemands, stopDemandsField } from './demandBody.ts';
import { checkDecimals, dataAnswer, parseLocal } from './values.ts';

const text = (maxLength = 255) => Type.String({ maxLength });
const requiredText = (maxLength = 255) => Type.String({ minLength: 1, maxLength });
const optionalText = (maxLength = 255) => Type.Optional(Type.Union([text(maxLength), Type.Null()]));
const WITHOUT_COORDINATES =
  'pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra';
const latitude = formatted('latitude', `latitude decimal em texto; ${WITHOUT_COORDINATES}`);
const longitude = formatted('longitude', `longitude decimal em texto; ${WITHOUT_COORDINATES}`);

/** Four digits as text, because an integer would lose leading zeros. */
const confirmationCodeText = formatted('four-digits');

const PickupBody = Type.Object({
  endereco: requiredText(),
  bairro: requiredText(),
  lat: Type.Optional(latitude),
  lng: Type.Optional(longitude),
  complemento: optionalText(),
  cidade: optionalText(),
  estado: optionalText(2),
  referencia: optionalText(),
});

const StopBody = Type.Object(
  {
    endereco_parada: requiredText(),
    bairro_parada: requiredText(),
    lat_parada: Type.Optional(latitude),
    lng_parada: Type.Optional(longitude),
    nome_cliente_parada: optionalText(),
    telefone_cliente_parada: optionalText(30),
    complemento_parada: optionalText(),
    cidade_parada: optionalText(),
    estado_parada: optionalText(2),
    referencia_parada: optionalText(),
    observacao_parada: optionalText(1000),
    numero_pedido: optionalText(100),
    id_externo: optionalText(100),
    valor_cobrar: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 999_999_999 }), formatted('money'), Type.Null()]),
    ),
    codigo_confirmacao: Type.Optional(
      Type.Union([confirmationCodeText, Type.Integer({ minimum: 1000, maximum: 9999 }), Type.Null()], {
        description:
          'código de 4 dígitos do destinatário; sem ele, um é gerado quando a central exige códigos',
      }),
    ),
    exigencias: stopDemandsField,
  },
  { check: checkDecimals('valor_cobrar') },
);

const paymentField = Type.Enum([...ORDER_PAYMENT_CODES], {
  description: 'D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos',
});

/** Contract 4.3: the fields that an edit replaces. */
const editFields = {
  data: formatted('date-br', 'data do disparo, DD/MM/AAAA'),
  hora: formatted('time-br', 'hora do disparo, HH:MM:SS'),
  forma_pagamento: paymentField,
  partida: PickupBody,
  paradas: Type.Array(StopBody, { minItems: 1, maxItems: STOPS_MAX }),
  exigencias: orderDemandsField,
};

/** The fields of creation, which an edit replaces. */
export const creationFields = {
  forma_pagamento: paymentField,
  partida: PickupBody,
  paradas: Type.Array(StopBody, { minItems: 1, maxItems: STOPS_MAX }),
  empresa_id: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  cliente: Type.Optional(
    Type.Object({
      nome: requiredText(),
      cpf: formatted('cpf'),
      telefone: Type.Optional(Type.Union([formatted('phone'), Type.Null()])),
    }),
  ),
  categoria_id: Type.Optional(Type.Integer({ minimum: 1 })),
  categoria_nome: Type.Optional(requiredText()),
  com_retorno: Type.Optional(Type.Boolean()),
  observacao: optionalText(1000),
  codigo_cupom: Type.Optional(Type.Union([text(50), Type.Null()])),
  exigencias: orderDemandsField,
};

const EXTERNAL_ID = { minLength: 1, maxLength: EXTERNAL_ID_LENGTH_MAX };
/** The caller's own key of an order, where it is asked for. */
export const externalIdField = Type.String(EXTERNAL_ID);

/** The fields of a creation that an edit does not take: the caller's own key, and a quote whose price it takes. */
export const newOrderFields = {
  ...creationFields,
  id_externo: Type.Optional(
    Type.Union([Type.String(EXTERNAL_ID), Type.Null()], {
      description: 'a sua chave deste pedido, única na empresa: criar de novo com ela não cria outro pedido',
    }),
  ),
  cotacao_id: Type.Optional(
    Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
      description: 'cotação cujo preço e rota valem para este pedido',
    }),
  ),
};

const CreationBody = Type.Object(newOrderFields);
type PickupInput = Static<typeof PickupBody>;
type StopInput = Static<typeof StopBody>;

/** A company manager orders for one company; a user of the central names a company or a person. */
const personProblems: NonNullable<Endpoint['furtherProblems']> = ({ empresa_id, cliente }, { caller }) =>
  (caller.companyId ?? empresa_id ?? cliente ?? null) === null
    ? [
        {
          field: 'cliente',
          pt: 'é obrigatório quando não há empresa_id',
          en: 'is required when there is no empresa_id',
        },
      ]
    : [];

type FurtherProblems = NonNullable<Endpoint['furtherProblems']>;

/** Coordinates are required unless the central has a geocoder; one without the other is always a mistake. */
export const missingCoordinates = (
  fields: Readonly<Record<string, unknown>>,
  [lat, lng]: readonly [lat: string, lng: string],
  prefix: string,
  { deps, caller }: RequestContext,
): Problem[] => {
  const missing = [lat, lng].filter((name) => fields[name] === undefined);
  const mayBeMissing = missing.length === 2 && deps.geocoders.isOn(caller.central.settings);
  if (mayBeMissing) return [];
  return missing.map((name) => ({ field: prefix + name, pt: 'é obrigatório', en: 'is required' }));
};

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For edits, whose person and company stay. */
export const coordinateProblems: FurtherProblems = ({ partida, paradas }, context) => [
  ...(isFields(partida) ? missingCoordinates(partida, ['lat', 'lng'], 'partida.', context) : []),
  ...(Array.isArray(paradas) ? paradas.slice(0, STOPS_MAX) : []).flatMap((stop: unknown, index) =>
    isFields(stop)
      ? missingCoordinates(stop, ['lat_parada', 'lng_parada'], `paradas[${index}].`, context)
      : [],
  ),
];

export const creationProblems: FurtherProblems = (body, context) => [
  ...personProblems(body, context),
  ...coordinateProblems(body, context),
];

/** The refusals of orders, edits and estimates with addresses without coordinates. */
export const locatingRefusals: readonly RefusalKind[] = [
  'pickup-not-found',
  'stop-address-not-found',
  'pickup-unsure',
  'stop-address-unsure',
  'geocoding-unavailable',
];

/** The refusals of a creation that names a quote. */
export const quoteRefusals: readonly RefusalKind[] = [
  'quote-not-found',
  'quote-expired',
  'quote-used',
  'quote-differs',
  'quote-of-other-company',
];

const creationResultCode = {
  created: 'criada',
  repeated: 'repetida',
  edited: 'editada',
} as const satisfies Record<CreationResult, string>;

/** What both creations say of `id_externo`. */
export const CREATION_WITH_KEY =
  'Com id_externo, criar de novo com o mesmo conteúdo responde o mesmo id; com outro conteúdo, edita o pedido que já ' +
  'existe enquanto ele pode ser editado, e resultado diz o que houve.';

/** `data` of a creation. Without an own key the answer is the id alone. */
export const creationAnswer = dataAnswer(
  Type.Object({
    id_mch: Type.String(),
    resultado: Type.Optional(
      Type.Enum(Object.values(creationResultCode), {
        description: 'só com id_externo: se o pedido foi criado, já existia igual, ou foi editado',
      }),
    ),
  }),
);

export const formatCreation = ({ id, result }: Creation) => ({
  data: { id_mch: String(id), ...(result && { resultado: creationResultCode[result] }) },
});

/** Requires a body without `creationProblems`. */
export function parseCreation(body: Static<typeof CreationBody>, caller: Caller): SentOrder {
  const companyId = caller.companyId ?? body.empresa_id ?? null;
  // For a manager, other companies are answered as missing.
  if (caller.companyId !== null && (body.empresa_id ?? caller.companyId) !== caller.companyId)
    throw new Refusal('company-not-found');
  return {
    companyId,
    person:
      companyId === null && body.cliente
        ? { name: body.cliente.nome, cpf: parseCpf(body.cliente.cpf)!, phone: body.cliente.telefone ?? null }
        : null,
    category: { id: body.categoria_id, name: body.categoria_nome },
    payment: paymentByCode[body.forma_pagamento],
    returning: body.com_retorno ?? false,
    note: given(body.observacao),
    couponCode: given(body.codigo_cupom),
    ...(body.cotacao_id && { quoteId: body.cotacao_id }),
    ...(body.id_externo && { externalId: body.id_externo }),
    pickup: parsePickup(body.partida),
    stops: parseStops(body),
  };
}

const parsePickup = (pickup: PickupInput): SentAddress => ({
  address: pickup.endereco,
  complement: given(pickup.complemento),
  reference: given(pickup.referencia),
  district: pickup.bairro,
  city: pickup.cidade ?? '',
  state: pickup.estado ?? '',
  position: parsePosition(pickup.lat, pickup.lng),
});

const parsePosition = (lat: string | undefined, lng: string | undefined): Position | null =>
  lat === undefined || lng === undefined ? null : { lat: Number(lat), lng: Number(lng) };

interface StopsInput {
  paradas: readonly StopInput[];
  exigencias?: OrderDemandsInput;
}
const parseStops = ({ paradas, exigencias }: StopsInput): SentAddress<OrderedStop>[] =>
  paradas.map((stop) => parseStop(stop, exigencias));

const parseStop = (stop: StopInput, demands: OrderDemandsInput): SentAddress<OrderedStop> => ({
  address: stop.endereco_parada,
  complement: given(stop.complemento_parada),
  reference: given(stop.referencia_parada),
  district: stop.bairro_parada,
  city: stop.cidade_parada ?? '',
  state: stop.estado_parada ?? '',
  position: parsePosition(stop.lat_parada, stop.lng_parada),
  orderNumber: given(stop.numero_pedido),
  externalId: given(stop.id_externo),
  recipientName: given(stop.nome_cliente_parada),
  recipientPhone: given(stop.telefone_cliente_parada),
  note: given(stop.observacao_parada),
  collectCents: parseCollect(stop.valor_cobrar),
  confirmationCode: stop.codigo_confirmacao == null ? null : Number(stop.codigo_confirmacao),
  demands: parseDemands(demands, stop.exigencias),
});

const parseCollect = (value: string | number | null | undefined): number | null =>
  typeof value === 'string' ? decimalToCents(value) : typeof value === 'number' ? numberToCents(value) : null;

/** An empty text counts as absent. */
const given = (value: string | null | undefined): string | null => (value ? value : null);

/** A body of creation that works unchanged on the demonstration central. */
export const orderExample = {
  empresa_id: 1,
  forma_pagamento: 'D',
  partida: {
    endereco: 'Rua dos Andradas, 1001',
    bairro: 'Centro Histórico',
    cidade: 'Porto Alegre',
    estado: 'RS',
    lat: '-30.0305',
    lng: '-51.2303',
  },
  paradas: [
    {
      endereco_parada: 'Avenida Ipiranga, 1200',
      bairro_parada: 'Azenha',
      cidade_parada: 'Porto Alegre',
      estado_parada: 'RS',
      lat_parada: '-30.0489',
      lng_parada: '-51.2158',
      nome_cliente_parada: 'Maria',
      telefone_cliente_parada: '51999990000',
      numero_pedido: 'A-1',
    },
  ],
};

/** Contract 4.3. */
export const EditBody = Type.Object(editFields);

/** Contract 4.18: the fields of creation, and the time of the dispatch. */
export const ScheduleBody = Type.Object({
  data: editFields.data,
  hora: editFields.hora,
  ...newOrderFields,
});

type SentReplacement = Omit<Replacement, 'pickup' | 'stops'> & Pick<SentOrder, 'pickup' | 'stops'>;

export const parseReplacement = (
  body: Static<typeof EditBody>,
  { central }: Caller,
  now: Temporal.Instant,
): SentReplacement => ({
  dispatchAt: parseLocal(body.data, body.hora, central.timeZone, now),
  payment: paymentByCode[body.forma_pagamento],
  pickup: parsePickup(body.partida),
  stops: parseStops(body),
});

const { empresa_id, ...edited } = orderExample;

export const scheduleExample = { data: '24/12/2027', hora: '18:30:00', empresa_id, ...edited };
export const editExample = { data: '24/12/2027', hora: '19:00:00', ...edited };

/** What an integrator writes into `observacao` to choose how a simulated delivery goes: [simular: recusa]. */
export const scriptWord = {
  success: 'sucesso',
  refusal: 'recusa',
  no_driver: 'sem-condutor',
  giving_up: 'desistencia',
  breakdown: 'pane',
  absent: 'ausente',
  failure: 'nao-entregue',
} as const satisfies Record<Script, string>;

const MARKER = /\[\s*simular\s*:\s*([^\]]{1,40})\]/i;

/** Ignores accents, case and the kind of space between words. Without a known marker the script is success. */
export function parseScript(note: string | null): Script {
  const written = note && MARKER.exec(note)?.[1];
  if (!written) return 'success';
  const word = written
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
  const found = Object.entries(scriptWord).find(([, known]) => known === word);
  return (found?.[0] as Script | undefined) ?? 'success';
}

/** The reason with which a stop with a locked code is concluded, stored in the history like any operator's reason. */
export const SIMULATED_OVERRIDE = 'simulação: sem código ou comprovante';

/** The note of a simulated driver when the recipient is absent. */
export const SIMULATED_ABSENCE = 'simulação: ninguém atende';
