import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Wallets, accounts, closings and Pix. */
export const moneyFailures = {
  'insufficient-balance': fail(
    422,
    'saldo insuficiente na carteira de créditos da empresa',
    'insufficient balance in the credit wallet of the company',
  ),
  'entry-not-found': fail(404, 'lançamento não encontrado', 'entry not found'),
  'entry-reversed': fail(
    409,
    'este lançamento já foi estornado, ou é ele mesmo um estorno',
    'this entry was already reversed, or is itself a reversal',
  ),
  'cash-not-held': fail(
    422,
    'o valor é maior que o dinheiro que o entregador tem a entregar',
    'the amount is more than the cash that the driver has to hand in',
  ),
  'closing-not-found': fail(404, 'fechamento não encontrado', 'closing not found'),
  'nothing-to-close': fail(409, 'não há nada em aberto até esta data', 'nothing is open up to this date'),
  'closing-paid': fail(409, 'este fechamento já está pago', 'this closing is already paid'),
  'closing-too-large': fail(
    422,
    'são mais de {count} lançamentos; feche até uma data anterior',
    'there are more than {count} entries; close up to an earlier date',
  ),
  'pix-not-set': fail(
    422,
    'a central ainda não informou a sua chave Pix nas configurações',
    'the central has not set its Pix key in the settings yet',
  ),
  'pix-not-found': fail(
    404,
    'não há um código Pix desta empresa com este identificador',
    'this company has no Pix code with this identifier',
  ),
  'pix-credited': fail(
    409,
    'os créditos deste Pix já foram adicionados',
    'the credit of this Pix was added already',
  ),
  'too-many-pix': fail(
    409,
    'há {max} códigos Pix desta empresa à espera de pagamento; use um deles, ou espere que os mais antigos sejam esquecidos, depois de 30 dias',
    '{max} Pix codes of this company await payment; use one of them, or wait until the oldest are forgotten, after 30 days',
  ),
  'pix-amount': fail(
    422,
    'o valor de um Pix vai de 0,01 a 1.000.000,00',
    'the amount of a Pix is from 0.01 to 1,000,000.00',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
