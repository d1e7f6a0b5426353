import type { Check } from '../check.ts';
import { expectRefusal } from '../http.ts';
import { operations, requestOf } from '../operations.ts';

/** A record that is not in the central, and ids that cannot be one. */
export const idChecks: readonly Check[] = operations
  .filter(({ path }) => path.includes('{id}'))
  .flatMap((operation) => {
    const name = `${operation.method} ${operation.path}`;
    const invalid = ['0', '-1', 'abc', '1.5'].map(
      (id): Check => ({
        section: operation.section,
        title: `${name} with the id ${id} is refused with 400, code 2`,
        async run(world) {
          const answer = await world.send(requestOf(operation, world, { id, parada_id: 1 }));
          expectRefusal(answer, { status: 400, code: 2 });
        },
      }),
    );
    const unknown: Check = {
      section: operation.section,
      title: `${name} of a record that the central does not have is refused with 404`,
      async run(world) {
        expectRefusal(await world.send(requestOf(operation, world)), { status: 404, code: 0 });
      },
    };
    return [unknown, ...invalid];
  });
