import { readReceipt } from '../../deliveries/readReceipt.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { formatReceipt, ReceiptSchema } from '../wire/receipt.ts';

/** Contract 4.10. */
export const getReceiptRoute = route({
  method: 'GET',
  path: '/entregas/:id/recibo',
  operation: 'obterRecibo',
  section: '4.10',
  tag: 'Entregas',
  summary: 'Obter o recibo',
  description:
    'Somente de entregas finalizadas. Sem empresa, os campos de empresa são nulos. desejado é o último destino, ou a partida quando a entrega retornou.',
  who: readers,
  limit: 'deliveries',
  refusals: ['delivery-not-found', 'not-finished', 'receipt-of-grouper'],
  answer: dataAnswer(ReceiptSchema),
  answerExample: {
    success: true,
    data: {
      id_mch: '1042',
      condutor: { nome: 'João Silva', telefone: '51999990001', modelo: 'Honda CG 160', placa: 'IXA1B23' },
      dados_solicitacao: {
        valor: '16.20',
        valor_original: '18.00',
        duracao: '00:21:40',
        distancia: '5.84',
        tarifa: 'Moto padrão',
        id_categoria: '1',
        categoria: 'Moto',
        descricao_categoria: 'Entregas de moto, até 10 kg',
        desconto: 10,
        tipo_pagamento: 'R',
      },
      empresa: { empresa_id: '1', nome: 'Padaria Moinhos', cpf: '11222333000181' },
      partida: {
        endereco: 'Rua dos Andradas, 1001',
        bairro: 'Centro Histórico',
        cidade: 'Porto Alegre',
        estado: 'RS',
        data_hora: '2026-11-16T15:10:00Z',
      },
      desejado: {
        endereco: 'Avenida Ipiranga, 1200',
        bairro: 'Azenha',
        cidade: 'Porto Alegre',
        estado: 'RS',
        data_hora: '2026-11-16T15:31:40Z',
      },
    },
  },
  async handle({ needs, caller, params }) {
    return { data: formatReceipt(await readReceipt(needs, caller, params.id!)) };
  },
});
