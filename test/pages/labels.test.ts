import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  paymentLabel as consolePayments,
  statusLabel as consoleStatuses,
} from '../../console/src/statuses.ts';
import { fullStatusCode, paymentCode } from '../../server/src/wire/codes.ts';
import { paymentLabel, statusLabel } from '../../server/src/wire/labels.ts';

const byCode = (labels: Readonly<Record<string, string>>, codes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(labels).map(([word, label]) => [codes[word], label]));
const inPortuguese = (labels: Readonly<Record<string, { pt: string }>>) =>
  Object.fromEntries(Object.entries(labels).map(([code, { pt }]) => [code, pt]));

test('files and the console call statuses the same', () => {
  assert.deepEqual(byCode(statusLabel, fullStatusCode), inPortuguese(consoleStatuses));
});

test('files and the console call payments the same', () => {
  assert.deepEqual(byCode(paymentLabel, paymentCode), inPortuguese(consolePayments));
});
