import type { RefusalKind } from '../kernel/refusal.ts';
import { accessFailures } from './accessFailures.ts';
import { addressFailures } from './addressFailures.ts';
import { driverFailures } from './driverFailures.ts';
import { listFailures } from './listFailures.ts';
import { proofFailures } from './proofFailures.ts';
import { stopRemovalFailures } from './stopRemovalFailures.ts';
import { webhookFailures } from './webhookFailures.ts';

export interface Failure {
  status: number;
  code: number;
  pt: string;
  en: string;
}

const fail = (status: number, pt: string, en: string): Failure => ({ status, code: 0, pt, en });

/** Contract 7: the HTTP status and the texts of each refusal. `{name}` is filled from the refusal's details. */
export const failures: Record<RefusalKind, Failure> = {
  'central-not-identified': fail(
    401,
    'central (bandeira) não identificada na requisição: envie o cabeçalho api-key',
    'central (bandeira) not identified in the request: send the api-key header',
  ),
  'bad-credentials': fail(401, 'usuário e/ou senha inválidos', 'invalid user and/or password'),
  'too-many-attempts': fail(
    429,
    'muitas tentativas de acesso sem sucesso; aguarde um pouco e tente novamente',
    'too many failed login attempts; wait a moment and try again',
  ),
  'logins-busy': fail(
    503,
    'há muitos acessos ao mesmo tempo; tente novamente em {seconds} s',
    'too many logins at the same time; try again in {seconds} s',
  ),
  'too-many-wrong-coupons': fail(
    429,
    'muitos cupons inválidos informados por este usuário; tente novamente em {seconds} s ou sem cupom',
    'this user has given too many invalid coupons; try again in {seconds} s, or without a coupon',
  ),
  'not-allowed': fail(
    403,
    'este usuário não tem permissão para esta operação',
    'this user does not have permission for this operation',
  ),
  'company-manager-only': fail(
    403,
    'apenas um gerente da empresa pode editar uma entrega programada',
    'only a manager of the company may edit a scheduled delivery',
  ),

  'delivery-not-found': fail(404, 'entrega não encontrada', 'delivery not found'),
  'scheduled-not-found': fail(404, 'entrega programada não encontrada', 'scheduled delivery not found'),
  'stop-not-found': fail(404, 'parada não encontrada', 'stop not found'),
  'company-not-found': fail(404, 'empresa não encontrada', 'company not found'),
  'company-ambiguous': fail(
    422,
    'o telefone corresponde a mais de uma empresa; identifique a empresa de outra forma',
    'the phone belongs to more than one company; identify the company in another way',
  ),
  'driver-not-found': fail(404, 'entregador não encontrado', 'driver not found'),
  'category-not-found': fail(404, 'categoria não encontrada', 'category not found'),
  'reason-not-found': fail(404, 'motivo de cancelamento não encontrado', 'cancellation reason not found'),
  'area-not-found': fail(404, 'área de atuação não encontrada', 'operating area not found'),
  'record-not-found': fail(404, 'registro não encontrado', 'record not found'),
  'webhook-not-found': fail(404, 'webhook não encontrado', 'webhook not found'),
  'message-not-found': fail(404, 'envio não encontrado', 'webhook message not found'),

  'grouping-in-progress': fail(
    409,
    'já existe um agrupamento em andamento para esta solicitação',
    'a grouping is already in progress for this request',
  ),
  'merge-in-progress': fail(
    400,
    'a entrega programada está em uso pelo agrupamento automático e será liberada em instantes',
    'the scheduled delivery is being used by the automatic merge and will be released shortly',
  ),
  'grouped-automatically': fail(
    400,
    'a entrega programada já foi agrupada automaticamente e não pode ser alterada',
    'the scheduled delivery was already grouped automatically and cannot be changed',
  ),
  'not-awaiting-dispatch': fail(
    406,
    'a entrega programada {id} não está aguardando disparo',
    'scheduled delivery {id} is not awaiting dispatch',
  ),
  'too-few-orders': fail(
    409,
    'são necessários ao menos 2 pedidos para agrupar',
    'at least 2 orders are needed to group',
  ),
  'different-companies': fail(
    422,
    'as entregas são de clientes ou de empresas diferentes',
    'the deliveries belong to different customers or different companies',
  ),
  'different-pickups': fail(
    422,
    'os endereços de coleta são diferentes',
    'the pickup addresses are different',
  ),
  'too-close-to-dispatch': fail(
    422,
    'falta menos de 60 segundos para o disparo do pedido {id}',
    'order {id} has less than 60 seconds to dispatch',
  ),
  'too-many-stops': fail(
    400,
    'a solicitação pode ter no máximo {max} paradas e teria {count}',
    'a request may have at most {max} stops and this one would have {count}',
  ),
  'estimate-impossible': fail(
    422,
    'não foi possível calcular a estimativa',
    'the estimate could not be computed',
  ),
  'not-saved': fail(
    400,
    'a solicitação agrupada não pôde ser salva porque mudou durante o agrupamento; tente novamente',
    'the grouped request could not be saved because it changed during the grouping; try again',
  ),
  'not-in-progress': fail(406, 'a entrega {id} não está em andamento', 'delivery {id} is not in progress'),

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
  'still-awaiting-dispatch': fail(
    406,
    'a entrega programada ainda aguarda disparo e não pode ser cancelada por esta interface',
    'the scheduled delivery still awaits dispatch and cannot be cancelled through this interface',
  ),
  'scheduled-cancelled': fail(
    406,
    'a entrega programada está cancelada',
    'the scheduled delivery is cancelled',
  ),
  'scheduled-dispatched': fail(
    406,
    'a entrega programada já foi disparada',
    'the scheduled delivery was already dispatched',
  ),
  'scheduled-grouped': fail(
    406,
    'a entrega programada foi agrupada na programada {id}',
    'the scheduled delivery was grouped into scheduled delivery {id}',
  ),
  'scheduled-failed': fail(
    406,
    'o disparo da entrega programada falhou definitivamente',
    'the dispatch of the scheduled delivery failed for good',
  ),
  'dispatch-not-failed': fail(
    406,
    'o disparo desta entrega programada não falhou, ou já foi refeito',
    'the dispatch of this scheduled delivery did not fail, or was made again already',
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
  ...stopRemovalFailures,
  ...driverFailures,
  ...proofFailures,
  'grouper-needs-stop': fail(
    406,
    'a entrega programada foi agrupada na programada {id}, que ficaria sem paradas; cancele a programada {id}',
    'the scheduled delivery was grouped into scheduled delivery {id}, which would be left without stops; cancel {id}',
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
  'offer-not-open': fail(
    406,
    'a entrega não está mais oferecida a este entregador',
    'the delivery is no longer offered to this driver',
  ),

  'dispatch-in-the-past': fail(
    422,
    'a data e hora de disparo devem estar no futuro',
    'the dispatch date and time must be in the future',
  ),
  ...addressFailures,
  'category-mismatch': fail(
    422,
    'o número e o nome informados são de categorias diferentes',
    'the id and the name given belong to different categories',
  ),
  'category-missing': fail(
    422,
    'informe a categoria: não há categoria padrão',
    'give the category: there is no default category',
  ),
  'no-tariff': fail(
    422,
    'não há tarifa para esta categoria no ponto de partida',
    'there is no tariff for this category at the pickup point',
  ),
  // One answer for every fault of a code, so that guessing does not reveal which codes exist.
  'coupon-invalid': fail(
    422,
    'cupom inválido, vencido, esgotado ou não aceito para esta empresa',
    'the coupon is invalid, expired, used up or not accepted for this company',
  ),
  'insufficient-balance': fail(
    422,
    'saldo insuficiente na carteira de créditos da empresa',
    'insufficient balance in the credit wallet of the company',
  ),
  'wallet-needs-company': fail(
    422,
    'pagamento com carteira de créditos exige uma empresa',
    'payment by credit wallet needs a company',
  ),
  'company-fixed': fail(
    422,
    'a empresa da entrega não pode ser trocada; cancele a entrega e abra outra',
    'the company of the delivery cannot be changed; cancel the delivery and open another',
  ),
  'company-inactive': fail(422, 'a empresa está inativa', 'the company is inactive'),
  'confirmation-code-required': {
    status: 400,
    code: 2,
    pt: "'codigo_confirmacao': é obrigatório",
    en: "'codigo_confirmacao': is required",
  },
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
  'driver-inactive': fail(422, 'o entregador está inativo', 'the driver is inactive'),
  'driver-of-other-companies': fail(
    422,
    'o entregador atende somente entregas de outras empresas',
    'the driver serves only deliveries of other companies',
  ),

  'record-in-use': fail(
    409,
    'o registro está em uso e não pode ser excluído',
    'the record is in use and cannot be deleted',
  ),
  'record-duplicate': fail(
    409,
    'já existe um registro com este valor: {field}',
    'a record with this value exists: {field}',
  ),
  'invalid-shape': fail(
    422,
    "geometria inválida da área '{area}': {reason}",
    "invalid geometry of the area '{area}': {reason}",
  ),
  'areas-too-large': fail(
    422,
    'as áreas de atuação da central ficariam grandes demais: juntas, cabem cerca de 75.000 posições; simplifique os contornos',
    'the operating areas of the central would become too large: about 75,000 positions fit in total; simplify the outlines',
  ),
  'default-area-needed': fail(
    409,
    'a central precisa de uma área padrão; torne outra área a padrão primeiro',
    'the central needs a default area; make another area the default first',
  ),
  ...accessFailures,
  'too-many-records': fail(
    400,
    'a central pode ter no máximo {max} registros deste tipo; exclua os que não são mais usados',
    'the central may have at most {max} records of this kind; delete those that are no longer used',
  ),

  ...webhookFailures,
  ...listFailures,
  'too-many-listeners': fail(
    429,
    'há conexões ao vivo demais; feche as que não estão em uso e tente novamente',
    'too many live connections; close those that are not in use and try again',
  ),

  'idempotency-key-reused': fail(
    409,
    'a Idempotency-Key já foi usada com outra requisição',
    'the Idempotency-Key was already used with another request',
  ),
  'own-attempt-running': fail(
    503,
    'a primeira tentativa desta requisição ainda está em andamento; repita-a com a mesma Idempotency-Key em {seconds} s',
    'the first attempt at this request is still running; repeat it with the same Idempotency-Key in {seconds} s',
  ),

  'route-not-found': fail(404, 'rota não encontrada', 'route not found'),
  'method-not-allowed': fail(405, 'método não permitido nesta rota', 'method not allowed on this route'),
  'body-too-large': fail(413, 'o corpo excede {size}', 'the body exceeds {size}'),
  'rate-limited': fail(
    429,
    'limite de requisições excedido; tente novamente em {seconds} s',
    'request limit exceeded; try again in {seconds} s',
  ),
  unavailable: fail(
    503,
    'serviço temporariamente indisponível; tente novamente',
    'service temporarily unavailable; try again',
  ),
  bug: fail(
    500,
    'erro interno; informe o código {requestId} ao suporte',
    'internal error; give the code {requestId} to support',
  ),
};
