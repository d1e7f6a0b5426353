import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Browser,
  BrowserContextOptions,
  ConsoleMessage,
  Locator,
  Page,
  PageScreenshotOptions,
} from 'playwright-core';
import { isBrowserMissing } from './browserTest.ts';
import { CHROMIUM_MISSING, launchChromium } from './findChromium.ts';
import { afterAllFiles } from './runFiles.ts';
import { waitUntil } from './waitUntil.ts';

const SCREENSHOTS = join(import.meta.dirname, '../../test-output/screenshots');
/** Generous, because a busy machine is slow. Waiting ends as soon as the condition holds. */
const TIMEOUT_MS = 60_000;

/** Slows the browser down by this factor, such as 4, to find tests that read a page too early. */
const SLOWDOWN = Number(process.env.MALOTE_TEST_SLOWDOWN ?? 1);

/**
 * What a browser logs when the network is cut or the service is down. It has a dozen codes for that, and which one it
 * logs depends on timing.
 */
export const NO_NETWORK = /net::ERR_/;

export interface ScreenOptions extends BrowserContextOptions {
  /** Console errors that the test provokes, such as the one about a page's own 410. */
  expected?: readonly RegExp[];
  /** Draws maps. Without a graphics card a page with a map takes three times its processor time. */
  maps?: boolean;
}

/** One person's screen. Leaving its scope (`await using`) closes it, and fails if the page misbehaved. */
export interface Screen extends AsyncDisposable {
  page: Page;
  /** What no page may do: errors on the console, requests to other servers, fields that the service ignores. */
  trouble: readonly string[];
  /** Fails on violations that axe rates serious or critical. */
  assertAccessible(): Promise<void>;
  /** Saves the whole page in test-output/screenshots, once the given place no longer changes. */
  screenshot(name: string, place?: Locator): Promise<void>;
}

export interface TestBrowser {
  /** A phone held upright, in Portuguese. */
  phone(options?: ScreenOptions): Promise<Screen>;
  /** An operator's wide screen, in Portuguese. */
  desk(options?: ScreenOptions): Promise<Screen>;
}

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};
const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const HERE: BrowserContextOptions = { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' };

/** Simulates a browser without WebGL, in which pages show no maps. */
const WITHOUT_WEBGL = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...given) {
    return /webgl/.test(kind) ? null : getContext.call(this, kind, ...given);
  };
}`;

let launched: Promise<Browser> | undefined;

/**
 * Shared by all test files of this process: starting it costs as much as several pages. Each screen has its own
 * profile.
 */
async function sharedBrowser(): Promise<Browser> {
  const running = await launched;
  if (running?.isConnected()) return running;
  launched = launchChromium();
  const browser = await launched;
  afterAllFiles(() => browser.close());
  return browser;
}

/** A real Chromium whose screens may only reach the given address. */
export async function openBrowser(url: string): Promise<TestBrowser> {
  if (isBrowserMissing) return noBrowser;
  await sharedBrowser();
  const { origin } = new URL(url);

  const open = async ({ expected = [], maps = false, ...options }: ScreenOptions): Promise<Screen> => {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ baseURL: origin, ...HERE, ...options });
    if (!maps) await context.addInitScript(WITHOUT_WEBGL);
    context.setDefaultTimeout(TIMEOUT_MS);
    if (SLOWDOWN > 1) context.on('page', (opened) => void slowDown(opened).catch(() => undefined));
    const page = await context.newPage();
    const trouble: string[] = [];
    const note = (what: string) => {
      if (!expected.some((pattern) => pattern.test(what))) trouble.push(what);
    };
    context.on('request', (request) => {
      const asked = request.url();
      if (!/^(data|blob|about):/.test(asked) && new URL(asked).origin !== origin)
        note(`request to elsewhere: ${asked}`);
    });
    context.on('response', (response) => {
      const ignored = response.headers()['x-ignored-fields'];
      if (ignored) note(`${response.url()} ignores what the page sends: ${ignored}`);
    });
    const reading: Promise<void>[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error')
        reading.push(wordsOf(message).then((words) => note(`console: ${words}`)));
    });
    context.on('weberror', (error) => note(`uncaught: ${error.error().stack ?? error.error().message}`));
    return {
      page,
      trouble,
      assertAccessible: () => assertAccessible(page),
      async screenshot(name, place) {
        if (place && keepsScreenshots) await standsStill(place);
        await keepScreenshot(page, name, { fullPage: true });
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(reading);
        // A request that the test answers may still be open.
        await context.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
        // Also printed, because the runner hides this error after a failed test.
        for (const line of trouble) console.error(line);
        assert.deepEqual(trouble, [], 'the page misbehaved');
      },
    };
  };
  return {
    phone: (options = {}) => open({ ...PHONE, ...options }),
    desk: (options = {}) => open({ ...DESK, ...options }),
  };
}

/** Screenshots are for people and take minutes of processor time, so a run of all tests takes none. */
const keepsScreenshots = process.env.MALOTE_TEST_SCREENSHOTS !== 'no';

export async function keepScreenshot(
  page: Page,
  name: string,
  options: PageScreenshotOptions = {},
): Promise<void> {
  if (!keepsScreenshots) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), ...options });
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}

const refuse = () => Promise.reject(new Error(CHROMIUM_MISSING));

/** Setup code outside the skipped tests still runs and needs an object. */
const noBrowser: TestBrowser = { phone: refuse, desk: refuse };

/** Chromium logs an error object only by its class, so its message is read from the object. */
async function wordsOf(message: ConsoleMessage): Promise<string> {
  const messages = await Promise.all(
    message
      .args()
      .map((argument) => argument.evaluate((value) => (value instanceof Error ? value.message : ''))),
  ).catch(() => []);
  return [message.text(), ...messages, message.location().url].filter(Boolean).join(' ');
}

/** The minified build: the browser compiles it once for every page that is checked. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Fails on violations that axe rates serious or critical. */
export async function assertAccessible(page: Page): Promise<void> {
  // Evaluated and not loaded as a script, because the page's policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const faults = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
  assert.deepEqual(faults, [], 'axe finds serious problems');
}

/** A screenshot takes seconds on a busy machine. */
const STILL_MS = 90_000;

/** Maps are drawn in pieces and animate. Waits until three successive screenshots are equal. */
export async function standsStill(place: Locator): Promise<void> {
  let last = '';
  let same = 0;
  await waitUntil(
    'the picture stands still',
    async () => {
      const picture = (await place.screenshot()).toString('base64');
      same = picture === last ? same + 1 : 0;
      last = picture;
      return same === 2;
    },
    STILL_MS,
  );
}

/** Waits until the map reacts to clicks and has stopped moving. */
export async function mapIsReady(map: Locator): Promise<void> {
  await map.locator('.maplibregl-ctrl-scale').waitFor();
  await standsStill(map);
}

/** Starts a console session without the login page. */
export async function signIn(page: Page, user = 'central'): Promise<void> {
  const answer = await page.request.post('/console/sessao', {
    headers: { 'x-malote-console': '1' },
    data: { central: 'Central Demonstração', usuario: user, senha: 'demo' },
  });
  assert.equal(answer.status(), 200, await answer.text());
}

/** Navigates within the console as its links do: a fifth of the processor time of loading the page. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
