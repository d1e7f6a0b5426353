import Type, { type TSchema } from 'typebox';
import { nullable } from './answers.ts';
import { entryKindCode, situationCode, statusCode } from './codes.ts';
import { changeName, deliveryChangeName, type EventTypeName } from './eventBody.ts';

/** What stands in `data` of each event: for the reference, and for the types of clients. */

const oneOf = (values: Readonly<Record<string, string>>, description?: string) =>
  Type.Enum([...new Set(Object.values(values))], description ? { description } : {});
const text = (description?: string) => Type.String(description ? { description } : {});
const sequence = Type.Integer({
  description: 'cresce a cada evento da mesma entrega; um menor que o último visto chegou atrasado',
});

const stopFields = {
  id: text(),
  ordem: Type.Integer(),
  numero_pedido: text('vazio quando não foi informado'),
  id_externo: nullable(Type.String()),
};
const stop = Type.Object(stopFields);
const stops = Type.Array(stop);
const deliveryStops = Type.Array(Type.Object({ ...stopFields, concluida: Type.Boolean() }));
const removedStop = Type.Object({
  id: text(),
  numero_pedido: stopFields.numero_pedido,
  id_externo: stopFields.id_externo,
});
const driver = nullable(Type.Object({ id: text(), nome: text() }));

const deliveryFields = {
  id: text('id da entrega (id_mch)'),
  sequencia: sequence,
  empresa_id: nullable(Type.String()),
  id_mch_programada: nullable(Type.String({ description: 'a programada que a gerou' })),
  agrupada_em: nullable(Type.String({ description: 'a entrega que a leva, se foi agrupada' })),
  status: oneOf(statusCode, 'como em GET /entregas/{id}/status'),
  condutor: driver,
};
const scheduledFields = {
  id: text('id da programada (id_mch_programada)'),
  sequencia: sequence,
  empresa_id: nullable(Type.String()),
  id_mch: nullable(Type.String({ description: 'a entrega gerada no disparo' })),
  agrupada_em: nullable(Type.String({ description: 'a programada que recebeu as paradas, se foi agrupada' })),
  situacao: oneOf(situationCode),
  data_previsao_disparo: text('DD/MM/AAAA'),
  hora_previsao_disparo: text('HH:MM:SS'),
  valor_estimado: text('decimal'),
};

export const eventSchemas = {
  'entrega.status': Type.Object({
    ...deliveryFields,
    status_anterior: nullable(oneOf(statusCode)),
    chegou_na_coleta: Type.Boolean({ description: 'o condutor chegou ao ponto de coleta' }),
    motivo_id: nullable(Type.Integer({ description: 'motivo do cancelamento' })),
    valor_corrida: text('decimal'),
    paradas: deliveryStops,
  }),
  'entrega.parada_concluida': Type.Object({
    ...deliveryFields,
    parada: stop,
    paradas_restantes: Type.Integer(),
    sem_codigo_motivo: nullable(
      Type.String({ description: 'por que um operador a concluiu sem o código do destinatário' }),
    ),
  }),
  'entrega.posicao': Type.Object({
    id: deliveryFields.id,
    sequencia: Type.Null({ description: 'posições não têm sequência: valem pelo momento' }),
    empresa_id: deliveryFields.empresa_id,
    status: deliveryFields.status,
    condutor: driver,
    lat: text('decimal'),
    lng: text('decimal'),
  }),
  'entrega.agrupada': Type.Object({
    ...deliveryFields,
    entregas_agrupadas: Type.Array(Type.String()),
    programadas_agrupadas: Type.Array(Type.String()),
    entregas_retiradas: Type.Array(Type.String()),
    valor_corrida: text('decimal'),
    paradas: deliveryStops,
  }),
  'entrega.alterada': Type.Object({
    ...deliveryFields,
    mudanca: oneOf(deliveryChangeName),
    valor_corrida: text('decimal'),
    paradas: deliveryStops,
  }),
  'entrega.parada_removida': Type.Object({
    ...deliveryFields,
    parada: removedStop,
    pedida_com: text('a entrega com que a parada foi pedida'),
    valor_corrida: text('decimal'),
    paradas: deliveryStops,
  }),
  'programada.alterada': Type.Object({
    ...scheduledFields,
    mudanca: oneOf(changeName),
    programadas_agrupadas: Type.Array(Type.String()),
    falha: nullable(Type.String({ description: 'por que o disparo falhou, em palavras' })),
    paradas: stops,
  }),
  'programada.parada_removida': Type.Object({
    ...scheduledFields,
    parada: removedStop,
    pedida_com: text('a programada com que a parada foi pedida'),
    paradas: stops,
  }),
  'programada.disparada': Type.Object({ ...scheduledFields, paradas: stops }),
  'programada.cancelada': Type.Object({
    ...scheduledFields,
    situacao_anterior: nullable(oneOf(situationCode)),
    paradas: stops,
  }),
  'credito.lancado': Type.Object({
    empresa_id: nullable(Type.String()),
    registro_id: nullable(Type.String()),
    tipo: oneOf(entryKindCode),
    valor: text('decimal; negativo quando sai da carteira'),
    saldo: text('decimal, depois do lançamento'),
    id_mch: nullable(Type.String({ description: 'a entrega que o causou' })),
  }),
  'webhook.teste': Type.Object({ webhook_id: nullable(Type.String()), mensagem: text() }),
} as const satisfies Record<EventTypeName, TSchema>;

const deliveryExample = {
  id: '1042',
  sequencia: 4,
  empresa_id: '1',
  id_mch_programada: null,
  agrupada_em: null,
  status: 'E',
  condutor: { id: '7', nome: 'João Souza' },
};
const scheduledExample = {
  id: '312',
  sequencia: 2,
  empresa_id: '1',
  id_mch: null,
  agrupada_em: null,
  situacao: 'A',
  data_previsao_disparo: '16/11/2026',
  hora_previsao_disparo: '13:00:00',
  valor_estimado: '18.40',
};
const stopExample = { id: '2077', ordem: 0, numero_pedido: 'P-1', id_externo: 'erp-991' };

export const eventExamples: Readonly<Record<EventTypeName, unknown>> = {
  'entrega.status': {
    ...deliveryExample,
    status_anterior: 'A',
    chegou_na_coleta: false,
    motivo_id: null,
    valor_corrida: '18.40',
    paradas: [{ ...stopExample, concluida: false }],
  },
  'entrega.parada_concluida': {
    ...deliveryExample,
    parada: stopExample,
    paradas_restantes: 0,
    sem_codigo_motivo: null,
  },
  'entrega.posicao': {
    id: '1042',
    sequencia: null,
    empresa_id: '1',
    status: 'E',
    condutor: { id: '7', nome: 'João Souza' },
    lat: '-30.0352',
    lng: '-51.2171',
  },
  'entrega.agrupada': {
    ...deliveryExample,
    entregas_agrupadas: ['1043'],
    programadas_agrupadas: [],
    entregas_retiradas: [],
    valor_corrida: '26.10',
    paradas: [{ ...stopExample, concluida: true }],
  },
  'entrega.alterada': {
    ...deliveryExample,
    status: 'A',
    mudanca: 'editada',
    valor_corrida: '19.90',
    paradas: [{ ...stopExample, concluida: false }],
  },
  'entrega.parada_removida': {
    ...deliveryExample,
    parada: { id: '2078', numero_pedido: 'P-2', id_externo: null },
    pedida_com: '1042',
    valor_corrida: '14.20',
    paradas: [{ ...stopExample, concluida: false }],
  },
  'programada.alterada': {
    ...scheduledExample,
    mudanca: 'editada',
    programadas_agrupadas: [],
    falha: null,
    paradas: [stopExample],
  },
  'programada.parada_removida': {
    ...scheduledExample,
    parada: { id: '2078', numero_pedido: 'P-2', id_externo: null },
    pedida_com: '312',
    paradas: [stopExample],
  },
  'programada.disparada': { ...scheduledExample, situacao: 'D', id_mch: '1042', paradas: [stopExample] },
  'programada.cancelada': {
    ...scheduledExample,
    situacao: 'C',
    situacao_anterior: 'A',
    paradas: [stopExample],
  },
  'credito.lancado': {
    empresa_id: '1',
    registro_id: '87',
    tipo: 'recarga',
    valor: '250.00',
    saldo: '412.35',
    id_mch: null,
  },
  'webhook.teste': { webhook_id: '3', mensagem: 'Este é um evento de teste.' },
};
