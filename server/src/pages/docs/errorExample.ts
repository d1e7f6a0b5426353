import { STATUS_CODES } from 'node:http';
import { CHALLENGE, describeFailure, RETRY_SECONDS } from '../../api/http/answerError.ts';
import { type ErrorEntry, type ErrorKind, failureBody, type Language } from '../../api/http/envelope.ts';
import { statusOf } from '../../api/http/errorHelp/families.ts';
import { sampleDetails } from '../../api/http/openapiFailures.ts';
import type { RefusalDetails } from '../../platform/kernel/refusal.ts';

/** What messages quote, beyond the samples of the reference. */
const moreDetails: RefusalDetails = {
  area: 'Centro',
  host: 'entregas.exemplo',
  reason: 'ring-open',
  dueCents: 2_590,
};

/** The real limits, where a message names one. */
const detailsOfKind: Partial<Record<ErrorKind, RefusalDetails>> = {
  'too-many-webhooks': { max: 20 },
  'too-many-addresses': { max: 200 },
  'too-many-records': { max: 500 },
  'too-many-views': { max: 50 },
  'too-many-pix': { max: 200 },
  'replay-too-large': { max: 5_000 },
  'closing-too-large': { count: 5_000 },
  'report-period': { max: 366 },
  'proof-too-many': { max: 40 },
};

const invalidMessage = { pt: "'motivo_id': é obrigatório", en: "'motivo_id': is required" };

interface ErrorExample {
  /** The first line of the answer and the headers that matter. */
  head: string;
  body: string;
}

/** An answer with this failure, as the service gives it. */
export function exampleOf(kind: ErrorKind, hasKindInErrors: boolean, language: Language): ErrorExample {
  const status = statusOf(kind);
  const details = { ...sampleDetails, ...moreDetails, ...detailsOfKind[kind] };
  const { code, message } =
    kind === 'invalid-input'
      ? { code: 2, message: invalidMessage[language] }
      : describeFailure(kind, details, language);
  const entry: ErrorEntry = { code, message, ...(hasKindInErrors && { kind }) };
  const namesSeconds = message.includes(`${details.seconds} s`);
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `X-Error-Kind: ${kind}`,
    `X-Request-Id: ${details.requestId}`,
    status === 401 && `WWW-Authenticate: ${CHALLENGE}`,
    kind === 'method-not-allowed' && 'Allow: GET',
    (status === 429 || status === 503) && `Retry-After: ${namesSeconds ? details.seconds : RETRY_SECONDS}`,
  ].filter(Boolean);
  return {
    head: [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers].join('\n'),
    body: JSON.stringify(failureBody([entry]), null, 2),
  };
}
