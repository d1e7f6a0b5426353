import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** What an order says: addresses, category, company and payment. */
export const orderFailures = {
  'outside-operating-areas': fail(
    422,
    'o ponto {lat}, {lng} está fora das áreas de atuação da central',
    'the point {lat}, {lng} is outside the operating areas of the central',
  ),
  'pickup-not-found': fail(
    422,
    'o endereço da partida não foi encontrado; confira-o ou envie as coordenadas',
    'the address of the pickup was not found; check it or send its coordinates',
  ),
  'stop-address-not-found': fail(
    422,
    'o endereço da parada {stop} não foi encontrado; confira-o ou envie as coordenadas',
    'the address of stop {stop} was not found; check it or send its coordinates',
  ),
  'pickup-unsure': fail(
    422,
    'o endereço da partida não foi encontrado com precisão; o mais parecido é {guess}, com erro de até {metres} m. Corrija-o ou envie as coordenadas',
    'the address of the pickup was not found precisely; the best guess is {guess}, off by up to {metres} m. Correct it or send its coordinates',
  ),
  'stop-address-unsure': fail(
    422,
    'o endereço da parada {stop} não foi encontrado com precisão; o mais parecido é {guess}, com erro de até {metres} m. Corrija-o ou envie as coordenadas',
    'the address of stop {stop} was not found precisely; the best guess is {guess}, off by up to {metres} m. Correct it or send its coordinates',
  ),
  'geocoding-unavailable': fail(
    503,
    'o serviço que encontra endereços não está disponível; tente novamente ou envie as coordenadas',
    'the service that finds addresses is not available; try again or send the coordinates',
  ),
  'address-without-street': fail(
    422,
    'o endereço não tem o nome de uma rua',
    'the address does not name a street',
  ),
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
  'too-many-wrong-coupons': fail(
    429,
    'muitos cupons inválidos informados por este usuário; tente novamente em {seconds} s ou sem cupom',
    'this user has given too many invalid coupons; try again in {seconds} s, or without a coupon',
  ),
  'wallet-needs-company': fail(
    422,
    'pagamento com carteira de créditos exige uma empresa',
    'payment by credit wallet needs a company',
  ),
  'company-ambiguous': fail(
    422,
    'o telefone corresponde a mais de uma empresa; identifique a empresa de outra forma',
    'the phone belongs to more than one company; identify the company in another way',
  ),
  'company-inactive': fail(422, 'a empresa está inativa', 'the company is inactive'),
  'company-fixed': fail(
    422,
    'a empresa da entrega não pode ser trocada; cancele a entrega e abra outra',
    'the company of the delivery cannot be changed; cancel the delivery and open another',
  ),
  'estimate-impossible': fail(
    422,
    'não foi possível calcular a estimativa',
    'the estimate could not be computed',
  ),
  'quote-not-found': fail(404, 'cotação não encontrada', 'quote not found'),
  'quote-expired': fail(
    406,
    'a cotação venceu; faça outra e confirme o valor',
    'the quote has expired; make another one and confirm its price',
  ),
  'quote-used': fail(
    409,
    'a cotação já foi usada em um pedido; cada uma vale para um só',
    'the quote was used for an order already; each is good for one',
  ),
  'quote-differs': fail(
    422,
    'o pedido difere da cotação em quem pede, categoria, cupom, partida, paradas, retorno ou disparo; faça outra cotação',
    'the order differs from the quote in who orders, category, coupon, pickup, stops, return or dispatch; make another quote',
  ),
  'quote-of-other-company': fail(
    422,
    'a cotação foi feita para outra empresa',
    'the quote was made for another company',
  ),
  'external-id-taken': fail(
    406,
    'o id_externo já é do pedido {id}, que não pode mais ser alterado; para outro pedido, use outro id_externo',
    'the id_externo is that of order {id}, which cannot be changed any more; for another order, use another id_externo',
  ),
  'external-id-ambiguous': fail(
    409,
    'pedidos de mais de uma empresa têm este id_externo; informe empresa_id',
    'orders of more than one company have this id_externo; name empresa_id',
  ),
  'too-many-stops': fail(
    400,
    'a solicitação pode ter no máximo {max} paradas e teria {count}',
    'a request may have at most {max} stops and this one would have {count}',
  ),
  'dispatch-in-the-past': fail(
    422,
    'a data e hora de disparo devem estar no futuro',
    'the dispatch date and time must be in the future',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
