import Type, { type Static } from 'typebox';
import type { Receipt } from '../../deliveries/receipt.ts';
import { secondsBetween } from '../../kernel/clock.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { nullable } from './answers.ts';
import { paymentCode } from './codes.ts';
import { formatUtc } from './dates.ts';
import { formatDuration, formatKm } from './measures.ts';

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

export const formatReceipt = (receipt: Receipt): Static<typeof ReceiptSchema> => ({
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
  // `cpf` is the contract's name for the document, whichever kind it is.
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
