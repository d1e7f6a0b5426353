import { EngineUnavailable } from './callGuard.ts';

export interface JsonRequest {
  timeoutMs: number;
  /** A longer answer counts as a failure. */
  bytesMax: number;
  post?: unknown;
  headers?: Record<string, string>;
  /** Creates the error of this kind of engine; the message continues its name. */
  unavailable(message: string, options?: ErrorOptions): EngineUnavailable;
}

/**
 * Sends one request to an engine over HTTP. Without a complete JSON answer in time the engine has failed; the caller
 * interprets the status. Redirects are not followed: an engine has no reason for one, and it could lead anywhere in the
 * operator's network.
 */
export async function jsonOverHttp(
  url: string,
  { timeoutMs, bytesMax, post, headers = {}, unavailable }: JsonRequest,
): Promise<{ status: number; answer: unknown }> {
  const nonsense = (what: string) => unavailable(`'s answer is not valid: ${what}`);
  try {
    const response = await fetch(url, {
      ...(post === undefined
        ? { headers }
        : {
            method: 'POST',
            body: JSON.stringify(post),
            headers: { ...headers, 'content-type': 'application/json' },
          }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await boundedText(response, bytesMax);
    if (text === null) throw nonsense('it does not end');
    try {
      return { status: response.status, answer: JSON.parse(text) };
    } catch {
      throw nonsense('it is not JSON');
    }
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    throw unavailable(` did not answer: ${reason(error)}`, { cause: error });
  }
}

async function boundedText(response: Response, bytesMax: number): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** fetch hides the reason ("ECONNREFUSED") in the cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
