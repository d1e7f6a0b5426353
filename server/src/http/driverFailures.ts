import type { RefusalKind } from '../kernel/refusal.ts';
import type { Failure } from './failures.ts';

const fail = (status: number, pt: string, en: string): Failure => ({ status, code: 0, pt, en });

/** What concerns drivers, their phones, what they could not deliver, closings and reports. */
export const driverFailures = {
  'invite-not-valid': fail(
    401,
    'este convite não existe, expirou ou já foi usado; peça outro à central',
    'this invitation does not exist, has expired or was already used; ask the central for another one',
  ),
  'device-not-found': fail(404, 'aparelho não encontrado', 'device not found'),
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
  'report-period': fail(
    422,
    'o período deve terminar no dia em que começa ou depois, e ter até {max} dias',
    'the period must end on the day on which it begins or later, and have at most {max} days',
  ),
  'report-filters': fail(
    422,
    'este relatório não existe com esses filtros juntos; retire um deles',
    'this report does not exist with these filters together; remove one of them',
  ),
  'closing-not-found': fail(404, 'fechamento não encontrado', 'closing not found'),
  'nothing-to-close': fail(409, 'não há nada em aberto até esta data', 'nothing is open up to this date'),
  'closing-paid': fail(409, 'este fechamento já está pago', 'this closing is already paid'),
  'closing-too-large': {
    status: 422,
    code: 0,
    pt: 'são mais de {count} lançamentos; feche até uma data anterior',
    en: 'there are more than {count} entries; close up to an earlier date',
  },
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
  'driver-without-login': fail(
    422,
    'este entregador não tem usuário; crie um usuário com perfil de entregador e tente novamente',
    'this driver has no user; create a user with the driver’s role and try again',
  ),
  'not-a-device': fail(
    422,
    'somente um aparelho em que o entregador entrou pode receber avisos',
    'only a device on which the driver is signed in can receive notifications',
  ),
  'failure-not-open': fail(
    406,
    'esta parada não tem uma falha à espera de solução',
    'this stop has no failure that waits to be resolved',
  ),
  'driver-carries-it': fail(
    409,
    'este entregador já leva a entrega',
    'this driver already carries the delivery',
  ),
  'driver-has-current': fail(
    409,
    'este entregador está com a entrega {id} agora; uma entrega já iniciada só passa para quem está livre',
    'this driver has delivery {id} now; a delivery that was started passes only to a driver who is free',
  ),
  'delivery-without-driver': fail(
    409,
    'a entrega ainda não tem entregador; ofereça-a a um',
    'the delivery has no driver yet; offer it to one',
  ),
  'delivery-handed-over': fail(
    409,
    'a central passou esta entrega para outro entregador',
    'the central gave this delivery to another driver',
  ),
  'delivery-changed': fail(
    409,
    'a entrega mudou enquanto você a editava; confira como ela está e tente de novo',
    'the delivery changed while you were editing it; look at it as it is now and try again',
  ),
  'edited-stop-concluded': fail(
    409,
    'uma das paradas já foi concluída e não pode mais mudar',
    'one of the stops was already concluded and cannot change any more',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
