/** The letters of a delivery's status for operators: L and S too, which the integrators' query shows as P and A. */
export const STATUS_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E', 'F', 'N', 'C'] as const;
export type StatusLetter = (typeof STATUS_LETTERS)[number];

export const statusLabel: Record<StatusLetter, { pt: string; en: string }> = {
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
};

/** The statuses of open deliveries, in the order of their lifecycle. */
export const OPEN_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E'] as const satisfies readonly StatusLetter[];
export type OpenLetter = (typeof OPEN_LETTERS)[number];

export const isOverLetter = (letter: StatusLetter): boolean =>
  letter === 'F' || letter === 'N' || letter === 'C';

export const paymentLabel: Record<string, { pt: string; en: string }> = {
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
};

/** The forms of payment that an order can have. */
export const ORDER_PAYMENTS = ['D', 'X', 'C', 'B', 'R', 'F', 'P', 'H'] as const;
