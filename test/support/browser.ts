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
/** Generous, since a busy machine is slow and not wrong: whoever waits goes on as soon as what it waits for is there. */
const TIMEOUT_MS = 60_000;

/** For finding tests that read a page too early: so many times slower than this machine, such as 4. */
const SLOWDOWN = Number(process.env.MALOTE_TEST_SLOWDOWN ?? 1);

/**
 * What a browser says by itself about a network that is cut or a service that is not there. It has a dozen names for
 * that, and which of them it uses depends on the moment.
 */
export const NO_NETWORK = /net::ERR_/;

export interface ScreenOptions extends BrowserContextOptions {
  /** Console errors that belong to the test, such as the one about a page's own 410. */
  expected?: readonly RegExp[];
  /** For a test that looks at a map. Without a graphics card a page with one takes three times its processor time. */
  maps?: boolean;
}

/** One person's screen. Leaving its scope (`await using`) fails if the page misbehaved, and closes it. */
export interface Screen extends AsyncDisposable {
  page: Page;
  /** What the page did that no page may: errors on the console, requests to elsewhere. */
  trouble: readonly string[];
  /** Fails on what axe calls serious or critical. */
  assertAccessible(): Promise<void>;
  /** Kept in test-output/screenshots, the whole page, once the given place stands still. */
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

/** As in a browser without WebGL, in which pages do without their maps. */
const WITHOUT_WEBGL = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...given) {
    return /webgl/.test(kind) ? null : getContext.call(this, kind, ...given);
  };
}`;

let launched: Promise<Browser> | undefined;

/** One for all test files of this process: starting it costs as much as several pages. Each screen has its own profile. */
async function sharedBrowser(): Promise<Browser> {
  const running = await launched;
  if (running?.isConnected()) return running;
  launched = launchChromium();
  const browser = await launched;
  afterAllFiles(() => browser.close());
  return browser;
}

/** A real Chromium, whose screens may speak to the given address and to no other. */
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
        // A request that a test answers itself may be under way.
        await context.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
        // Said aloud too: after a failed test the runner would show neither of the two errors.
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

/** They are for people to look at and take minutes of processor time, so the runner of all tests wants none. */
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

/** Where every test is skipped, the preparations beside them still run. */
const noBrowser: TestBrowser = { phone: refuse, desk: refuse };

/** What was logged may be an error object, which tells its class and nothing else. */
async function wordsOf(message: ConsoleMessage): Promise<string> {
  const messages = await Promise.all(
    message
      .args()
      .map((argument) => argument.evaluate((value) => (value instanceof Error ? value.message : ''))),
  ).catch(() => []);
  return [message.text(), ...messages, message.location().url].filter(Boolean).join(' ');
}

/** The smaller one: the browser compiles it for every page that is checked, once. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Fails on what axe calls serious or critical. */
export async function assertAccessible(page: Page): Promise<void> {
  // Evaluated rather than loaded: a page's own policy forbids scripts from elsewhere.
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

/** A picture takes seconds on a busy machine. */
const STILL_MS = 90_000;

/** Maps draw themselves piece by piece and glide: waits until what is seen is the same three times in a row. */
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

/** The map reacts to clicks, and shows the part of the world that it will go on showing. */
export async function mapIsReady(map: Locator): Promise<void> {
  await map.locator('.maplibregl-ctrl-scale').waitFor();
  await standsStill(map);
}

/** A session at the console, without its login page. */
export async function signIn(page: Page, user = 'central'): Promise<void> {
  const answer = await page.request.post('/console/sessao', {
    headers: { 'x-malote-console': '1' },
    data: { central: 'Central Demonstração', usuario: user, senha: 'demo' },
  });
  assert.equal(answer.status(), 200, await answer.text());
}

/** From one page of the console to another, as its links lead there: a fifth of the processor time of loading it. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
