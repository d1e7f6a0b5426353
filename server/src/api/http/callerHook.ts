import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { digestApiKey } from '../centrals/apiKeyStore.ts';
import type { IdentifiedCaller } from '../centrals/caller.ts';
import { may } from '../centrals/permissions.ts';
import { sessionCaller } from '../centrals/sessions.ts';
import { Refusal } from '../kernel/refusal.ts';
import { apiKey, basicCredentials, isFromOwnPage, sessionOf } from './authenticate.ts';
import type { Endpoint } from './endpoint.ts';
import { count, countUnidentified, limitFor } from './rateLimits.ts';
import { networksOf } from './readRequest.ts';
import type { ServerOptions } from './server.ts';

/**
 * Identifies the caller of an endpoint and checks its limit and its permission. This happens before the body is read, so
 * that an unknown caller cannot make the service read a megabyte.
 */
export function callerHook(endpoint: Endpoint, options: ServerOptions) {
  const { identities, limits } = options;
  // Counted after the login is identified, so that requests without a login do not use up a central's limit.
  const admit = (caller: IdentifiedCaller, request: FastifyRequest, reply: FastifyReply): void => {
    const { centralId, userId, central, proof } = caller;
    request.centralId = centralId;
    const holder = proof.kind === 'key' ? request.headers['api-key'] : `session ${centralId} ${userId}`;
    count(limits.admit(`${endpoint.limit} ${holder}`, limitFor(endpoint.limit, central.settings)), reply);
    if (proof.kind === 'session' && !isFromOwnPage(request)) throw new Refusal('not-allowed');
    if (!may(caller, endpoint.permission)) throw new Refusal('not-allowed');
    request.caller = caller;
  };
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    // Most callers are remembered, and are admitted without a promise.
    const { authorization, 'api-key': key } = request.headers;
    const known =
      typeof key === 'string' && authorization ? identities.remembered(key, authorization) : undefined;
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

/** Identifies a caller by the API key with the login, or by the session of a page. */
async function identify(
  { deps, identities, limits }: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<IdentifiedCaller> {
  const key = apiKey(request);
  const session = key === undefined ? sessionOf(request) : undefined;
  try {
    return session === undefined
      ? await identifyByKey(identities, request, key)
      : await sessionCaller(deps, session.token, session.kind);
  } catch (error) {
    countUnidentified(limits, request, reply, error);
    throw error;
  }
}

async function identifyByKey(
  identities: ServerOptions['identities'],
  request: FastifyRequest,
  key: string | undefined,
): Promise<IdentifiedCaller> {
  const begunAt = identities.changeCount();
  const central = await identities.central(key);
  request.centralId = central.id;
  const { passwordMark, ...user } = await identities.caller(
    central,
    basicCredentials(request),
    networksOf(request.callerIp),
  );
  const keyDigest = digestApiKey(key!).toString('base64');
  const caller: IdentifiedCaller = { ...user, proof: { kind: 'key', keyDigest, passwordMark } };
  identities.remember(key!, request.headers.authorization!, caller, begunAt);
  return caller;
}
