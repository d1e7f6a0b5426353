import Type, { type Static } from 'typebox';
import type { Caller } from '../centrals/caller.ts';
import type { Replacement } from '../scheduled/editScheduled.ts';
import { paymentByCode } from './codes.ts';
import { creationFields, editFields, orderExample, parsePickup, parseStops } from './orderBody.ts';
import { parseLocal } from './values.ts';

/** Contract 4.3. */
export const EditBody = Type.Object(editFields);

/** Completions: the fields of creation, and when it is dispatched. */
export const ScheduleBody = Type.Object({
  data: editFields.data,
  hora: editFields.hora,
  ...creationFields,
});

export const parseReplacement = (body: Static<typeof EditBody>, { central }: Caller): Replacement => ({
  dispatchAt: parseLocal(body.data, body.hora, central.timeZone),
  payment: paymentByCode[body.forma_pagamento],
  pickup: parsePickup(body.partida),
  stops: parseStops(body.paradas),
});

const { empresa_id, ...edited } = orderExample;

export const scheduleExample = { data: '24/12/2027', hora: '18:30:00', empresa_id, ...edited };
export const editExample = { data: '24/12/2027', hora: '19:00:00', ...edited };

export const scheduledExample = {
  id_mch_programada: '318',
  situacao: 'A',
  situacao_formatada: 'Aguardando',
  data_previsao_disparo: '24/12/2027',
  hora_previsao_disparo: '18:30:00',
  id_mch: null,
  observacao: null,
  empresa: { id: '1', nome: 'Padaria Moinhos' },
  categoria: { id: '1', nome: 'Moto' },
  valor: { estimado: '14.35', prefixado: null },
  coleta: {
    endereco: 'Rua dos Andradas, 1001',
    complemento: '',
    referencia: '',
    bairro: 'Centro Histórico',
    cidade: 'Porto Alegre',
    estado: 'RS',
    lat: '-30.0305',
    lng: '-51.2303',
  },
  paradas: [
    {
      id: '901',
      ordem: 0,
      endereco: 'Avenida Ipiranga, 1200',
      complemento: null,
      referencia: null,
      bairro: 'Azenha',
      cidade: 'Porto Alegre',
      uf: 'RS',
      lat: '-30.0489',
      lng: '-51.2158',
      numero_pedido: 'A-1',
      nome_cliente: 'Maria',
      telefone_cliente: '51999990000',
      observacao: null,
    },
  ],
};
