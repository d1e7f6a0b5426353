import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

const PAGE_TESTS = 'test/**/browser/*.test.ts';

/** Calls that return the current state at once, even if the page is still being drawn. */
const READ_ONCE =
  /\.(?:count|isVisible|isHidden|isEnabled|isDisabled|isChecked|textContent|innerText|allTextContents|allInnerTexts|inputValue|getAttribute)\(|\bpage\.url\(/;

/** Absence is asserted after waiting for neighbouring content. */
const OF_ABSENCE = /^assert\.doesNotMatch\(/;

/** Each call of this name, up to its closing bracket. */
function callsOf(source: string, name: RegExp): { start: number; text: string }[] {
  return [...source.matchAll(name)].map(({ index: start }) => {
    let end = source.indexOf('(', start);
    for (let depth = 0; end < source.length; end += 1) {
      if (source[end] === '(') depth += 1;
      if (source[end] === ')') depth -= 1;
      if (depth === 0) break;
    }
    return { start, text: source.slice(start, end + 1) };
  });
}

/** Assertions on a single reading of a page, except those inside `eventually`. */
function readingsAtOnce(source: string): string[] {
  const repeated = callsOf(source, /\beventually\(/g);
  return callsOf(source, /\bassert\.\w+\(/g)
    .filter(({ text }) => READ_ONCE.test(text) && !OF_ABSENCE.test(text))
    .filter(
      (call) => !repeated.some(({ start, text }) => call.start > start && call.start < start + text.length),
    )
    .map(({ text }) => text);
}

test('an assertion on a single reading of a page is found, and one that is repeated is not', () => {
  assert.deepEqual(readingsAtOnce(`assert.equal(await row(page).count(), 0); await assertNone(row(page));`), [
    'assert.equal(await row(page).count(), 0)',
  ]);
  assert.deepEqual(readingsAtOnce(`assert.match((await a.textContent()) ?? '', /x/);`).length, 1);
  assert.deepEqual(readingsAtOnce(`assert.match(page.url(), /x/);`).length, 1);
  assert.deepEqual(
    readingsAtOnce(`await eventually(async () => { assert.equal(await a.count(), 1); });`),
    [],
  );
});

test('assertions about a page wait for the state that they expect', () => {
  const faults = globSync(PAGE_TESTS, { cwd: root }).flatMap((path) =>
    readingsAtOnce(readFileSync(join(root, path), 'utf8')).map((text) => `${path}: ${text}`),
  );
  assert.equal(faults.length, 0, `use test/support/shown.ts, or eventually():\n  ${faults.join('\n  ')}`);
});

test('the driver’s app loses its network only once it is kept on the phone', () => {
  const faults = globSync(PAGE_TESTS, { cwd: root }).filter((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    return source.includes('support/driverPhone.ts') && /setOffline\(true\)/.test(source);
  });
  assert.deepEqual(faults, [], 'use cutNetwork() of test/support/driverPhone.ts');
});

test('a network error is not expected by its name, which depends on the moment', () => {
  const faults = globSync(PAGE_TESTS, { cwd: root }).filter((path) =>
    /ERR_[A-Z]/.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(faults, [], 'use NO_NETWORK of test/support/browser.ts');
});

test('no action on a page is left behind: it would still press its button when that is shown again', () => {
  const faults = globSync(PAGE_TESTS, { cwd: root }).filter((path) =>
    /Promise\.(any|race)\(/.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(faults, [], 'await each action, with a timeout where it may be in vain');
});

/** The source from a place to the end of the value or block that begins there. */
function restOf(source: string, start: number, isValue: boolean): string {
  let depth = 0;
  let end = start;
  for (; end < source.length; end += 1) {
    const character = source[end]!;
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth < 0 || (isValue && depth === 0 && character === ',')) break;
  }
  return source.slice(start, end);
}

/** Calls after an answer that close a form or change the page, although the person may have moved on. */
function lateLeaves(source: string): string[] {
  const after = [
    ...[...source.matchAll(/\b(?:onDone|onSaved|onSuccess)(?::|=\{)/g)].map(({ 0: { length }, index }) =>
      restOf(source, index + length, true),
    ),
    ...[...source.matchAll(/\bawait\b/g)].map(({ index }) => restOf(source, index, false)),
  ];
  return after.filter((text) => /(?<!if \(isShown\(\)\) )\b(?:go\(|onClose\b)/.test(text));
}

test('a page that is left after an answer is found, and one that only its own form leaves is not', () => {
  assert.equal(
    lateLeaves(`useAction(send, { onDone: () => { clear(); go('/areas'); }, refresh })`).length,
    1,
  );
  assert.equal(lateLeaves(`useAction(send, { refresh, onDone: onClose })`).length, 1);
  assert.equal(lateLeaves(`<Form onSaved={({ id }) => go(id)} onClose={onClose} />`).length, 1);
  assert.equal(lateLeaves(`async () => { await call(); if (isOpen) { go('/'); } }`).length, 1);
  assert.deepEqual(lateLeaves(`useAction(send, { onDone: clear, leave: () => go('/areas') })`), []);
  assert.deepEqual(lateLeaves(`<Form onSaved={keep} onClose={onClose} />`), []);
  assert.deepEqual(lateLeaves(`onSuccess: () => { if (isShown()) onClose(); }`), []);
});

test('an answer that comes late takes nobody away from where they are by then', () => {
  const faults = globSync('web/console/**/*.{ts,tsx}', { cwd: root }).flatMap((path) =>
    lateLeaves(readFileSync(join(root, path), 'utf8')).map((text) => `${path}: ${text}`),
  );
  assert.equal(faults.length, 0, `use leave of useAction or of Confirm:\n  ${faults.join('\n  ')}`);
});
