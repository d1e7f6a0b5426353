import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Language, preferredLanguage } from './envelope.ts';

const cases: [string | undefined, Language][] = [
  [undefined, 'pt'],
  ['', 'pt'],
  ['*', 'pt'],
  ['en', 'en'],
  ['EN-US', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['en;q=0.5,pt;q=0.4', 'en'],
  ['en;q=0.4, pt;q=0.5', 'pt'],
  ['fr,en;q=0.1', 'en'],
  ['en ;q=0.9', 'en'],
  ['pt ; q=0.5 , en\t; q=0.9', 'en'],
  ['fr', 'pt'],
  ['en;q=0', 'pt'],
  ['en;q=nonsense', 'pt'],
  [';;;,,,q=1', 'pt'],
  ['english', 'pt'],
];

for (const [header, language] of cases)
  test(`Accept-Language "${header ?? '(none)'}" is answered in ${language}`, () =>
    assert.equal(preferredLanguage(header), language));
