import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** A request itself: path, body, Idempotency-Key, limits, and what the service cannot answer for. */
export const requestFailures = {
  'route-not-found': fail(404, 'rota não encontrada', 'route not found'),
  'host-not-served': fail(
    421,
    'este serviço atende somente a própria máquina e não responde por {host}; use localhost, ou configure o endereço público do serviço (MALOTE_PUBLIC_URL)',
    'this service serves its own machine only and does not answer for {host}; use localhost, or configure the public address of the service (MALOTE_PUBLIC_URL)',
  ),
  'method-not-allowed': fail(405, 'método não permitido nesta rota', 'method not allowed on this route'),
  'body-too-large': fail(413, 'o corpo excede {size}', 'the body exceeds {size}'),
  'body-too-slow': fail(
    408,
    'o corpo da requisição não chegou a tempo; envie-a de novo',
    'the body of the request did not arrive in time; send it again',
  ),
  'bodies-busy': fail(
    503,
    'há corpos demais sendo enviados ao mesmo tempo; tente novamente em {seconds} s',
    'too many bodies are being sent at the same time; try again in {seconds} s',
  ),
  'body-encoded': fail(
    415,
    'o corpo veio comprimido (Content-Encoding), o que não é aceito; envie-o sem compressão',
    'the body came compressed (Content-Encoding), which is not accepted; send it without compression',
  ),
  'idempotency-key-reused': fail(
    409,
    'a Idempotency-Key já foi usada com outra requisição',
    'the Idempotency-Key was already used with another request',
  ),
  'too-many-keys': fail(
    429,
    'há respostas demais guardadas para as Idempotency-Keys deste usuário; envie sem a chave, ou tente de novo em {seconds} s',
    'too many answers are stored for the Idempotency-Keys of this user; send without the key, or try again in {seconds} s',
  ),
  'own-attempt-running': fail(
    503,
    'a primeira tentativa desta requisição ainda está em andamento; repita-a com a mesma Idempotency-Key em {seconds} s',
    'the first attempt at this request is still running; repeat it with the same Idempotency-Key in {seconds} s',
  ),
  'rate-limited': fail(
    429,
    'limite de requisições excedido; tente novamente em {seconds} s',
    'request limit exceeded; try again in {seconds} s',
  ),
  'too-much-at-once': fail(
    503,
    'há consultas e arquivos demais em andamento para este usuário ou esta central; tente novamente em {seconds} s',
    'too many queries and files are in progress for this user or this central; try again in {seconds} s',
  ),
  'items-refused': fail(
    422,
    'nada foi gravado, porque tudo ou nada foi pedido e houve itens recusados: {count}; os erros de cada um vêm a seguir',
    'nothing was stored, because all or nothing was asked for and some items were refused: {count}; the errors of each follow',
  ),
  unavailable: fail(
    503,
    'serviço temporariamente indisponível; tente novamente',
    'service temporarily unavailable; try again',
  ),
  'outcome-unknown': fail(
    503,
    'não se sabe se a operação foi gravada, porque a conexão com o banco de dados caiu; confira antes de repeti-la',
    'it is not known whether this was stored, because the connection to the database was lost; check before repeating it',
  ),
  bug: fail(
    500,
    'erro interno; informe o código {requestId} ao suporte',
    'internal error; give the code {requestId} to support',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
