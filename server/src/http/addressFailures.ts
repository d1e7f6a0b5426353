import type { RefusalKind } from '../kernel/refusal.ts';
import type { Failure } from './failures.ts';

const fail = (status: number, pt: string, en: string): Failure => ({ status, code: 0, pt, en });

/** Where an order leads: addresses without coordinates, points that are not served, addresses that companies keep. */
export const addressFailures = {
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
  'company-address-not-found': fail(404, 'endereço da empresa não encontrado', 'company address not found'),
  'too-many-addresses': fail(
    400,
    'a empresa pode ter no máximo {max} endereços; exclua os que não são mais usados',
    'the company may have at most {max} addresses; delete those that are no longer used',
  ),
} satisfies Partial<Record<RefusalKind, Failure>>;
