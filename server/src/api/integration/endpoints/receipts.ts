import { type Receipt, readReceipt } from '../../../deliveries/deliveries/deliveryDetailStore.ts';
import { secondsBetween } from '../../../platform/kernel/clock.ts';
import { endpoint } from '../../http/endpoint.ts';
import { paymentCode } from '../../json/codes.ts';
import { answerWith, formatDuration } from '../../json/values.ts';
import { cents, code, id, instant, kmText, number, one, text, view } from '../../json/view.ts';

const place = view<{ at: Receipt['pickup']; moment: Temporal.Instant }>()({
  endereco: text(({ at }) => at.address, 'Rua dos Andradas, 1001'),
  bairro: text(({ at }) => at.district, 'Centro Histórico'),
  cidade: text(({ at }) => at.city, 'Porto Alegre'),
  estado: text(({ at }) => at.state, 'RS'),
  data_hora: instant(({ moment }) => moment, '2026-11-16T15:10:00Z', 'ISO 8601, UTC'),
});

const driver = view<Receipt['driver']>()({
  nome: text((each) => each.name, 'João Silva'),
  telefone: text((each) => each.phone, '51999990001'),
  modelo: text((each) => each.vehicle, 'Honda CG 160'),
  placa: text((each) => each.plate, 'IXA1B23'),
});

const delivery = view<Receipt>()({
  valor: cents((receipt) => receipt.netCents, '16.20', 'valor líquido, com o desconto do cupom'),
  valor_original: cents((receipt) => receipt.grossCents, '18.00', 'valor bruto, antes do desconto'),
  duracao: text(
    ({ startedAt, finishedAt }) => formatDuration(secondsBetween(startedAt, finishedAt)),
    '00:21:40',
    'HH:MM:SS do início à finalização',
  ),
  distancia: kmText((receipt) => receipt.travelledMetres, '5.84', 'km percorridos'),
  tarifa: text((receipt) => receipt.tariffName, 'Moto padrão'),
  id_categoria: id(({ category }) => category.id, '1'),
  categoria: text(({ category }) => category.name, 'Moto'),
  descricao_categoria: text(({ category }) => category.description, 'Entregas de moto, até 10 kg'),
  desconto: number((receipt) => Number(receipt.discountPercent), 10, 'percentual de desconto; 0 sem cupom'),
  tipo_pagamento: code(paymentCode)((receipt) => receipt.payment, 'R'),
});

/** `cpf` is the contract's name for the document, whether CPF or CNPJ. */
const company = view<Receipt>()({
  empresa_id: id.orNull((receipt) => receipt.company?.id, '1'),
  nome: text.orNull((receipt) => receipt.company?.name, 'Padaria Moinhos'),
  cpf: text.orNull((receipt) => receipt.company?.document, '11222333000181'),
});

/** Contract 4.10. */
const receipt = view<Receipt>()({
  id_mch: id((each) => each.id, '1042'),
  condutor: one(driver, (each) => each.driver),
  dados_solicitacao: one(delivery, (each) => each),
  empresa: one(company, (each) => each),
  partida: one(place, ({ pickup, startedAt }) => ({ at: pickup, moment: startedAt })),
  desejado: one(place, ({ end, finishedAt }) => ({ at: end, moment: finishedAt }), {
    example: {
      ...place.example,
      endereco: 'Avenida Ipiranga, 1200',
      bairro: 'Azenha',
      data_hora: '2026-11-16T15:31:40Z',
    },
  }),
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
  ...answerWith(receipt),
  async handle({ deps, caller, params }) {
    return { data: receipt.show(await readReceipt(deps, caller, params.id!), undefined) };
  },
});
