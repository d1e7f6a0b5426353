import Type, { type Static } from 'typebox';
import { listOpen, type OpenDelivery } from '../../deliveries/openDeliveriesStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { dataAnswer, nullable } from '../../wire/answers.ts';
import { fullStatusCode, paymentCode } from '../../wire/codes.ts';
import { formatUtc } from '../../wire/values.ts';
import { watchers } from '../roles.ts';
import { instantShown } from '../wire/fields.ts';

export const statusField = Type.Enum([...new Set(Object.values(fullStatusCode))], {
  description: 'as letras do contrato; L aguarda liberação e S em espera são distinguidos de P e A',
});

const place = { endereco: Type.String(), bairro: Type.String(), lat: Type.Number(), lng: Type.Number() };

export const OpenDeliverySchema = Type.Object({
  id: Type.String(),
  status: statusField,
  empresa_id: nullable(Type.String()),
  nome_cliente: Type.String(),
  categoria: Type.String(),
  condutor: nullable(Type.Object({ id: Type.String(), nome: Type.String() })),
  tipo_pagamento: Type.String(),
  valor_corrida: Type.String(),
  solicitada_em: instantShown,
  previsao: Type.String({ description: 'até quando a etapa atual deveria terminar; ISO 8601 em UTC' }),
  atrasada: Type.Boolean(),
  partida: Type.Object(place),
  paradas: Type.Array(Type.Object({ id: Type.String(), ...place, concluida: Type.Boolean() })),
});

const openDeliveryExample: Static<typeof OpenDeliverySchema> = {
  id: '1042',
  status: 'E',
  empresa_id: '1',
  nome_cliente: 'Padaria Central',
  categoria: 'Moto',
  condutor: { id: '1', nome: 'João Silva' },
  tipo_pagamento: 'D',
  valor_corrida: '19.43',
  solicitada_em: '2026-11-16T15:00:00Z',
  previsao: '2026-11-16T15:45:00Z',
  atrasada: false,
  partida: {
    endereco: 'Rua dos Andradas, 1001',
    bairro: 'Centro Histórico',
    lat: -30.0305,
    lng: -51.2303,
  },
  paradas: [
    {
      id: '2077',
      endereco: 'Avenida Ipiranga, 1',
      bairro: 'Azenha',
      lat: -30.0489,
      lng: -51.2158,
      concluida: false,
    },
  ],
};

const formatOpenDelivery = (
  delivery: OpenDelivery,
  now: Temporal.Instant,
): Static<typeof OpenDeliverySchema> => ({
  id: String(delivery.id),
  status: fullStatusCode[delivery.status],
  empresa_id: delivery.companyId === null ? null : String(delivery.companyId),
  nome_cliente: delivery.customerName,
  categoria: delivery.categoryName,
  condutor:
    delivery.driverId === null ? null : { id: String(delivery.driverId), nome: delivery.driverName ?? '' },
  tipo_pagamento: paymentCode[delivery.payment],
  valor_corrida: centsToDecimal(delivery.netCents),
  solicitada_em: formatUtc(delivery.requestedAt),
  previsao: formatUtc(delivery.dueAt),
  atrasada: Temporal.Instant.compare(delivery.dueAt, now) < 0,
  partida: {
    endereco: delivery.address,
    bairro: delivery.district,
    lat: delivery.lat,
    lng: delivery.lng,
  },
  paradas: delivery.stops.map((stop) => ({
    id: String(stop.id),
    endereco: stop.address,
    bairro: stop.district,
    lat: stop.lat,
    lng: stop.lng,
    concluida: stop.concluded,
  })),
});

/** More than one person can look after; the numbers of the day count all. */
const LISTED_MAX = 500;

export const listOpenDeliveriesEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/abertas',
  tag: 'Operação: ao vivo',
  summary: 'Listar as entregas em curso',
  description: `As entregas que ainda não terminaram, da mais antiga para a mais nova, até ${LISTED_MAX}. As agrupadas em outra aparecem nela. Um gerente vê a própria empresa.`,
  roles: watchers,
  limit: 'operations',
  answer: dataAnswer(Type.Array(OpenDeliverySchema)),
  answerExample: { success: true, data: [openDeliveryExample] },
  async handle({ deps: { db, clock }, caller }) {
    const open = await listOpen(db, caller, LISTED_MAX);
    const now = clock.now();
    return { data: open.map((delivery) => formatOpenDelivery(delivery, now)) };
  },
});
