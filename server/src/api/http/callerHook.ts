import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { digestApiKey } from '../../centrals/apiKeyStore.ts';
import type { IdentifiedCaller } from '../../centrals/caller.ts';
import { loginCentralOf } from '../../centrals/central.ts';
import { isOfRealSide, lacksScope, may } from '../../centrals/permissions.ts';
import { sessionCaller } from '../../centrals/sessions.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { apiKey, basicCredentials, bearerToken, isFromOwnPage, sessionOf } from './authenticate.ts';
import type { Endpoint } from './endpoint.ts';
import { networksOf } from './networks.ts';
import { count, countUnidentified, limitFor } from './rateLimits.ts';
import { refuseEncoded } from './readRequest.ts';
import type { ServerOptions } from './serverOptions.ts';

/**
 * Identifies the caller of an endpoint and checks its limit and its permission. This happens before the body is read,
 * so that an unknown caller cannot make the service read a megabyte.
 */
export function callerHook(endpoint: Endpoint, options: ServerOptions) {
  const { identities, limits, programUses } = options;
  // Counted after the login is identified, so that requests without a login do not use up a central's limit.
  const admit = (caller: IdentifiedCaller, request: FastifyRequest, reply: FastifyReply): void => {
    const { centralId, userId, central, proof } = caller;
    request.central = central;
    request.caller = caller;
    const limit = limitFor(endpoint.limit, central.settings);
    const admission =
      proof.kind === 'key'
        ? limits.admitSharing(`${endpoint.limit} ${request.headers['api-key']}`, userId, limit)
        : limits.admit(`${endpoint.limit} ${proof.kind} ${centralId} ${userId}`, limit);
    request.admission = admission;
    count(admission, reply);
    if (proof.kind === 'session' && !isFromOwnPage(request)) throw new Refusal('not-allowed');
    if (proof.kind === 'program')
      programUses.note({ centralId: loginCentralOf(central), userId }, request.callerIp);
    if (central.sandboxOf !== undefined && isOfRealSide(endpoint.permission))
      throw new Refusal('not-in-sandbox');
    if (lacksScope(caller, endpoint.permission))
      throw new Refusal('scope-missing', { scope: endpoint.permission });
    if (!may(caller, endpoint.permission)) throw new Refusal('not-allowed');
    if (endpoint.method !== 'GET') refuseEncoded(request);
  };
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    // Most callers are remembered, and are admitted without a promise.
    const { authorization, 'api-key': key } = request.headers;
    const known =
      typeof key !== 'object' && authorization ? identities.remembered(key ?? '', authorization) : undefined;
    if (!known) {
      identify(options, request, reply)
        .then((caller) => admit(caller, request, reply))
        .then(() => done(), done);
      return;
    }
    let refusal: Error | undefined;
    try {
      admit(known, request, reply);
    } catch (error) {
      refusal = error as Error;
    }
    done(refusal);
  };
}

/** Identifies a caller by the API key with the login, by the token of a program, or by the session of a page. */
async function identify(
  { deps, identities, limits }: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<IdentifiedCaller> {
  const key = apiKey(request);
  const token = !request.headers['api-key'] ? bearerToken(request) : undefined;
  const session = key === undefined ? sessionOf(request) : undefined;
  try {
    if (token !== undefined) return await identifyProgram(identities, request, token);
    return session === undefined
      ? await identifyByKey(identities, request, key)
      : await sessionCaller(deps, session.token, session.kind);
  } catch (error) {
    countUnidentified(limits, request, reply, error);
    throw error;
  }
}

async function identifyProgram(
  identities: ServerOptions['identities'],
  request: FastifyRequest,
  token: string,
): Promise<IdentifiedCaller> {
  const begunAt = identities.changeCount();
  const { caller, until } = await identities.program(token, networksOf(request.callerIp));
  request.central = caller.central;
  identities.remember('', request.headers.authorization!, caller, { begunAt, until });
  return caller;
}

async function identifyByKey(
  identities: ServerOptions['identities'],
  request: FastifyRequest,
  key: string | undefined,
): Promise<IdentifiedCaller> {
  // An api-key was sent, but it is malformed, such as one of a kilobyte.
  if (key === undefined && request.headers['api-key'] !== undefined) throw new Refusal('api-key-unknown');
  const begunAt = identities.changeCount();
  const central = await identities.central(key);
  request.central = central;
  const { passwordMark, ...user } = await identities.caller(
    central,
    basicCredentials(request),
    networksOf(request.callerIp),
  );
  const keyDigest = digestApiKey(key!).toString('base64');
  const caller: IdentifiedCaller = { ...user, proof: { kind: 'key', keyDigest, passwordMark } };
  identities.remember(key!, request.headers.authorization!, caller, { begunAt });
  return caller;
}
