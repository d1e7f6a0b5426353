import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneLabel } from '../../web/driver/src/core/phoneLabel.ts';

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

const labels: [label: string, userAgent: string][] = [
  ['Android, Chrome', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
  ['Android, Edge', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36 EdgA/140.0.0.0`],
  [
    'Android, Samsung Internet',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  ['Android, Opera', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36 OPR/90.0.0.0`],
  ['Android, Firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'],
  [
    'iPhone, Safari',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${SAFARI} Version/26.0 Mobile/15E148 Safari/604.1`,
  ],
  [
    'iPhone, Chrome',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${SAFARI} CriOS/140.0.7339.101 Mobile/15E148 Safari/604.1`,
  ],
  ['Windows, Edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.0.0`],
  ['Mac, Safari', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/26.0 Safari/605.1.15`],
  ['Linux, Chrome', `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`],
  ['aparelho', 'something else'],
];

for (const [label, userAgent] of labels)
  test(`a phone is called ${label} by its user agent ${userAgent.slice(13, 50)}`, () => {
    assert.equal(phoneLabel(userAgent), label);
  });
