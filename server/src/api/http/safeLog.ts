import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What a log line contains about an error: its kind, its codes and its places in the code. Never its message or
 * the database's details: these quote user input, such as a name or a CPF.
 */
export interface ErrorDescription {
  type: string;
  code?: string;
  table?: string;
  column?: string;
  constraint?: string;
  routine?: string;
  stack: string;
  cause?: ErrorDescription;
}

const NAMED = ['code', 'table', 'column', 'constraint', 'routine'] as const;
const CAUSES_MAX = 3;

export function describeError(error: unknown, causes = CAUSES_MAX): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, stack: '' };
  const description: ErrorDescription = { type: error.name, stack: framesOf(error) };
  for (const name of NAMED) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string') description[name] = value;
  }
  if (error.cause !== undefined && causes > 0) description.cause = describeError(error.cause, causes - 1);
  return description;
}

/** A stack begins with the message, which may contain line breaks and look like a frame. */
function framesOf({ message, stack = '' }: Error): string {
  const at = stack.indexOf(message);
  return (at < 0 ? stack : stack.slice(at + message.length))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .*(:\d+:\d+\)?|\(native\)|<anonymous>\)?)$/.test(line))
    .join('\n');
}

/** Applied to every logger that requests use. */
export const safeSerializers = {
  err: (error: unknown) => describeError(error),
  // A URL may contain a CPF in its query, so log lines name the endpoint pattern.
  req: (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions?.url }),
  res: (reply: FastifyReply) => ({ status: reply.statusCode }),
};

const SECRETS = ['authorization', 'api-key', 'apiKey', 'password', 'senha', 'secret', 'cpf', 'phone'];

/** A second safeguard behind careful log lines. */
export const safeRedaction = {
  paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
  censor: '[redacted]',
};
