import { nonsense } from './engineAnswers.ts';
import { RoutingUnavailable } from './router.ts';

export interface HttpEngineOptions {
  timeoutMs?: number;
}

/** A way across a continent is a tenth of it. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * One question to an engine behind HTTP. Whatever keeps a JSON answer from arriving whole and in time is
 * RoutingUnavailable; the status is for the caller to judge. No redirect is followed: an engine has no reason for
 * one, and it could lead anywhere in the operator's network.
 */
export async function askOverHttp(
  url: string,
  { timeoutMs = 3000, post }: HttpEngineOptions & { post?: unknown },
): Promise<{ status: number; answer: unknown }> {
  try {
    const response = await fetch(url, {
      ...(post === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(post), headers: { 'content-type': 'application/json' } }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, answer: parsed(await boundedText(response)) };
  } catch (error) {
    if (error instanceof RoutingUnavailable) throw error;
    throw new RoutingUnavailable(`the routing engine did not answer: ${reason(error)}`, { cause: error });
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw nonsense('it does not end');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw nonsense('it is not JSON');
  }
}

/** fetch hides the reason ("ECONNREFUSED") in the cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '');
