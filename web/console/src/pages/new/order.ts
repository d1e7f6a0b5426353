import { serverNow } from '../../../../shared/clock.ts';
import { fromLocalInputs, toBrazilianDate } from '../../../../shared/formats.ts';
import { newKey } from '../../../../shared/insecure.ts';
import type { Position } from '../../../../shared/map/mapPoint.ts';
import type { Body } from '../../api.ts';
import type { FoundAddress, KnownAddress } from '../../data/addresses.ts';
import type { DeliveryDetail, FullPlace } from '../../data/deliveries.ts';
import type { Scheduled, ScheduledStop } from '../../data/scheduled.ts';
import {
  type OrderDemandsDraft,
  orderDemandsOf,
  type StopDemandsDraft,
  stopDemandsOf,
  toOrderDemands,
  toStopDemands,
} from './demands.ts';

/** The draft of a place. */
export interface PlaceDraft {
  /** The street, or any other text that was typed. */
  endereco: string;
  numero: string;
  bairro: string;
  complemento: string;
  referencia: string;
  cidade: string;
  estado: string;
  lat: string;
  lng: string;
  /** How the position was found: the server's value, BY_HAND, or empty if it came with the order. */
  precisao: string;
  /** The address that the position was found for. */
  localizado: string;
  /** The pin was moved away from the position that was found for the address. */
  corrigido: boolean;
}

/** The position was set by hand, whatever the address says. */
export const BY_HAND = 'mapa';

export interface StopDraft extends PlaceDraft {
  /** Identifies the stop when the order of stops changes. */
  key: string;
  nome_cliente: string;
  telefone_cliente: string;
  numero_pedido: string;
  valor_cobrar: string;
  observacao: string;
  /** The integrator's own id, which the form does not show and an edit keeps. */
  id_externo?: string | null;
  exigencias?: StopDemandsDraft | undefined;
}

export interface OrderDraft {
  quem: 'empresa' | 'pessoa';
  empresa_id: string;
  nome: string;
  cpf: string;
  telefone: string;
  categoria_id: string;
  forma_pagamento: string;
  com_retorno: boolean;
  codigo_cupom: string;
  observacao: string;
  quando: 'agora' | 'depois';
  data: string;
  hora: string;
  partida: PlaceDraft;
  paradas: StopDraft[];
  exigencias?: OrderDemandsDraft | undefined;
}

export const STOPS_MAX = 10;

export const noPlace: PlaceDraft = {
  endereco: '',
  numero: '',
  bairro: '',
  complemento: '',
  referencia: '',
  cidade: '',
  estado: '',
  lat: '',
  lng: '',
  precisao: '',
  localizado: '',
  corrigido: false,
};

/** A new stop has the town of the pickup, because most deliveries stay in one town. */
export const newStop = ({ cidade, estado }: Pick<PlaceDraft, 'cidade' | 'estado'>): StopDraft => ({
  ...noPlace,
  cidade,
  estado,
  key: newKey(),
  nome_cliente: '',
  telefone_cliente: '',
  numero_pedido: '',
  valor_cobrar: '',
  observacao: '',
});

export const emptyOrder = (): OrderDraft => ({
  quem: 'empresa',
  empresa_id: '',
  nome: '',
  cpf: '',
  telefone: '',
  categoria_id: '',
  forma_pagamento: 'D',
  com_retorno: false,
  codigo_cupom: '',
  observacao: '',
  quando: 'agora',
  data: '',
  hora: '',
  partida: noPlace,
  paradas: [newStop(noPlace)],
});

/** A new order with the places and people of an earlier delivery. */
export const orderLike = (detail: DeliveryDetail): OrderDraft => ({
  ...emptyOrder(),
  quem: detail.empresa_id ? 'empresa' : 'pessoa',
  empresa_id: detail.empresa_id ?? '',
  nome: detail.empresa_id ? '' : detail.nome_cliente,
  telefone: detail.empresa_id ? '' : (detail.telefone_cliente ?? ''),
  categoria_id: detail.categoria.id,
  forma_pagamento: detail.tipo_pagamento,
  com_retorno: detail.com_retorno,
  observacao: detail.observacao ?? '',
  partida: placeLike(detail.partida),
  paradas: detail.paradas.map((stop) => ({
    ...stopLike(stop),
    key: newKey(),
    // The number and the amount to collect belong to the earlier order.
    numero_pedido: '',
    valor_cobrar: '',
  })),
});

/** The draft for editing a scheduled delivery. `dispatch` is its time on the central's clock. */
export const orderOfScheduled = (
  scheduled: Scheduled,
  dispatch: { date: string; time: string },
  zone: string,
): OrderDraft => ({
  ...emptyOrder(),
  quem: scheduled.empresa ? 'empresa' : 'pessoa',
  empresa_id: scheduled.empresa?.id ?? '',
  categoria_id: scheduled.categoria.id,
  forma_pagamento: scheduled.forma_pagamento,
  com_retorno: scheduled.com_retorno,
  quando: 'depois',
  data: dispatch.date,
  hora: dispatch.time,
  partida: placeLike(scheduled.coleta),
  exigencias: orderDemandsOf(scheduled.exigencias, zone),
  paradas: scheduled.paradas.map((stop) => ({
    ...stopLike(stop),
    id_externo: stop.id_externo,
    exigencias: stopDemandsOf(stop.exigencias, zone),
  })),
});

/** The draft of an existing stop. Its id is the key. */
export const stopLike = (stop: Omit<ScheduledStop, 'id_externo'>): StopDraft => ({
  ...placeLike(stop),
  key: stop.id,
  nome_cliente: stop.nome_cliente ?? '',
  telefone_cliente: stop.telefone_cliente ?? '',
  numero_pedido: stop.numero_pedido ?? '',
  valor_cobrar: stop.valor_cobrar ?? '',
  observacao: stop.observacao ?? '',
});

/** The draft of an existing place. */
export const placeLike = (place: Omit<FullPlace, 'localizacao'>): PlaceDraft => ({
  ...noPlace,
  ...splitLine(place.endereco),
  bairro: place.bairro,
  complemento: place.complemento ?? '',
  referencia: place.referencia ?? '',
  cidade: place.cidade,
  estado: place.estado,
  lat: String(place.lat),
  lng: String(place.lng),
  // Joined again, because splitting may drop spaces between street and number.
  localizado: addressLine(splitLine(place.endereco)),
});

/** Splits "Rua dos Andradas, 1001" into street and number. Anything else is kept whole. */
function splitLine(line: string): { endereco: string; numero: string } {
  const [, street, number] = /^(.*\S)\s*,\s*(\d{1,6}[A-Za-z]?)$/.exec(line.trim()) ?? [];
  return street && number ? { endereco: street, numero: number } : { endereco: line, numero: '' };
}

/** The address as it is sent. */
export const addressLine = ({ endereco, numero }: Pick<PlaceDraft, 'endereco' | 'numero'>): string =>
  [endereco.trim(), numero.trim()].filter(Boolean).join(', ');

/** Whether the position belongs to the current address and not to an earlier text. */
export const isLocated = (place: PlaceDraft): boolean =>
  positionOf(place) !== null && (place.precisao === BY_HAND || place.localizado === addressLine(place));

/** The changes for a place that the server has found. Parts that it does not know stay as typed. */
export function fromFound(found: FoundAddress, before: PlaceDraft): Partial<PlaceDraft> {
  const place = {
    endereco: found.rua || before.endereco,
    numero: found.rua ? String(found.numero ?? (found.rua === before.endereco ? before.numero : '')) : '',
    bairro: found.bairro || before.bairro,
    cidade: found.cidade || before.cidade,
    estado: found.estado || before.estado,
  };
  return {
    ...place,
    lat: found.lat.toFixed(6),
    lng: found.lng.toFixed(6),
    precisao: found.precisao,
    localizado: addressLine(place),
    corrigido: false,
  };
}

/** The changes for an address that the company uses. A stop gets the recipient too. */
export const fromKnown = (known: KnownAddress, isPickup: boolean): Partial<StopDraft> => ({
  ...splitLine(known.endereco),
  bairro: known.bairro,
  complemento: known.complemento ?? '',
  referencia: known.referencia ?? '',
  cidade: known.cidade,
  estado: known.estado,
  lat: String(known.lat),
  lng: String(known.lng),
  precisao: '',
  localizado: known.endereco,
  corrigido: false,
  ...(!isPickup && known.nome_destinatario !== null && { nome_cliente: known.nome_destinatario }),
  ...(!isPickup && known.telefone_destinatario !== null && { telefone_cliente: known.telefone_destinatario }),
});

/** The corrected positions of addresses, for later orders. */
export const correctionsOf = (places: readonly PlaceDraft[]) =>
  places.flatMap((place) => {
    const position = positionOf(place);
    return place.corrigido && position && addressLine(place)
      ? {
          endereco: addressLine(place),
          bairro: place.bairro,
          cidade: place.cidade,
          estado: place.estado,
          ...position,
        }
      : [];
  });

/** The position, or null unless both coordinates are valid. */
export function positionOf({ lat, lng }: Pick<PlaceDraft, 'lat' | 'lng'>): Position | null {
  if (!lat.trim() || !lng.trim()) return null;
  const position = { lat: Number(lat), lng: Number(lng) };
  return Math.abs(position.lat) <= 90 && Math.abs(position.lng) <= 180 ? position : null;
}

/** Reads both coordinates from "-30.03, -51.23", the format that maps copy. */
export function readPair(text: string): { lat: string; lng: string } | null {
  const [, lat, lng] = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  return lat && lng ? { lat, lng } : null;
}

type Order = Body<'integracao', 'POST /entregas'>;

/** The body for creating a delivery. A scheduled one also needs `toDispatch`. */
export function toOrder(draft: OrderDraft, { isManager, zone }: { isManager: boolean; zone: string }): Order {
  return {
    ...whose(draft, isManager),
    ...(draft.categoria_id && { categoria_id: Number(draft.categoria_id) }),
    com_retorno: draft.com_retorno,
    codigo_cupom: given(draft.codigo_cupom),
    observacao: given(draft.observacao),
    ...toPlaces(draft, zone),
  };
}

/** The body of contract 4.3. */
export const toReplacement = (
  draft: OrderDraft,
  zone: string,
): Body<'integracao', 'PUT /entregas/programadas/{id}'> => ({
  ...toPlaces(draft, zone),
  ...toDispatch(draft),
});

/** The parts that every order has: payment, pickup, stops, and what they demand. */
function toPlaces(
  draft: OrderDraft,
  zone: string,
): Pick<Order, 'forma_pagamento' | 'partida' | 'paradas' | 'exigencias'> {
  const dispatchAt = draft.quando === 'depois' ? fromLocalInputs(draft.data, draft.hora, zone) : null;
  const clock = { zone, setsOffAt: dispatchAt ?? serverNow() };
  return {
    ...toOrderDemands(draft.exigencias, clock),
    forma_pagamento: draft.forma_pagamento as Order['forma_pagamento'],
    partida: {
      endereco: addressLine(draft.partida),
      bairro: draft.partida.bairro.trim(),
      complemento: given(draft.partida.complemento),
      referencia: given(draft.partida.referencia),
      cidade: given(draft.partida.cidade),
      estado: given(draft.partida.estado),
      ...coordinates(draft.partida, 'lat', 'lng'),
    },
    paradas: draft.paradas.map((stop) => ({
      endereco_parada: addressLine(stop),
      bairro_parada: stop.bairro.trim(),
      complemento_parada: given(stop.complemento),
      referencia_parada: given(stop.referencia),
      cidade_parada: given(stop.cidade),
      estado_parada: given(stop.estado),
      ...coordinates(stop, 'lat_parada', 'lng_parada'),
      nome_cliente_parada: given(stop.nome_cliente),
      telefone_cliente_parada: given(stop.telefone_cliente),
      numero_pedido: given(stop.numero_pedido),
      observacao_parada: given(stop.observacao),
      valor_cobrar: given(stop.valor_cobrar),
      ...(stop.id_externo && { id_externo: stop.id_externo }),
      ...toStopDemands(stop.exigencias, clock),
    })),
  };
}

/** Without coordinates, the server locates the address itself, or refuses the order. */
const coordinates = <Lat extends string, Lng extends string>(
  { lat, lng }: PlaceDraft,
  latName: Lat,
  lngName: Lng,
): Partial<Record<Lat | Lng, string>> =>
  ({
    ...(lat.trim() && { [latName]: lat.trim() }),
    ...(lng.trim() && { [lngName]: lng.trim() }),
  }) as Partial<Record<Lat | Lng, string>>;

/** The date and time of the dispatch. */
export const toDispatch = ({ data, hora }: Pick<OrderDraft, 'data' | 'hora'>) => ({
  data: toBrazilianDate(data),
  hora: hora.length === 5 ? `${hora}:00` : hora,
});

function whose(draft: OrderDraft, isManager: boolean) {
  if (isManager) return {};
  if (draft.quem === 'empresa') return draft.empresa_id ? { empresa_id: Number(draft.empresa_id) } : {};
  return {
    cliente: { nome: draft.nome.trim(), cpf: draft.cpf.trim(), telefone: given(draft.telefone) },
  };
}

const given = (text: string): string | null => text.trim() || null;

/** The body of the estimate. Null until the pickup and one stop have positions. */
export function toEstimate(draft: OrderDraft, timeZone: string) {
  const pickup = positionOf(draft.partida);
  const stops = draft.paradas.map(positionOf).filter((each) => each !== null);
  const last = stops.at(-1);
  if (!pickup || !last) return null;
  const { partida } = draft;
  const destination = draft.paradas.at(-1)!;
  const moment = fromLocalInputs(draft.data, draft.hora, timeZone);
  return {
    // The estimate requires address texts but uses only the coordinates.
    endereco_partida: addressLine(partida) || '-',
    bairro_partida: partida.bairro.trim() || '-',
    cidade_partida: partida.cidade.trim() || '-',
    estado_partida: partida.estado.trim() || '-',
    endereco_desejado: addressLine(destination) || '-',
    bairro_desejado: destination.bairro.trim() || '-',
    cidade_desejado: destination.cidade.trim() || '-',
    estado_desejado: destination.estado.trim() || '-',
    lat_partida: pickup.lat,
    lng_partida: pickup.lng,
    lat_desejado: last.lat,
    lng_desejado: last.lng,
    latlng_paradas: stops
      .slice(0, -1)
      .map(({ lat, lng }) => `${lat},${lng}`)
      .join('|'),
    com_retorno: draft.com_retorno,
    ...(draft.categoria_id && { categoria_id: Number(draft.categoria_id) }),
    // A date or time that is still being typed is left out.
    ...(draft.quando === 'depois' &&
      moment !== null && {
        instante: new Date(moment).toISOString(),
      }),
  };
}
