import { test } from 'node:test';
import { assertFirstIsAnswered, conditionsOf, pairsOf } from '../support/groupingRefusals.ts';
import { startMalote } from '../support/malote.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });

for (const endpoint of ['4.7', '4.2', '4.6'] as const) {
  for (const condition of conditionsOf(endpoint))
    test(`${endpoint} refuses in both languages when ${condition.name}`, () =>
      assertFirstIsAnswered(malote, routers, endpoint, [condition], { languages: ['pt', 'en'] }));

  for (const [first, second] of pairsOf(endpoint))
    test(`${endpoint} answers first that ${first.name}, though ${second.name}`, () =>
      assertFirstIsAnswered(malote, routers, endpoint, [first, second]));
}
