import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { fieldLabel, withFieldLabel } from '../../web/console/src/fieldLabels.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const console_ = { 'x-malote-console': '1', 'content-type': 'application/json' };
const logIn = (body: unknown, headers: Record<string, string> = console_) =>
  fetch(`${malote.url}/console/sessao`, { method: 'POST', headers, body: JSON.stringify(body) });
const demo = { central: 'Central Demonstração', usuario: 'central', senha: 'demo' };
const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')!.split(';')[0]!;

test('a browser at the bare address is led to the console, a program is not', async () => {
  const visit = (accept: string) => fetch(malote.url, { headers: { accept }, redirect: 'manual' });
  const browser = await visit('text/html,application/xhtml+xml,*/*;q=0.8');
  assert.equal(browser.status, 302);
  assert.equal(browser.headers.get('location'), '/console');
  assert.equal((await visit('*/*')).status, 404);
});

test('the console is one page with its own files', async () => {
  const page = await fetch(`${malote.url}/console/entregas`);
  assert.equal(page.status, 200);
  const text = await page.text();
  const [, script] = /src="([^"]+)"/.exec(text) ?? [];
  const [, style] = /stylesheet" href="([^"]+)"/.exec(text) ?? [];
  for (const file of [script, style]) {
    const answer = await fetch(malote.url + file);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    assert.ok((await answer.text()).length > 1000);
  }
  assert.ok(!/https?:\/\//.test(text), 'nothing from elsewhere');
});

test('the first load has what the login and the day board need, and other pages come later', async () => {
  const text = await (await fetch(`${malote.url}/console`)).text();
  const first = [...text.matchAll(/(?:href|src)="(\/console\/arquivos\/[^"]+\.js)"/g)].map(
    ([, path]) => path!,
  );
  const sizes = { plain: 0, brotli: 0 };
  for (const path of first) {
    const script = Buffer.from(await (await fetch(malote.url + path)).arrayBuffer());
    sizes.plain += script.length;
    sizes.brotli += brotliCompressSync(script).length;
    // The page names every static import, so that the browser loads all of them in parallel.
    for (const [, imported] of script.toString().matchAll(/from"\.\/([^"]+)"/g))
      assert.ok(
        first.some((each) => each.endsWith(`/${imported}`)),
        `${path} imports ${imported}`,
      );
  }
  console.log(`the console's first scripts: ${first.length}, ${JSON.stringify(sizes)} bytes`);
  assert.ok(first.length <= 2, `each file is a request: ${first.join()}`);
  assert.ok(!first.some((path) => path.includes('laterPages')), first.join());
  const [, later] =
    /"\.\/(laterPages-\w+\.js)"/.exec(await (await fetch(malote.url + first.at(-1)!)).text()) ?? [];
  const folder = first[0]!.replace(/[^/]+$/, '');
  const answer = await fetch(malote.url + folder + later);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('cache-control')!, /immutable/);
  const deep = await (await fetch(`${malote.url}/console/entregas`)).text();
  assert.ok(deep.includes(`modulepreload" href="${folder}${later}"`), 'a later page asks for them at once');
  const old = await fetch(malote.url + folder.replace(/\w+\/$/, '000000000000/') + later);
  assert.equal(old.status, 404, 'another version has none');
});

test('a session opens the interfaces with its cookie alone', async () => {
  const session = await logIn(demo);
  assert.equal(session.status, 200);
  assert.match(session.headers.get('set-cookie')!, /HttpOnly; SameSite=Strict/);
  const cookie = cookieOf(session);
  const drivers = await fetch(`${malote.url}/api/v2/operacao/condutores`, { headers: { cookie } });
  assert.equal(drivers.status, 200);
  const who = await fetch(`${malote.url}/console/sessao`, { headers: { cookie } });
  assert.equal(((await who.json()) as { data: { perfil: string } }).data.perfil, 'operador');
});

test('a cookie opens its own central only', async () => {
  const cookie = cookieOf(await logIn(demo));
  const [name, token] = cookie.split('=') as [string, string];
  assert.match(token, /^1\.[\w-]{43}$/);
  for (const changed of [token.replace('1.', '2.'), token.slice(2), '1.'])
    assert.equal(
      (await fetch(`${malote.url}/console/sessao`, { headers: { cookie: `${name}=${changed}` } })).status,
      401,
    );
});

test('a write with the cookie needs the header that no other page can send', async () => {
  const cookie = cookieOf(await logIn(demo));
  const query = (headers: Record<string, string>) =>
    fetch(`${malote.url}/api/v2/integracao/entregas/consultar`, {
      method: 'POST',
      headers: { cookie, ...headers },
    });
  assert.equal((await query({})).status, 403);
  assert.equal((await query({ 'x-malote-console': '1' })).status, 200);
  assert.equal((await logIn(demo, { 'content-type': 'application/json' })).status, 403);
});

test('managers see their company only, and drivers have no console', async () => {
  const cookie = cookieOf(await logIn({ ...demo, usuario: 'gerente' }));
  assert.equal(
    (await fetch(`${malote.url}/api/v2/operacao/condutores`, { headers: { cookie } })).status,
    403,
  );
  assert.equal((await logIn({ ...demo, usuario: 'condutor1' })).status, 403);
});

test('an unknown central, user or password is the same answer', async () => {
  const answers = await Promise.all(
    [
      { ...demo, central: 'Nenhuma' },
      { ...demo, usuario: 'ninguem' },
      { ...demo, senha: 'errada' },
    ].map((body) => logIn(body)),
  );
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
  assert.equal(new Set(bodies).size, 1);
  assert.equal((await logIn({ central: '', usuario: 'x' })).status, 400);
});

test('a login ends the session that its browser had before', async () => {
  const former = cookieOf(await logIn(demo));
  const headers = { 'x-malote-console': '1', 'content-type': 'application/json', cookie: former };
  const latter = cookieOf(await logIn({ ...demo, usuario: 'gerente' }, headers));
  const statusOf = async (cookie: string) =>
    (await fetch(`${malote.url}/console/sessao`, { headers: { cookie } })).status;
  assert.deepEqual([await statusOf(former), await statusOf(latter)], [401, 200]);
});

test('logging out, a new password and a shut-out user end the session', async () => {
  const isOpen = async (cookie: string) =>
    (await fetch(`${malote.url}/console/sessao`, { headers: { cookie } })).status === 200;
  const out = cookieOf(await logIn(demo));
  assert.ok(await isOpen(out));
  await fetch(`${malote.url}/console/sessao`, { method: 'DELETE', headers: { cookie: out, ...console_ } });
  assert.ok(!(await isOpen(out)));

  const shut = cookieOf(await logIn({ ...demo, usuario: 'gerente2' }));
  assert.ok(await isOpen(shut));
  await malote.db`update users set active = false where central_id = 1 and username = 'gerente2'`;
  assert.ok(!(await isOpen(shut)));

  const late = cookieOf(await logIn(demo));
  malote.clock.advance({ hours: 13 });
  assert.ok(!(await isOpen(late)));
});

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** The paths of a request's fields, as validation messages name them. */
const fieldsOf = (schema: Schema, path = ''): string[] => [
  ...(schema.anyOf ?? []).flatMap((each) => fieldsOf(each, path)),
  ...(schema.items ? fieldsOf(schema.items, `${path}[0]`) : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = path ? `${path}.${name}` : name;
    return [here, ...fieldsOf(field, here)];
  }),
];

test('every field that a form of the console may send has a label in both languages', () => {
  // Settings are labelled by their form, the shape of an area is drawn, a phone's browser sends its push address, and
  // orders of a bulk come from programs.
  const elsewhere = /^PUT \/configuracoes|areas-atuacao|aparelhos\/push|\/lote /;
  const unlabelled = everyEndpoint
    .filter(({ name }) => !elsewhere.test(name))
    .flatMap(({ endpoint }) =>
      [endpoint.body, endpoint.query].flatMap((schema) => fieldsOf((schema ?? {}) as Schema)),
    )
    .filter((field) => !fieldLabel(field, 'pt') || !fieldLabel(field, 'en'));
  assert.deepEqual([...new Set(unlabelled)], [], 'add these to web/console/src/fieldLabels.ts');
});

test('a message about invalid input is shown with the label of its field', () => {
  const shown = (message: string) => withFieldLabel(message, 'pt');
  assert.equal(shown("'nome': é obrigatório"), 'Nome: é obrigatório');
  assert.equal(shown("'paradas[1].lat_parada': é obrigatório"), 'Parada 2, Latitude: é obrigatório');
  assert.equal(shown("'endereco_partida': é obrigatório"), 'Coleta, Endereço: é obrigatório');
  assert.equal(shown("'campo_novo': é obrigatório"), 'É obrigatório');
  assert.equal(shown('saldo insuficiente'), 'saldo insuficiente');
  assert.equal(withFieldLabel("'placa': is required", 'en'), 'Plate: is required');
});
