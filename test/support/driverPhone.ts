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

/** Waits until the app's files are kept on the phone, which the browser does in its own time. */
export async function keptOnPhone(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
}

/** Takes the network away from an app that is kept on the phone: before that, it could not start without network. */
export async function cutNetwork(page: Page): Promise<void> {
  await keptOnPhone(page);
  await page.context().setOffline(true);
}

/** Everything that a finger is meant for is large enough, and everything written large enough to read. */
async function assertForThumbs(page: Page): Promise<void> {
  const faults = await page.evaluate(`(() => {
    // A map's own controls and sources are the map's affair.
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

/** A screen of the driver's app, looked at by people; the machine checks what it can. */
export async function look(page: Page, name: string): Promise<void> {
  await assertForThumbs(page);
  await assertAccessible(page);
  await keepScreenshot(page, `driver-${name}`);
}

/** By day and at night. */
export async function lookTwice(page: Page, name: string): Promise<void> {
  await look(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** What a camera would give: large, and noisy, so that it must be made smaller. */
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
