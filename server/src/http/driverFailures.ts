import type { RefusalKind } from '../kernel/refusal.ts';
import type { Failure } from './failures.ts';

const fail = (status: number, pt: string, en: string): Failure => ({ status, code: 0, pt, en });

/** What concerns drivers, their phones and what they could not deliver. */
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
    'o valor é maior que o dinheiro que o condutor tem a entregar',
    'the amount is more than the cash that the driver has to hand in',
  ),
  'driver-without-login': fail(
    422,
    'este condutor não tem usuário; crie um usuário com perfil de condutor e tente novamente',
    'this driver has no user; create a user with the driver’s role and try again',
  ),
  'not-a-device': fail(
    422,
    'somente um aparelho em que o condutor entrou pode receber avisos',
    'only a device on which the driver is signed in can receive notifications',
  ),
  'failure-not-open': fail(
    406,
    'esta parada não tem uma falha à espera de solução',
    'this stop has no failure that waits to be resolved',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
