import type { Status } from '../deliveries/status.ts';
import type { Payment } from '../requests/request.ts';

/** The labels of the statuses in files. The console has the same labels, and a test compares them. */
export const statusLabel: Record<Status, string> = {
  awaiting_release: 'A liberar',
  distributing: 'Distribuindo',
  offered: 'Aguarda aceite',
  pending: 'Pendente',
  accepted: 'Aceita',
  on_hold: 'Em espera',
  in_progress: 'Em andamento',
  finished: 'Finalizada',
  not_attended: 'Não atendida',
  cancelled: 'Cancelada',
};

export const paymentLabel: Record<Payment, string> = {
  cash: 'Dinheiro',
  voucher: 'Voucher',
  ticket: 'Ticket',
  third_party_wallet: 'Carteira de outro aplicativo',
  credit_card: 'Cartão de crédito',
  debit_card: 'Cartão de débito',
  app_card: 'Cartão no aplicativo',
  instant_transfer: 'Pix',
  third_party_app: 'Aplicativo de pagamento',
  messaging_app: 'Pagamento por mensagem',
  credit_wallet: 'Créditos da empresa',
  invoiced: 'Faturado',
};
