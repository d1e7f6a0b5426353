export const PAYMENTS = [
  'cash',
  'voucher',
  'ticket',
  'third_party_wallet',
  'credit_card',
  'debit_card',
  'app_card',
  'instant_transfer',
  'third_party_app',
  'messaging_app',
  'credit_wallet',
  'invoiced',
] as const;
export type Payment = (typeof PAYMENTS)[number];
