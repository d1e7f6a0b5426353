import type { Role } from '../../centrals/caller.ts';
import type { OfferState, RefusalReason } from '../../deliveries/deliveries/offerStore.ts';
import type { Status } from '../../deliveries/deliveries/status.ts';
import type { Payment } from '../../deliveries/orders/request.ts';
import type { ChangeAction, ChangeOrigin, Subject } from '../../events/audit/change.ts';
import type { RequestProof } from '../../events/requests/apiRequest.ts';
import type { Precision } from '../../geo/geocoding/geocoder.ts';
import type { Profile } from '../../geo/routing/router.ts';
import type { LineKind } from '../../money/billing/closingStore.ts';
import type { PriceLineKind } from '../../money/pricing/price.ts';
import type { ShareRule } from '../../money/pricing/share.ts';
import type { EntryKind } from '../../money/wallet/walletStore.ts';
import type { Equipment } from '../../platform/kernel/load.ts';
import type {
  DriverEntryKind,
  FailureDecision,
  FailureReason,
  ProofKind,
  Situation,
} from '../../platform/kernel/states.ts';
import type { CompanyAddressKind } from '../../registers/companies/companyAddress.ts';
import type { ProofDemand } from '../../registers/companies/proofRules.ts';
import type { Label } from './labels.ts';

// The same letter means different things in different lists (contract 2.5, 3.2).

/** Status endpoint (4.16): on hold is S, and awaiting release shows as pending. */
export const statusCode = {
  distributing: 'D',
  offered: 'G',
  accepted: 'A',
  on_hold: 'S',
  in_progress: 'E',
  finished: 'F',
  not_attended: 'N',
  cancelled: 'C',
  pending: 'P',
  awaiting_release: 'P',
} as const satisfies Record<Status, string>;

/** Query endpoint (2.1): the same, but it never returns S. */
export const queryStatusCode = { ...statusCode, on_hold: 'A' } as const satisfies Record<Status, string>;

/** Which statuses a filter letter of the query endpoint selects (4.4). */
export const statusFilter = {
  D: ['distributing'],
  G: ['offered'],
  A: ['accepted', 'on_hold'],
  E: ['in_progress'],
  F: ['finished'],
  N: ['not_attended'],
  C: ['cancelled'],
  P: ['pending'],
  L: ['awaiting_release'],
} as const satisfies Record<string, readonly Status[]>;
export type StatusFilter = keyof typeof statusFilter;

/** Query filter and `tipo_pagamento`. */
export const paymentCode = {
  cash: 'D',
  voucher: 'V',
  ticket: 'T',
  third_party_wallet: 'W',
  credit_card: 'C',
  debit_card: 'B',
  app_card: 'A',
  instant_transfer: 'X',
  third_party_app: 'P',
  messaging_app: 'H',
  credit_wallet: 'R',
  invoiced: 'F',
} as const satisfies Record<Payment, string>;
export type PaymentCode = (typeof paymentCode)[Payment];

export const paymentByCode = Object.fromEntries(
  Object.entries(paymentCode).map(([payment, code]) => [code, payment]),
) as Record<PaymentCode, Payment>;

/** What creation and edit accept as `forma_pagamento`. */
export const ORDER_PAYMENT_CODES = ['D', 'B', 'C', 'X', 'P', 'H', 'F', 'R'] as const;

/** `situacao` of a scheduled delivery (3.2). */
export const situationCode = {
  awaiting: 'A',
  dispatched: 'D',
  cancelled: 'C',
  grouped: 'agrupado',
  failed: 'X',
} as const satisfies Record<Situation, string>;

/** Entries of a company's wallet, in events and in statements. */
export const entryKindCode = {
  top_up: 'recarga',
  withdrawal: 'saque',
  reserve: 'reserva',
  release: 'estorno_reserva',
  settlement: 'cobranca',
  cancellation_fee: 'taxa_cancelamento',
} as const satisfies Record<EntryKind, string>;

/** How drivers' shares are computed, in settings and tariffs. */
export const shareKindCode = {
  none: 'nenhum',
  percent: 'percentual',
  table: 'tabela',
} as const satisfies Record<ShareRule['kind'], string>;
export const shareKindByCode = turned(shareKindCode);

export const planningCode = { off: 'desligado', suggest: 'sugere', apply: 'aplica' } as const;

export const planByCode = { offer: 'oferta', assign: 'atribuicao' } as const;
export const planByByCode = turned(planByCode);

/** Entries of a driver's account. A reversal of any kind is `estorno`. */
export const driverEntryCode = {
  share: 'repasse',
  collected: 'dinheiro_recebido',
  handed_in: 'dinheiro_entregue',
  payment: 'pagamento',
  adjustment: 'ajuste',
} as const satisfies Record<DriverEntryKind, string>;

/** Lines of a closing: what a company is charged and how it paid, or the entries of a driver's account. */
export const closingLineCode = {
  delivery: 'entrega',
  cancellation_fee: 'taxa_cancelamento',
  wallet: 'pago_com_creditos',
  cash: 'recebido_em_dinheiro',
  direct: 'pago_no_pedido',
  ...driverEntryCode,
} as const satisfies Record<LineKind, string>;

export const REVERSAL_CODE = 'estorno';

export const profileCode = {
  motorcycle: 'moto',
  car: 'carro',
  bicycle: 'bicicleta',
} as const satisfies Record<Profile, string>;
export const profileByCode = turned(profileCode);

export const roleCode = {
  operator: 'operador',
  supervisor: 'supervisor',
  finance: 'financeiro',
  attendant: 'atendente',
  viewer: 'consulta',
  integrator: 'integrador',
  manager: 'gerente',
  driver: 'condutor',
} as const satisfies Record<Role, string>;
export const roleByCode = turned(roleCode);

export const subjectCode = {
  settings: 'configuracoes',
  user: 'usuario',
  key: 'chave',
  program: 'programa',
  category: 'categoria',
  tariff: 'tarifa',
  area: 'area',
  coupon: 'cupom',
  reason: 'motivo_cancelamento',
  company: 'empresa',
  driver: 'condutor',
  device: 'aparelho',
  wallet: 'carteira',
  driver_account: 'conta_condutor',
  closing: 'fechamento',
  webhook: 'webhook',
  address: 'endereco',
  address_proposal: 'proposta_endereco',
  central: 'central',
  personal_data: 'dados_pessoais',
  sandbox: 'ambiente_de_teste',
} as const satisfies Record<Subject, string>;
export const subjectByCode = turned(subjectCode);

export const changeActionCode = {
  created: 'criado',
  changed: 'alterado',
  deleted: 'excluido',
} as const satisfies Record<ChangeAction, string>;

export const changeOriginCode = {
  operations: 'operacao',
  integration: 'integracao',
  command_line: 'linha_de_comando',
} as const satisfies Record<ChangeOrigin, string>;

export const priceLineCode = {
  base: 'bandeirada',
  distance: 'distancia',
  time: 'tempo',
  'extra-stops': 'paradas_extras',
  'way-back': 'retorno',
  window: 'horario',
  'minimum-fare': 'minimo',
  coupon: 'cupom',
} as const satisfies Record<PriceLineKind, string>;

/** The operator's interface distinguishes awaiting release from pending, and on hold from accepted. */
export const fullStatusCode = { ...statusCode, awaiting_release: 'L' } as const satisfies Record<
  Status,
  string
>;

export const offerStateCode = {
  open: 'aberta',
  refused: 'recusada',
  expired: 'expirada',
  accepted: 'aceita',
  withdrawn: 'retirada',
} as const satisfies Record<OfferState, string>;

/** What people read for each word of a list, by the labels of its codes. */
export const labelsOf = <Word extends string, Code extends string>(
  codes: Readonly<Record<Word, Code>>,
  labels: Readonly<Record<Code, Label>>,
  language: keyof Label = 'pt',
) =>
  Object.fromEntries(
    Object.entries<Code>(codes).map(([word, code]) => [word, labels[code][language]]),
  ) as Record<Word, string>;

/** The inverse of a list. */
function turned<Word extends string, Code extends string>(codes: Readonly<Record<Word, Code>>) {
  return Object.fromEntries(Object.entries(codes).map(([word, code]) => [code, word])) as Record<Code, Word>;
}

/** How well an address was found, best first. */
export const precisionCode = {
  number: 'numero',
  approximate: 'numero_aproximado',
  street: 'rua',
  postcode: 'cep',
  district: 'bairro',
  municipality: 'municipio',
} as const satisfies Record<Precision, string>;

/** The purpose of a company's address. */
export const companyAddressKindCode = {
  pickup: 'partida',
  favourite: 'favorito',
} as const satisfies Record<CompanyAddressKind, string>;

/** Why a driver refuses an offer. */
export const refusalReasonCode = {
  far: 'longe',
  busy: 'ocupado',
  pay: 'valor',
  other: 'outro',
} as const satisfies Record<RefusalReason, string>;

export const refusalReasonByCode = turned(refusalReasonCode);

/** Why nothing could be handed over at a stop. */
export const failureReasonCode = {
  absent: 'ausente',
  wrong_address: 'endereco_errado',
  refused: 'recusado',
  other: 'outro',
} as const satisfies Record<FailureReason, string>;
export const failureReasonByCode = turned(failureReasonCode);

/** What follows a failed stop. */
export const decisionCode = {
  retry: 'tentar_depois',
  return: 'retornar',
  leave: 'deixar_no_fim',
} as const satisfies Record<FailureDecision, string>;
export const decisionByCode = turned(decisionCode);

/** What may follow the last attempt. */
export const lastDecisionCode = { return: decisionCode.return, leave: decisionCode.leave } as const;
export const lastDecisionByCode = turned(lastDecisionCode);

/** Whether a kind of proof is off, optional or required. */
export const proofDemandCode = {
  off: 'nao',
  optional: 'opcional',
  required: 'obrigatorio',
} as const satisfies Record<ProofDemand, string>;
type ProofDemandCode = (typeof proofDemandCode)[ProofDemand];

export const proofDemandByCode = Object.fromEntries(
  Object.entries(proofDemandCode).map(([wanted, code]) => [code, wanted]),
) as Record<ProofDemandCode, ProofDemand>;

export const proofKindCode = {
  photo: 'foto',
  signature: 'assinatura',
} as const satisfies Record<ProofKind, string>;

/** How the caller of a recorded request proved who it is. */
export const requestProofCode = {
  key: 'chave',
  session: 'sessao',
  program: 'programa',
} as const satisfies Record<RequestProof, string>;

/** What an order demands of the driver, and what drivers have. */
export const equipmentCode = {
  thermal_bag: 'bag_termica',
  box: 'bau',
  thermal_box: 'bau_termico',
} as const satisfies Record<Equipment, string>;
type EquipmentCode = (typeof equipmentCode)[Equipment];
export const equipmentByCode = Object.fromEntries(
  Object.entries(equipmentCode).map(([word, code]) => [code, word]),
) as Record<EquipmentCode, Equipment>;
