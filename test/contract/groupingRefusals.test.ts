import { test } from 'node:test';
import { assertFirstIsAnswered, conditionsOf, pairsOf } from '../support/groupingRefusals.ts';
import { startMalote } from '../support/malote.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });

for (const condition of conditionsOf('4.7'))
  test(`refuses in both languages when ${condition.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.7', [condition], { languages: ['pt', 'en'] }));

for (const [first, second] of pairsOf('4.7'))
  test(`answers first that ${first.name}, though ${second.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.7', [first, second]));

for (const condition of conditionsOf('4.2'))
  test(`refuses in both languages when ${condition.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.2', [condition], { languages: ['pt', 'en'] }));

for (const [first, second] of pairsOf('4.2'))
  test(`answers first that ${first.name}, though ${second.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.2', [first, second]));

for (const condition of conditionsOf('4.6'))
  test(`refuses in both languages when ${condition.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.6', [condition], { languages: ['pt', 'en'] }));

for (const [first, second] of pairsOf('4.6'))
  test(`answers first that ${first.name}, though ${second.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.6', [first, second]));
