import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './waitUntil.ts';

/*
 * Assertions about what a page shows. A page draws each answer when it comes, so a single reading may see the state
 * before. These assertions repeat the reading until it is as expected, and fail with the last one. A house rule refuses
 * assertions on a single reading in test/browser.
 */

type Expected = string | RegExp;

function assertLike(locator: Locator, actual: string | null, expected: Expected | null, message = ''): void {
  const isLike = expected instanceof RegExp ? expected.test(actual ?? '') : actual === expected;
  const [shown, wanted] = [
    JSON.stringify(actual),
    expected instanceof RegExp ? expected : JSON.stringify(expected),
  ];
  assert.ok(isLike, `${message || locator}: ${shown} is shown instead of ${wanted}`);
}

export const assertCount = (locator: Locator, count: number, message?: string): Promise<void> =>
  eventually(async () => {
    const found = await locator.count();
    assert.equal(found, count, `${message ?? locator}: found ${found} instead of ${count}`);
  });

/** Waits until the element is absent. First wait for its surroundings: an empty page does not show it either. */
export const assertNone = (locator: Locator, message?: string): Promise<void> =>
  assertCount(locator, 0, message);

export const assertText = (locator: Locator, text: Expected, message?: string): Promise<void> =>
  eventually(async () => assertLike(locator, await locator.textContent(), text, message));

/** The texts of all elements that the locator finds, in order. */
export const assertTexts = (locator: Locator, texts: readonly string[]): Promise<void> =>
  eventually(async () => assert.deepEqual(await locator.allTextContents(), texts));

/** The value of a field. */
export const assertValue = (locator: Locator, value: Expected, message?: string): Promise<void> =>
  eventually(async () => assertLike(locator, await locator.inputValue(), value, message));

export const assertAttribute = (
  locator: Locator,
  name: string,
  value: Expected | null,
  message?: string,
): Promise<void> =>
  eventually(async () => assertLike(locator, await locator.getAttribute(name), value, message));

export const assertDisabled = (locator: Locator): Promise<void> =>
  eventually(async () => assert.equal(await locator.isEnabled(), false, `${locator} is enabled`));

/** The element may be in the page, but is not visible. */
export const assertHidden = (locator: Locator): Promise<void> =>
  eventually(async () => assert.equal(await locator.isVisible(), false, `${locator} is seen`));

/** Compares the page's address. */
export const assertAddress = (page: Page, address: RegExp): Promise<void> =>
  eventually(() => assert.match(page.url(), address));

/** Nothing overflows horizontally. */
export const assertFits = (locator: Locator): Promise<void> =>
  eventually(async () => {
    const [whole, seen] = await locator.evaluate((box) => [box.scrollWidth, box.clientWidth] as const);
    assert.ok(whole <= seen, `${locator} is ${whole} pixels wide, of which ${seen} are seen`);
  });
