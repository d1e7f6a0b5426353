import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import lock from '../../../../package-lock.json' with { type: 'json' };
import { RoadsError } from './valhallaConfig.ts';
import { installValhallaPackage, requireValhallaPackage, VALHALLA } from './valhallaPackage.ts';

const scratch = await mkdtemp(join(tmpdir(), 'malote-engine-'));
after(() => rm(scratch, { recursive: true }));

/** A package of the same layout, with binaries for two platforms, of which one is this machine's. */
const here = `${process.platform}/${process.arch}`;
const other = here === 'linux/arm64' ? 'linux/x64' : 'linux/arm64';
const tarball = await packEngine([here, other]);
const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
const small = { ...VALHALLA, integrity, bytes: 1000 };

const registry = createServer((request, response) => {
  if (request.url!.endsWith('.tgz')) return response.end(tarball);
  const { name, version } = VALHALLA;
  const dist = { integrity, tarball: `${addressOf()}/engine.tgz` };
  response.setHeader('content-type', 'application/json');
  return response.end(
    JSON.stringify({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { name, version, dist } },
    }),
  );
}).listen(0, '127.0.0.1');
await once(registry, 'listening');
after(() => registry.close());
const addressOf = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

async function packEngine(platforms: string[]): Promise<Buffer> {
  const folder = join(scratch, 'source');
  for (const platform of platforms) {
    await mkdir(join(folder, platform), { recursive: true });
    await writeFile(join(folder, platform, 'valhalla_build_tiles'), platform);
  }
  await writeFile(join(folder, 'index.js'), '');
  const { name, version } = VALHALLA;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version }));
  await promisify(execFile)('npm', ['pack', '--pack-destination', scratch], { cwd: folder });
  const [file] = (await readdir(scratch)).filter((each) => each.endsWith('.tgz'));
  return readFile(join(scratch, file!));
}

async function install(folder: string, source = small, url = addressOf()): Promise<string> {
  const roads = join(scratch, folder);
  await mkdir(roads);
  const percents: number[] = [];
  await installValhallaPackage({
    roads,
    draft: join(roads, 'draft'),
    onPercent: (percent) => percents.push(percent),
    source,
    environment: {
      ...process.env,
      npm_config_registry: url,
      npm_config_fetch_retry_mintimeout: '1',
      npm_config_cache: join(scratch, `${folder}-cache`),
    },
  });
  return roads;
}

const refusalOf = async (running: Promise<unknown>): Promise<string> => {
  const error = await running.then(
    () => assert.fail('it was installed'),
    (refusal: unknown) => refusal,
  );
  assert.ok(error instanceof RoadsError);
  return error.message;
};

test('npm installs it from the configured registry, with the binaries of this platform only', async () => {
  const roads = await install('fine');
  const { module, tileBuilder } = requireValhallaPackage(roads, () => undefined);
  assert.ok(module.startsWith(roads), module);
  assert.equal(await readFile(tileBuilder, 'utf8'), here);
  const left = await readdir(join(module, '..'), { recursive: true });
  assert.ok(!left.includes(join(other, 'valhalla_build_tiles')), left.join(' '));
});

test('a package with another digest is not installed', async () => {
  const message = await refusalOf(install('damaged', { ...small, integrity: VALHALLA.integrity }));
  assert.match(message, /another digest/);
  assert.throws(
    () => requireValhallaPackage(join(scratch, 'damaged'), () => undefined),
    /malote roads import/,
  );
});

test('without a connection the error says what to do', async () => {
  const message = await refusalOf(install('alone', small, 'http://127.0.0.1:9'));
  assert.match(message, /npm reaches no registry \(ECONNREFUSED\)\. Connect this machine/);
});

test('the version and the digest are those of the development checkout', () => {
  const packages: Record<string, { version?: string; integrity?: string; resolved?: string }> = lock.packages;
  const locked = packages[`node_modules/${VALHALLA.name}`]!;
  assert.deepEqual([VALHALLA.version, VALHALLA.integrity], [locked.version, locked.integrity]);
});
