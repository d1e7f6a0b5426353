import type { Body } from '../../api.ts';
import type { ScheduledWithStory } from '../../data/scheduled.ts';
import { toBrazilianDate } from '../../formats.ts';

interface Spot {
  address: string;
  district: string;
  lat: string;
  lng: string;
}

export interface EditStop extends Spot {
  key: string;
  name: string;
  phone: string;
  /** What the form does not show is sent as it was. */
  kept: Record<string, string | null>;
}

export interface EditForm {
  date: string;
  time: string;
  payment: string;
  pickup: Spot & { kept: Record<string, string | null> };
  stops: EditStop[];
}

export const emptyStop = (): EditStop => ({
  key: crypto.randomUUID(),
  address: '',
  district: '',
  lat: '',
  lng: '',
  name: '',
  phone: '',
  kept: {},
});

export const formOf = (one: ScheduledWithStory, date: string, time: string): EditForm => ({
  date,
  time,
  payment: one.forma_pagamento,
  pickup: {
    address: one.coleta.endereco,
    district: one.coleta.bairro,
    lat: String(one.coleta.lat),
    lng: String(one.coleta.lng),
    kept: {
      complemento: one.coleta.complemento,
      referencia: one.coleta.referencia,
      cidade: one.coleta.cidade,
      estado: one.coleta.estado,
    },
  },
  stops: one.paradas.map((stop) => ({
    key: stop.id,
    address: stop.endereco,
    district: stop.bairro,
    lat: String(stop.lat),
    lng: String(stop.lng),
    name: stop.nome_cliente ?? '',
    phone: stop.telefone_cliente ?? '',
    kept: {
      complemento_parada: stop.complemento,
      referencia_parada: stop.referencia,
      cidade_parada: stop.cidade,
      estado_parada: stop.estado,
      observacao_parada: stop.observacao,
      numero_pedido: stop.numero_pedido,
      id_externo: stop.id_externo,
      valor_cobrar: stop.valor_cobrar,
    },
  })),
});

type Replacement = Body<'integracao', 'PUT /entregas/programadas/{id}'>;

/** The body of contract 4.3. */
export const toReplacement = ({ date, time, payment, pickup, stops }: EditForm): Replacement => ({
  data: toBrazilianDate(date),
  hora: time.length === 5 ? `${time}:00` : time,
  forma_pagamento: payment as Replacement['forma_pagamento'],
  partida: {
    ...pickup.kept,
    endereco: pickup.address,
    bairro: pickup.district,
    lat: pickup.lat,
    lng: pickup.lng,
  },
  paradas: stops.map((stop) => ({
    ...stop.kept,
    endereco_parada: stop.address,
    bairro_parada: stop.district,
    lat_parada: stop.lat,
    lng_parada: stop.lng,
    nome_cliente_parada: stop.name,
    telefone_cliente_parada: stop.phone,
  })),
});
