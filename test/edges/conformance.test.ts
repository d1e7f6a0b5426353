import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { runCommandLine } from '../../server/src/cli/commandLine.ts';
import { commands } from '../../server/src/cli/commands.ts';
import type { Result } from '../../server/src/cli/conformance/check.ts';
import { reportOf, writeReport } from '../../server/src/cli/conformance/report.ts';
import { checks, runChecks } from '../../server/src/cli/conformance/runChecks.ts';
import { openWorld, type World } from '../../server/src/cli/conformance/world.ts';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import type { Json } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';
import { deliveryIn } from '../support/steps.ts';

// The checks wait for a dispatch, so the clock goes on.
const clock = testClock(new Date().toISOString());
const malote = await startMalote({ clock });
const deps = { ...malote.app.deps, log: malote.app.server.log };
const ticking = setInterval(() => clock.set(new Date().toISOString()), 50);
let isOver = false;
const dispatching = (async () => {
  while (!isOver) {
    await dispatchDue(deps);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
})();
after(async () => {
  isOver = true;
  clearInterval(ticking);
  await dispatching;
});

const BASE = '/api/v2/integracao';
const login = (user: string) => ({ key: 'demo-chave', user, password: 'demo' });
const worldAt = (url: string): Promise<World> =>
  openWorld({
    base: url + BASE,
    login: login('central'),
    manager: login('gerente'),
    pickup: ['-30.0305', '-51.2303'],
    destination: ['-30.0489', '-51.2158'],
    companyId: undefined,
    mayTopUp: true,
    waitSeconds: 60,
  });

const failedIn = (results: readonly Result[]): string[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ title, reason }) => `${title}: ${reason}`);

test('this service passes every check, and little is left unchecked', async () => {
  await deliveryIn(malote, 'finished');
  const world = await worldAt(malote.url);
  const results = await runChecks(world, checks);
  assert.deepEqual(failedIn(results), []);
  assert.ok(results.length >= 300, `${results.length} checks`);
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  assert.ok(skipped.length <= 12, skipped.map(({ title, reason }) => `${title}: ${reason}`).join('\n'));
  const left = await world.cleanUp();
  assert.deepEqual(left, []);
  for (const id of world.created.deliveries) {
    const { body } = await malote.central.get(`/entregas/${id}/status`);
    const own = body.success ? body : (await malote.manager.get(`/entregas/${id}/status`)).body;
    assert.ok(['C', 'F'].includes(own.data.status), `delivery ${id} has status ${own.data.status}`);
  }
  const report = writeReport(reportOf(malote.url, results, { created: world.created, left }));
  assert.match(report, /✓ section 4\.4: \d+ of \d+/);
  assert.match(report, /\d+ passed, 0 deviate, \d+ not checked$/);
});

test('every check is named once, with the section of the contract', () => {
  const names = checks.map(({ section, title }) => `${section} ${title}`);
  assert.equal(new Set(names).size, names.length);
  for (const { section } of checks) assert.match(section, /^\d(\.\d+)?$/);
});

/** What passes between the checks and the service. */
interface Passing {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string>;
  body: Json;
}

/** A server that claims the contract and deviates from it in one way. */
async function falsified(falsify: (passing: Passing) => void): Promise<string> {
  const proxy = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    const pass = async () => {
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const body = Buffer.concat(parts);
      const answer = await fetch(malote.url + request.url, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      const passing: Passing = {
        method: request.method!,
        path: request.url!.slice(BASE.length),
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: JSON.parse(text),
      };
      falsify(passing);
      delete passing.headers['content-length'];
      delete passing.headers['content-encoding'];
      delete passing.headers['transfer-encoding'];
      response.writeHead(passing.status, passing.headers).end(JSON.stringify(passing.body));
    };
    request.on('end', () => void pass());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  after(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const refusal = (code: number) => ({ success: false, errors: [{ code, message: 'x' }] });

/** Ten deviations, each with the title of a check that must find it. */
const deviations: Record<string, { falsify(passing: Passing): void; finds: RegExp }> = {
  'a number where a decimal string belongs': {
    falsify({ path, body }) {
      if (path === '/entregas/consultar' && body.success)
        for (const each of body.data) each.valor_corrida = Number(each.valor_corrida);
    },
    finds: /valor_corrida is a decimal string/,
  },
  'a string where a number belongs': {
    falsify({ path, body }) {
      if (path.endsWith('/estimativas') && body.success)
        body.data.estimativa_valor = String(body.data.estimativa_valor);
    },
    finds: /estimativa_valor is a number/,
  },
  'a missing field': {
    falsify({ path, body }) {
      if (path === '/entregas/consultar' && body.success) for (const each of body.data) delete each.tarifa;
    },
    finds: /tarifa is a string/,
  },
  'code 0 for invalid input': {
    falsify({ status, body }) {
      if (status === 400) for (const error of body.errors) error.code = 0;
    },
    finds: /without motivo_id is refused with 400, code 2/,
  },
  '409 for a wrong state': {
    falsify(passing) {
      if (passing.status === 406) passing.status = 409;
    },
    finds: /not cancelled again: 406/,
  },
  'pages that overlap': {
    falsify({ path, body }) {
      if (path.startsWith('/entregas/programadas?') && /pagina=2/.test(path) && body.data?.length > 0)
        body.data[0] = { ...body.data[0], id_mch_programada: firstOfPageOne };
      else if (/pagina=1&/.test(path)) firstOfPageOne = body.data?.[0]?.id_mch_programada;
    },
    finds: /GET \/entregas\/programadas (shows no record on two pages|continues on page 2)/,
  },
  '403 that tells what exists': {
    falsify(passing) {
      if (passing.status !== 404 || /999999999999/.test(passing.path)) return;
      passing.status = 403;
      passing.body = refusal(0);
    },
    finds: /the delivery of another is the same 404 to a manager/,
  },
  '200 without api-key': {
    falsify(passing) {
      if (passing.status !== 401) return;
      passing.status = 200;
      passing.body = { success: true, data: {} };
    },
    finds: /without api-key is refused with 401/,
  },
  'a filter that is not applied': {
    falsify({ path, body }) {
      if (path === '/entregas/consultar' && body.success)
        for (const each of body.data) each.status_solicitacao = 'P';
    },
    finds: /the filter status_solicitacao D finds only/,
  },
  'a grouped one that still waits': {
    falsify({ method, path, body }) {
      if (
        method === 'GET' &&
        /^\/entregas\/programadas\/\d+$/.test(path) &&
        body.data?.situacao === 'agrupado'
      )
        body.data.situacao = 'A';
    },
    finds: /a grouped scheduled delivery becomes agrupado/,
  },
};
let firstOfPageOne: string | undefined;

/** The first check that is about each deviation: all of them would take minutes for each. */
const FEW = Object.values(deviations).map(({ finds }) => checks.find(({ title }) => finds.test(title))!);

test('ten deviations are each found, by the check that is about it', async () => {
  assert.equal(Object.keys(deviations).length, 10);
  for (const [name, { falsify, finds }] of Object.entries(deviations)) {
    const world = await worldAt(await falsified(falsify));
    const failed = failedIn(await runChecks(world, FEW));
    assert.ok(
      failed.some((title) => finds.test(title)),
      `${name}: ${failed.join('\n') || 'nothing failed'}`,
    );
  }
});

test('without a deviation none of these checks fails', async () => {
  const world = await worldAt(await falsified(() => undefined));
  assert.deepEqual(failedIn(await runChecks(world, FEW)), []);
});

test('the command prints a report, and its exit code says whether anything deviates', async (t) => {
  const run = async (address: string, ...more: string[]) => {
    const log = t.mock.method(console, 'log', () => undefined);
    const about = ['--key', 'demo-chave', '--user', 'central', '--password', 'demo'];
    const points = ['--pickup=-30.0305,-51.2303', '--section', '4.13'];
    const args = ['conformance', 'integration', address, ...about, ...points, ...more];
    const code = await runCommandLine(commands, '0.0.0', args);
    const printed = log.mock.calls.map((call) => String(call.arguments[0])).join('\n');
    log.mock.restore();
    return { code, printed };
  };
  const right = await run(malote.url);
  assert.equal(right.code, 0, right.printed);
  assert.match(right.printed, /✓ section 4\.13: (\d+) of \1\n/);
  assert.match(right.printed, /Created: 2 entregas/);
  const wrong = await run(
    await falsified(({ path, body }) => {
      if (path.endsWith('/areas-atuacao') && body.success) body.data[0].id = String(body.data[0].id);
    }),
    '--json',
  );
  assert.equal(wrong.code, 1);
  const report = JSON.parse(wrong.printed);
  assert.equal(report.failed, 1);
  assert.match(
    report.results.find(({ outcome }: Result) => outcome === 'failed').reason,
    /data\[\]\.id must be an integer, got "\d+"/,
  );
});
