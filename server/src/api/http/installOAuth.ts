import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { giveAccess } from '../../centrals/giveAccess.ts';
import type { Identities, ProgramCaller } from '../../centrals/identify.ts';
import type { Permission } from '../../centrals/permissions.ts';
import { possibleScopes } from '../../centrals/program.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { AppDeps } from './endpoint.ts';
import { networksOf } from './networks.ts';
import { count, countUnidentified, type RateLimits } from './rateLimits.ts';
import { publicUrlOf } from './readRequest.ts';

const FORM_BYTES_MAX = 8 * 1024;
/** Access tokens that a program may get in 60 seconds. It needs one an hour. */
const TOKENS_MAX = 30;

/** The errors of RFC 6749 5.2. Their text is for developers, in ASCII as the standard asks. */
const errors = {
  invalid_request: {
    status: 400,
    description: 'the request is not a form with grant_type, or repeats a parameter',
  },
  invalid_client: { status: 401, description: 'client_id is the id of the program, client_secret its token' },
  unsupported_grant_type: { status: 400, description: 'grant_type must be client_credentials' },
  invalid_scope: { status: 400, description: 'the program was not given all of these scopes' },
} as const;

class OAuthError extends Error {
  readonly kind: keyof typeof errors;
  constructor(kind: keyof typeof errors) {
    super(kind);
    this.kind = kind;
  }
}

interface OAuthOptions {
  identities: Identities;
  limits: RateLimits;
  publicUrl: string | undefined;
}

/** OAuth 2.0 client credentials (RFC 6749 4.4): a program exchanges its token for one that lasts an hour. */
export function installOAuth(app: FastifyInstance, deps: AppDeps, options: OAuthOptions): void {
  const { identities, limits } = options;

  const prove = async (request: FastifyRequest, reply: FastifyReply, form: URLSearchParams) => {
    const { id, secret } = clientOf(request, form);
    let proven: ProgramCaller;
    try {
      proven = await identities.program(secret, networksOf(request.callerIp));
      if (proven.kind !== 'token' || String(proven.caller.userId) !== id)
        throw new Refusal('token-not-valid');
    } catch (error) {
      countUnidentified(limits, request, reply, error);
      if (error instanceof Refusal && error.kind === 'token-not-valid')
        throw new OAuthError('invalid_client');
      throw error;
    }
    return proven;
  };

  app.post('/oauth/token', { bodyLimit: FORM_BYTES_MAX }, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
    try {
      const form = readForm(request);
      const { caller, until } = await prove(request, reply, form);
      const { centralId, userId, scopes } = caller;
      request.central = caller.central;
      request.caller = caller;
      count(limits.admit(`oauth ${centralId} ${userId}`, TOKENS_MAX), reply);
      if (form.get('grant_type') !== 'client_credentials') throw new OAuthError('unsupported_grant_type');
      const granted = [...(scopes ?? [])] as Permission[];
      const wanted = (form.get('scope') ?? '').split(' ').filter(Boolean);
      if (!wanted.every((scope) => scopes?.has(scope))) throw new OAuthError('invalid_scope');
      const given = wanted.length > 0 ? granted.filter((scope) => wanted.includes(scope)) : granted;
      const { secret, seconds } = await giveAccess(deps, caller, { scopes: given, until });
      return { access_token: secret, token_type: 'Bearer', expires_in: seconds, scope: given.join(' ') };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { status, description } = errors[error.kind];
      if (status === 401) reply.header('www-authenticate', 'Basic realm="Malote", charset="UTF-8"');
      return reply.code(status).send({ error: error.kind, error_description: description });
    }
  });

  /** RFC 8414. */
  app.get('/.well-known/oauth-authorization-server', async (request) => {
    const issuer = publicUrlOf(request, options.publicUrl);
    return {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: [],
      scopes_supported: possibleScopes(null),
      service_documentation: `${issuer}/docs`,
    };
  });
}

function readForm(request: FastifyRequest): URLSearchParams {
  const type = request.headers['content-type'] ?? '';
  const body = request.body as Buffer | undefined;
  if (!body || !/^application\/x-www-form-urlencoded\b/i.test(type)) throw new OAuthError('invalid_request');
  const form = new URLSearchParams(body.toString('utf8'));
  const names = [...form.keys()];
  if (!form.has('grant_type') || new Set(names).size < names.length) throw new OAuthError('invalid_request');
  return form;
}

/** RFC 6749 2.3.1: by Basic, whose parts are encoded as in a form, or in the form; not by both. */
function clientOf(request: FastifyRequest, form: URLSearchParams): { id: string; secret: string } {
  const { authorization } = request.headers;
  if (authorization === undefined)
    return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' };
  if (form.has('client_secret')) throw new OAuthError('invalid_request');
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/_-]{1,2000}={0,2})$/i.exec(authorization) ?? [];
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { id: decoded(id), secret: decoded(secret) };
}

const decoded = (text: string): string => new URLSearchParams(`text=${text}`).get('text') ?? '';
