import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Deliveries: their steps, stops and drivers. */
export const deliveryFailures = {
  'delivery-not-found': fail(404, 'entrega não encontrada', 'delivery not found'),
  'stop-not-found': fail(404, 'parada não encontrada', 'stop not found'),
  'delivery-over': fail(
    406,
    'a entrega já foi finalizada, cancelada ou não atendida',
    'the delivery was already finished, cancelled or not attended',
  ),
  'delivery-grouped': fail(
    406,
    'a entrega foi agrupada na entrega {id}; use a entrega {id}',
    'the delivery was grouped into delivery {id}; use delivery {id}',
  ),
  'delivery-started': fail(
    406,
    'a entrega já está em andamento e não pode mais ser editada',
    'the delivery is already in progress and can no longer be edited',
  ),
  'delivery-carries-others': fail(
    406,
    'a entrega leva pedidos de outras programadas agrupadas e não pode ser substituída; exclua paradas ou cancele-a',
    'the delivery carries orders of other scheduled deliveries and cannot be replaced; remove stops or cancel it',
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
  'not-finished': fail(
    406,
    'a entrega não foi finalizada; o recibo existe somente após a finalização',
    'the delivery is not finished; a receipt exists only once it is',
  ),
  'receipt-of-grouper': fail(
    406,
    'a entrega foi agrupada; consulte o recibo da entrega {id}',
    'the delivery was grouped; read the receipt of delivery {id}',
  ),
  'not-to-order-again': fail(
    406,
    'só uma entrega não atendida pode ser pedida de novo, e uma única vez',
    'only a delivery that was not attended can be ordered again, and only once',
  ),
  'not-to-dismiss': fail(
    406,
    'só uma entrega não atendida que ninguém pediu de novo pode ser dispensada, e uma única vez',
    'only a delivery that was not attended and that nobody ordered again can be dismissed, and only once',
  ),
  'last-stop': fail(
    409,
    'a solicitação precisa manter ao menos uma parada',
    'the request must keep at least one stop',
  ),
  // Integrators of similar platforms know the codes 33, 135 and 136 for a stop that cannot be removed.
  'removed-stop-not-found': fail(
    404,
    'parada não encontrada nesta entrega',
    'stop not found in this delivery',
    136,
  ),
  'removed-stop-grouped': fail(
    406,
    'a entrega foi agrupada na entrega {id}; exclua a parada da entrega {id}',
    'the delivery was grouped into delivery {id}; remove the stop from delivery {id}',
    135,
  ),
  'removed-stop-over': fail(
    406,
    'a entrega já foi finalizada, cancelada ou não atendida; suas paradas não podem ser excluídas',
    'the delivery was already finished, cancelled or not attended; its stops cannot be removed',
    135,
  ),
  'removed-stop-concluded': fail(
    406,
    'a parada já foi concluída e não pode ser excluída',
    'the stop was already concluded and cannot be removed',
    135,
  ),
  'removed-stop-last': fail(
    409,
    'a entrega precisa manter ao menos uma parada a visitar; para desistir dela, cancele a entrega',
    'the delivery must keep at least one stop to visit; to give it up, cancel the delivery',
    33,
  ),
  'step-out-of-order': fail(
    406,
    'esta etapa não é possível na situação atual da entrega',
    'this step is not possible in the current state of the delivery',
  ),
  'stops-not-concluded': fail(
    406,
    'a entrega ainda tem paradas a concluir: {count}',
    'the delivery still has stops to conclude: {count}',
  ),
  'failure-not-open': fail(
    406,
    'esta parada não tem uma falha à espera de solução',
    'this stop has no failure that waits to be resolved',
  ),
  'confirmation-code-required': fail(
    400,
    "'codigo_confirmacao': é obrigatório",
    "'codigo_confirmacao': is required",
    2,
  ),
  'wrong-confirmation-code': fail(
    422,
    'código de confirmação incorreto; tentativas restantes: {left}',
    'wrong confirmation code; attempts left: {left}',
  ),
  'confirmation-code-locked': fail(
    422,
    'código de confirmação bloqueado após tentativas incorretas; fale com a central',
    'the confirmation code is locked after wrong attempts; contact the central',
  ),
  'offer-not-open': fail(
    406,
    'a entrega não está mais oferecida a este entregador',
    'the delivery is no longer offered to this driver',
  ),
  'delivery-taken': fail(
    409,
    'a entrega já foi aceita por outro entregador',
    'another driver has already accepted the delivery',
  ),
  'driver-busy': fail(409, 'máximo de entregas em espera atingido', 'too many deliveries are waiting'),
  'driver-off-duty': fail(406, 'o entregador está fora de serviço', 'the driver is off duty'),
  'driver-too-far': fail(
    422,
    'o entregador está longe demais da coleta, ou sua posição não é conhecida',
    'the driver is too far from the pickup, or its position is not known',
  ),
  'driver-of-other-companies': fail(
    422,
    'o entregador atende somente entregas de outras empresas',
    'the driver serves only deliveries of other companies',
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
} as const satisfies Partial<Record<RefusalKind, Failure>>;
