import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible, keepScreenshot } from './browser.ts';

const TAP_PIXELS_MIN = 48;
const TEXT_PIXELS_MIN = 16;

/** A driver's phone in the demonstration's area. */
export const DRIVER_PHONE = {
  permissions: ['geolocation'],
  geolocation: { latitude: -30.0405, longitude: -51.2402, accuracy: 10 },
};

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Waits until the browser has cached the app's files on the phone. */
export async function keptOnPhone(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
}

/** Cuts the network once the app's files are cached. Earlier, the app could not start without a network. */
export async function cutNetwork(page: Page): Promise<void> {
  await keptOnPhone(page);
  await page.context().setOffline(true);
}

/** Asserts that every control is large enough for a finger and every text large enough to read. */
async function assertForThumbs(page: Page): Promise<void> {
  const faults = await page.evaluate(`(() => {
    // A map's own controls and credits are exempt.
    const shown = (element) => element.checkVisibility({ opacityProperty: true }) && !element.closest('.map');
    const small = [...document.querySelectorAll('button, a[href], input:not([type=file]), textarea, .file')]
      .filter(shown)
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < ${TAP_PIXELS_MIN - 0.5} || box.height < ${TAP_PIXELS_MIN - 0.5})
      .map(({ element, box }) => box.width + 'x' + box.height + ': ' + element.outerHTML.slice(0, 120));
    const tiny = [...document.querySelectorAll('body *')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
      .filter((element) => shown(element) && parseFloat(getComputedStyle(element).fontSize) < ${TEXT_PIXELS_MIN})
      .map((element) => 'small text: ' + element.textContent);
    const wide = document.documentElement.scrollWidth > innerWidth ? ['wider than the phone'] : [];
    return [...small, ...tiny, ...wide];
  })()`);
  assert.deepEqual(faults, []);
}

/** Checks a screen of the driver's app and keeps a screenshot for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await assertForThumbs(page);
  await assertAccessible(page);
  await keepScreenshot(page, `driver-${name}`);
}

/** Checks the screen in light and in dark colours. */
export async function inBothSchemes(page: Page, name: string): Promise<void> {
  await screenshot(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await screenshot(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A photo as a camera takes it: large and noisy, so that the app must shrink it. */
export async function cameraPhoto(
  page: Page,
  type: 'image/jpeg' | 'image/png' = 'image/jpeg',
): Promise<Buffer> {
  const encoded = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2400, 1800];
    const pen = canvas.getContext('2d');
    const turn = Math.random() * 360;
    for (let y = 0; y < 1800; y += 6) for (let x = 0; x < 2400; x += 6) {
      pen.fillStyle = 'hsl(' + ((x * 7 + y * 13 + turn) % 360) + ' 60% ' + ((x + y) % 90) + '%)';
      pen.fillRect(x, y, 6, 6);
    }
    return canvas.toDataURL('${type}').split(',')[1];
  })()`);
  return Buffer.from(encoded as string, 'base64');
}
