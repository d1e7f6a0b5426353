/*
 * What people read for each code: in files, on the tracking page, in the console and in the driver's app. The pages
 * import this file, so it imports nothing.
 */

export interface Label {
  pt: string;
  en: string;
}

type Labels = Readonly<Record<string, Label>>;

/** By the letters that operators get. */
export const STATUS_LABELS = {
  L: { pt: 'A liberar', en: 'To release' },
  D: { pt: 'Distribuindo', en: 'Distributing' },
  G: { pt: 'Aguarda aceite', en: 'Awaiting acceptance' },
  P: { pt: 'Pendente', en: 'Pending' },
  A: { pt: 'Aceita', en: 'Accepted' },
  S: { pt: 'Em espera', en: 'On hold' },
  E: { pt: 'Em andamento', en: 'In progress' },
  F: { pt: 'Finalizada', en: 'Finished' },
  N: { pt: 'Não atendida', en: 'Not attended' },
  C: { pt: 'Cancelada', en: 'Cancelled' },
} as const satisfies Labels;

export const SITUATION_LABELS = {
  A: { pt: 'Aguardando', en: 'Awaiting' },
  D: { pt: 'Distribuída', en: 'Dispatched' },
  agrupado: { pt: 'Agrupada', en: 'Grouped' },
  C: { pt: 'Cancelada', en: 'Cancelled' },
  X: { pt: 'Erro', en: 'Failed' },
} as const satisfies Labels;

export const PAYMENT_LABELS = {
  D: { pt: 'Dinheiro', en: 'Cash' },
  V: { pt: 'Voucher', en: 'Voucher' },
  T: { pt: 'Ticket', en: 'Ticket' },
  W: { pt: 'Carteira de outro aplicativo', en: 'Third-party wallet' },
  C: { pt: 'Cartão de crédito', en: 'Credit card' },
  B: { pt: 'Cartão de débito', en: 'Debit card' },
  A: { pt: 'Cartão no aplicativo', en: 'App card' },
  X: { pt: 'Pix', en: 'Pix (instant transfer)' },
  P: { pt: 'Aplicativo de pagamento', en: 'Payment app' },
  H: { pt: 'Pagamento por mensagem', en: 'Messaging-app payment' },
  R: { pt: 'Créditos da empresa', en: 'Credit wallet' },
  F: { pt: 'Faturado', en: 'Invoiced' },
} as const satisfies Labels;

export const VEHICLE_LABELS = {
  moto: { pt: 'Moto', en: 'Motorcycle' },
  carro: { pt: 'Carro', en: 'Car' },
  bicicleta: { pt: 'Bicicleta', en: 'Bicycle' },
} as const satisfies Labels;

/** Why nothing could be handed over at a stop. */
export const FAILURE_REASON_LABELS = {
  ausente: { pt: 'Ninguém no local', en: 'Nobody there' },
  endereco_errado: { pt: 'Endereço errado', en: 'Wrong address' },
  recusado: { pt: 'Recusou receber', en: 'Refused to receive' },
  outro: { pt: 'Outro motivo', en: 'Another reason' },
} as const satisfies Labels;

/** Entries of a company's wallet. */
export const WALLET_ENTRY_LABELS = {
  recarga: { pt: 'Recarga', en: 'Top-up' },
  saque: { pt: 'Saque', en: 'Withdrawal' },
  reserva: { pt: 'Reserva', en: 'Reserve' },
  estorno_reserva: { pt: 'Estorno da reserva', en: 'Release' },
  cobranca: { pt: 'Cobrança', en: 'Charge' },
  taxa_cancelamento: { pt: 'Taxa de cancelamento', en: 'Cancellation fee' },
} as const satisfies Labels;

/** Entries of the accounts of companies and drivers, and lines of closings. */
export const ACCOUNT_LINE_LABELS = {
  entrega: { pt: 'Entrega', en: 'Delivery' },
  taxa_cancelamento: { pt: 'Cancelamento', en: 'Cancellation' },
  pago_com_creditos: { pt: 'Pago com créditos', en: 'Paid with credit' },
  recebido_em_dinheiro: { pt: 'Recebido em dinheiro', en: 'Received in cash' },
  pago_no_pedido: { pt: 'Pago no pedido', en: 'Paid with the order' },
  repasse: { pt: 'Repasse', en: 'Share' },
  dinheiro_recebido: { pt: 'Dinheiro recebido', en: 'Cash collected' },
  dinheiro_entregue: { pt: 'Dinheiro entregue', en: 'Cash handed in' },
  pagamento: { pt: 'Pagamento', en: 'Payment' },
  ajuste: { pt: 'Ajuste', en: 'Adjustment' },
} as const satisfies Labels;

/** Their sums. */
export const ACCOUNT_SUM_LABELS = {
  ...ACCOUNT_LINE_LABELS,
  entrega: { pt: 'Entregas', en: 'Deliveries' },
  taxa_cancelamento: { pt: 'Cancelamentos', en: 'Cancellations' },
  repasse: { pt: 'Repasses', en: 'Shares' },
  pagamento: { pt: 'Pagamentos', en: 'Payments' },
  ajuste: { pt: 'Ajustes', en: 'Adjustments' },
} as const satisfies Labels;

/** Roles, worded to continue a sentence. */
export const ROLE_LABELS = {
  operador: { pt: 'operador', en: 'operator' },
  supervisor: { pt: 'supervisor', en: 'supervisor' },
  financeiro: { pt: 'financeiro', en: 'finance' },
  atendente: { pt: 'atendente', en: 'attendant' },
  consulta: { pt: 'consulta', en: 'read-only' },
  integrador: { pt: 'integrador', en: 'integrator' },
  gerente: { pt: 'gerente', en: 'manager' },
  condutor: { pt: 'entregador', en: 'driver' },
} as const satisfies Labels;

/** What a program may be given, worded as what it then may do. */
export const SCOPE_LABELS = {
  watch: {
    pt: 'Ver entregas, programadas e entregadores; cotar',
    en: 'See deliveries, scheduled ones and drivers; estimate',
  },
  'proof-read': { pt: 'Ver fotos e assinaturas das entregas', en: 'See photos and signatures of hand-overs' },
  internals: { pt: 'Ver dados internos da central', en: 'See internal data of the central' },
  order: { pt: 'Pedir, alterar, cancelar e agrupar entregas', en: 'Place, change, cancel and group orders' },
  desk: {
    pt: 'Corrigir endereços e cancelar programadas pela central',
    en: 'Correct addresses and cancel scheduled deliveries for the central',
  },
  'address-book': {
    pt: 'Usar os endereços guardados das empresas',
    en: 'Use the kept addresses of companies',
  },
  dispatch: {
    pt: 'Conduzir entregas: atribuir, reter, trocar de entregador',
    en: 'Run deliveries: assign, hold, hand over',
  },
  drive: {
    pt: 'Dar os passos do entregador e enviar posições',
    en: 'Take the steps of a driver, report positions',
  },
  drivers: { pt: 'Cadastrar entregadores', en: 'Register drivers' },
  companies: { pt: 'Cadastrar empresas', en: 'Register companies' },
  'registers-read': { pt: 'Ler os cadastros', en: 'Read the registers' },
  tariffs: { pt: 'Alterar tarifas, áreas e cupons', en: 'Change tariffs, areas and coupons' },
  audit: { pt: 'Ler a auditoria', en: 'Read the audit log' },
  'webhooks-read': { pt: 'Ver webhooks e seus envios', en: 'See webhooks and their messages' },
  'webhooks-resend': { pt: 'Reenviar mensagens de webhooks', en: 'Resend messages of webhooks' },
  webhooks: { pt: 'Criar e alterar webhooks', en: 'Create and change webhooks' },
  balance: { pt: 'Ver o saldo das empresas', en: 'See the balances of companies' },
  'wallet-read': { pt: 'Ver o extrato das empresas', en: 'See the statements of companies' },
  'pix-codes': { pt: 'Gerar códigos Pix para recarga', en: 'Create Pix codes for top-ups' },
  'top-up': { pt: 'Recarregar créditos', en: 'Top up credit' },
  withdraw: { pt: 'Sacar créditos', en: 'Withdraw credit' },
  'earnings-read': { pt: 'Ver a conta dos entregadores', en: 'See the accounts of drivers' },
  'driver-entries': { pt: 'Lançar na conta dos entregadores', en: 'Make entries in the accounts of drivers' },
  reports: { pt: 'Ler relatórios', en: 'Read reports' },
  'closings-read': { pt: 'Ver fechamentos', en: 'See closings' },
  closings: { pt: 'Fechar contas e marcá-las como pagas', en: 'Close accounts and mark them as paid' },
} as const satisfies Labels;

/** Those that a program of a company may be given. */
export const COMPANY_SCOPES = [
  ...['watch', 'proof-read', 'order', 'address-book', 'webhooks-read', 'webhooks-resend', 'webhooks'],
  ...['balance', 'wallet-read', 'pix-codes', 'top-up', 'reports', 'closings-read'],
] as readonly string[];
