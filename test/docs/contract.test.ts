import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { integrationEndpoints } from '../../server/src/api/integration/endpoints.ts';
import { eventTypes } from '../../server/src/api/json/eventTypes.ts';

const root = join(import.meta.dirname, '../..');
const CONTRACTS = ['docs/contract.md', 'docs/contrato.pt-BR.md'];
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The text of each numbered section, by its number. */
const sectionsOf = (page: string): Map<string, string> =>
  new Map(
    read(page)
      .split(/^(?=#{2,3} \d)/m)
      .slice(1)
      .map((text) => [text.match(/^#+ (\d+(?:\.\d+)?)/)![1]!, text]),
  );

/** Numbers of sections that a text cites, as in `Contract 4.6 and 4.7` or `contract section 8`. */
const citedIn = (text: string): string[] =>
  [...text.matchAll(/\bcontra(?:ct|to)(?: section)? ((?:\d(?:\.\d+)?(?!\d)(?:, | and )?)+)/gi)].flatMap(
    ([, numbers]) => numbers!.match(/\d+(?:\.\d+)?/g)!,
  );

const sources = globSync('{server,web,client,scripts,test,bench}/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !path.includes('node_modules'),
);

for (const page of CONTRACTS) {
  const sections = sectionsOf(page);

  test(`every section that the code cites exists in ${page}`, () => {
    const cited = new Map(sources.flatMap((path) => citedIn(read(path)).map((number) => [number, path])));
    assert.ok(cited.size > 20);
    assert.deepEqual(
      [...cited].filter(([number]) => !sections.has(number)),
      [],
    );
  });

  test(`${page} describes each endpoint in the section that the endpoint names`, () => {
    const misplaced = integrationEndpoints
      .filter(({ section }) => section)
      .filter(
        ({ section, operation }) => !sections.get(section!)?.includes(`<!-- generated: ${operation} -->`),
      );
    assert.deepEqual(
      misplaced.map(({ operation }) => operation),
      [],
    );
  });

  test(`${page} names every type of event`, () => {
    const events = sections.get('6.5')!;
    const missing = Object.values(eventTypes).filter(({ name }) => !events.includes(`\`${name}\``));
    assert.deepEqual(missing, []);
  });
}

test('both languages have the same sections, codes and names', () => {
  const [english, portuguese] = CONTRACTS.map((page) =>
    [...sectionsOf(page)].map(([number, text]) => {
      const byHand = text.replace(/<!-- generated[\s\S]*?<!-- end -->|```[\s\S]*?```/g, '');
      return [number, [...new Set(byHand.match(/`[^`]+`/g))].toSorted()];
    }),
  );
  assert.deepEqual(portuguese, english);
});
