import type { Static } from 'typebox';
import Type from 'typebox';
import { type Receipt, readReceipt } from '../../deliveries/receiptStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { secondsBetween } from '../../kernel/clock.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { paymentCode } from '../../wire/codes.ts';
import { dataAnswer, formatDuration, formatKm, formatUtc, nullable } from '../../wire/values.ts';

const text = Type.String();
const place = Type.Object({
  endereco: text,
  bairro: text,
  cidade: text,
  estado: text,
  data_hora: Type.String({ description: 'ISO 8601, UTC' }),
});

/** Contract 4.10. */
export const ReceiptSchema = Type.Object({
  id_mch: text,
  condutor: Type.Object({ nome: text, telefone: text, modelo: text, placa: text }),
  dados_solicitacao: Type.Object({
    valor: Type.String({ description: 'valor líquido, com o desconto do cupom' }),
    valor_original: Type.String({ description: 'valor bruto, antes do desconto' }),
    duracao: Type.String({ description: 'HH:MM:SS do início à finalização' }),
    distancia: Type.String({ description: 'km percorridos' }),
    tarifa: text,
    id_categoria: text,
    categoria: text,
    descricao_categoria: text,
    desconto: Type.Number({ description: 'percentual de desconto; 0 sem cupom' }),
    tipo_pagamento: Type.Enum(Object.values(paymentCode)),
  }),
  empresa: Type.Object({ empresa_id: nullable(text), nome: nullable(text), cpf: nullable(text) }),
  partida: place,
  desejado: place,
});

const formatReceipt = (receipt: Receipt): Static<typeof ReceiptSchema> => ({
  id_mch: String(receipt.id),
  condutor: {
    nome: receipt.driver.name,
    telefone: receipt.driver.phone,
    modelo: receipt.driver.vehicle,
    placa: receipt.driver.plate,
  },
  dados_solicitacao: {
    valor: centsToDecimal(receipt.netCents),
    valor_original: centsToDecimal(receipt.grossCents),
    duracao: formatDuration(secondsBetween(receipt.startedAt, receipt.finishedAt)),
    distancia: formatKm(receipt.travelledMetres),
    tarifa: receipt.tariffName,
    id_categoria: String(receipt.category.id),
    categoria: receipt.category.name,
    descricao_categoria: receipt.category.description,
    desconto: Number(receipt.discountPercent),
    tipo_pagamento: paymentCode[receipt.payment],
  },
  // `cpf` is the contract's name for the document, whether CPF or CNPJ.
  empresa: {
    empresa_id: receipt.company === null ? null : String(receipt.company.id),
    nome: receipt.company?.name ?? null,
    cpf: receipt.company?.document ?? null,
  },
  partida: formatPlace(receipt.pickup, receipt.startedAt),
  desejado: formatPlace(receipt.end, receipt.finishedAt),
});

const formatPlace = (at: Receipt['pickup'], moment: Temporal.Instant): Static<typeof place> => ({
  endereco: at.address,
  bairro: at.district,
  cidade: at.city,
  estado: at.state,
  data_hora: formatUtc(moment),
});

/** Contract 4.10. */
export const getReceiptEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/recibo',
  operation: 'obterRecibo',
  section: '4.10',
  tag: 'Entregas',
  summary: 'Obter o recibo',
  description:
    'Somente de entregas finalizadas. Sem empresa, os campos de empresa são nulos. desejado é o último destino visitado, ou a partida quando a entrega retornou.',
  permission: 'watch',
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
  async handle({ deps, caller, params }) {
    return { data: formatReceipt(await readReceipt(deps, caller, params.id!)) };
  },
});
