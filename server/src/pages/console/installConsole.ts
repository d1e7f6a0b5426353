import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { clearSession, isFromOwnPage, sessionToken, setSession } from '../../api/http/authenticate.ts';
import { parseBody } from '../../api/http/body.ts';
import type { AppDeps } from '../../api/http/endpoint.ts';
import { InvalidInput } from '../../api/http/invalidInput.ts';
import { networksOf } from '../../api/http/networks.ts';
import { bodyValidator } from '../../api/http/validation.ts';
import { roleCode } from '../../api/json/codes.ts';
import type { Caller, Role } from '../../centrals/caller.ts';
import type { Identities } from '../../centrals/identify.ts';
import { permissionsOf } from '../../centrals/permissions.ts';
import { closeSession, openSession, sessionCaller } from '../../centrals/sessions.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { installFiles, openBundle } from '../bundle.ts';
import { contentPolicy, html } from '../html.ts';

/** Unauthenticated callers may send this body, so it is kept small. */
const LOGIN_BYTES_MAX = 4 * 1024;

export const LoginBody = Type.Object({
  central: Type.String({ minLength: 1, maxLength: 255 }),
  usuario: Type.String({ minLength: 1, maxLength: 255 }),
  senha: Type.String({ minLength: 1, maxLength: 1024 }),
});

/** The people of the demonstration, offered as buttons on the login page. */
export interface Demonstration {
  central: string;
  senha: string;
  pessoas: readonly { perfil: (typeof roleCode)[Role]; usuario: string; nome: string | null }[];
}

export interface ConsoleOptions {
  mapStyle: string | undefined;
  /** Only in the demonstration. Called for each page, so that the buttons disappear with the logins. */
  demonstration: (() => Promise<Demonstration | undefined>) | undefined;
}

const bundle = openBundle('console');

/** The operator's console: its files, and the session of its login. */
export function installConsole(
  app: FastifyInstance,
  deps: AppDeps,
  identities: Identities,
  { mapStyle, demonstration }: ConsoleOptions,
): void {
  const policy = contentPolicy(mapStyle);

  const page = async (reply: FastifyReply, isFirst: boolean) => {
    const [{ version, needed, later }, people] = await Promise.all([bundle(), demonstration?.()]);
    const scripts = isFirst ? needed : [...needed, ...later];
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(shell(version, scripts, people));
  };
  // A person who opens the bare address is sent to this page; a program gets a 404.
  app.get('/', async (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) throw new Refusal('route-not-found');
    return reply.redirect('/console');
  });
  app.get('/console', async (_request, reply) => page(reply, true));
  app.get('/console/*', async (_request, reply) => page(reply, false));
  installFiles(app, '/console/arquivos', bundle);

  const problemsOf = bodyValidator(LoginBody);
  const ownCall = {
    bodyLimit: LOGIN_BYTES_MAX,
    // Runs before the body is read.
    onRequest: async (request: FastifyRequest) => {
      if (!isFromOwnPage(request)) throw new Refusal('not-allowed');
    },
  };
  app.post('/console/sessao', ownCall, async (request, reply) => {
    const raw = request.body as Buffer | undefined;
    const parsed = parseBody(raw, request.headers['content-type']);
    const problems = [...parsed.problems, ...problemsOf(parsed.body)];
    if (problems.length) throw new InvalidInput(problems);
    const body = parsed.body as Type.Static<typeof LoginBody>;
    const credentials = { username: body.usuario, password: body.senha };
    const { token, caller } = await openSession(
      deps,
      identities,
      body.central,
      credentials,
      networksOf(request.callerIp),
    );
    setSession(reply, 'console', token);
    // The browser loses the token of its former session, so nobody could log out of that one any more.
    const replaced = sessionToken(request, 'console');
    if (replaced) await closeSession(deps, replaced);
    return { success: true, data: formatSession({ ...caller, username: body.usuario }, deps.clock.now()) };
  });
  app.get('/console/sessao', async (request) => {
    const token = sessionToken(request, 'console');
    // The login page asks too. Browsers report a 401 as an error of the page.
    if (!token) return { success: true, data: null };
    return {
      success: true,
      data: formatSession(await sessionCaller(deps, token, 'console'), deps.clock.now()),
    };
  });
  app.delete('/console/sessao', ownCall, async (request, reply) => {
    const token = sessionToken(request, 'console');
    if (token) await closeSession(deps, token);
    clearSession(reply, 'console');
    return { success: true };
  });
}

const formatSession = (
  { central, role, companyId, username }: Caller & { username: string },
  now: Temporal.Instant,
) => ({
  agora: now.toString({ smallestUnit: 'millisecond' }),
  usuario: username,
  perfil: roleCode[role],
  permissoes: permissionsOf({ role, central }),
  empresa_id: companyId === null ? null : String(companyId),
  central: {
    id: String(central.id),
    nome: central.name,
    fuso_horario: central.timeZone,
    cor: central.settings.brandColor,
    simulacao: central.settings.simulatedCouriers,
    permite_cancelar_programada_aguardando: central.settings.cancelAwaitingScheduled,
  },
});

/** `scripts` are preloaded together with `app.js`. */
const shell = (
  version: string,
  scripts: readonly string[],
  people: Demonstration | undefined,
): string => `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Malote</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/console/arquivos/${version}/app.css">
    ${scripts.map((name) => `<link rel="modulepreload" href="/console/arquivos/${version}/${name}">`).join('\n    ')}
    <script type="module" src="/console/arquivos/${version}/app.js"></script>
  </head>
  <body><div id="console"${people ? html` data-demonstration="${JSON.stringify(people)}"`.text : ''}></div><noscript>O console precisa de JavaScript. / The console needs JavaScript.</noscript></body>
</html>`;
