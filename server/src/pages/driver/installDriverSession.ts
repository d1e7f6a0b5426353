import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { clearSession, isFromOwnPage, sessionToken, setSession } from '../../api/http/authenticate.ts';
import { parseBody } from '../../api/http/body.ts';
import type { AppDeps } from '../../api/http/endpoint.ts';
import { InvalidInput } from '../../api/http/invalidInput.ts';
import { networksOf } from '../../api/http/networks.ts';
import { bodyValidator } from '../../api/http/validation.ts';
import { findDriverName } from '../../centrals/deviceStore.ts';
import { openDeviceByCode } from '../../centrals/driverDevices.ts';
import type { Identities } from '../../centrals/identify.ts';
import { closeSession, openDevice, sessionCaller } from '../../centrals/sessions.ts';
import { publicPushKey } from '../../events/push/pushKeys.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';

/** Unauthenticated callers may send this body, so it is kept small. */
const LOGIN_BYTES_MAX = 4 * 1024;

const label = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

export const CodeBody = Type.Object({
  codigo: Type.String({ minLength: 1, maxLength: 100 }),
  aparelho: label,
});

export const PasswordBody = Type.Object({
  central: Type.String({ minLength: 1, maxLength: 255 }),
  usuario: Type.String({ minLength: 1, maxLength: 255 }),
  senha: Type.String({ minLength: 1, maxLength: 1024 }),
  aparelho: label,
});

/** Sign-in and sign-out of drivers' phones, with a separate cookie beside the console's session. */
export function installDriverSession(app: FastifyInstance, deps: AppDeps, identities: Identities): void {
  const codeProblems = bodyValidator(CodeBody);
  const passwordProblems = bodyValidator(PasswordBody);
  const ownCall = {
    bodyLimit: LOGIN_BYTES_MAX,
    // Runs before the body is read.
    onRequest: async (request: FastifyRequest) => {
      if (!isFromOwnPage(request)) throw new Refusal('not-allowed');
    },
  };

  const signIn = (request: FastifyRequest): Promise<string> => {
    const parsed = parseBody(request.body as Buffer | undefined, request.headers['content-type']);
    const given = (parsed.body ?? {}) as Readonly<Record<string, unknown>>;
    const byCode = given.codigo !== undefined;
    const problems = [
      ...parsed.problems,
      ...(byCode ? codeProblems(parsed.body) : passwordProblems(parsed.body)),
    ];
    if (problems.length) throw new InvalidInput(problems);
    const networks = networksOf(request.callerIp);
    if (byCode) {
      const { codigo, aparelho } = given as Static<typeof CodeBody>;
      return openDeviceByCode(deps, identities, codigo, aparelho.trim(), networks);
    }
    const { central, usuario, senha, aparelho } = given as Static<typeof PasswordBody>;
    const credentials = { username: usuario, password: senha };
    return openDevice(deps, identities, { centralName: central, credentials, networks }, aparelho.trim());
  };

  const session = async (token: string) => {
    const { central, driverId } = await sessionCaller(deps, token, 'device');
    const name = driverId === null ? undefined : await findDriverName(deps.db, central.id, driverId);
    if (name === undefined) throw new Refusal('bad-credentials');
    return {
      success: true,
      data: {
        condutor_id: String(driverId),
        nome: name,
        central: { id: String(central.id), nome: central.name },
      },
    };
  };

  app.post('/entregador/sessao', ownCall, async (request, reply) => {
    const replaced = sessionToken(request, 'device');
    const token = await signIn(request);
    setSession(reply, 'device', token);
    // The token of the former session is lost, but the offers of its driver would still wake this phone.
    if (replaced) await closeSession(deps, replaced);
    return session(token);
  });
  app.get('/entregador/sessao', async (request, reply) => {
    const token = sessionToken(request, 'device');
    if (!token) throw new Refusal('bad-credentials');
    const answer = await session(token);
    // The app calls this at each start, so a phone in use stays signed in.
    setSession(reply, 'device', token);
    return answer;
  });
  app.get('/entregador/push', async (request) => {
    const token = sessionToken(request, 'device');
    if (!token) throw new Refusal('bad-credentials');
    const { centralId } = await sessionCaller(deps, token, 'device');
    const publicKey = await publicPushKey(deps, centralId, () =>
      request.log.warn(
        { centralId },
        'the push key of a central could not be decrypted and was replaced: each phone is woken again once its app was opened',
      ),
    );
    return { success: true, data: { chave_publica: publicKey } };
  });
  app.delete('/entregador/sessao', ownCall, async (request, reply) => {
    const token = sessionToken(request, 'device');
    if (token) await closeSession(deps, token);
    clearSession(reply, 'device');
    return { success: true };
  });
}
