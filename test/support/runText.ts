import type { Channel } from '../../server/src/platform/postgres/queries.ts';
import { named } from '../../server/src/platform/postgres/sql.ts';

/** Sends a text that a test makes itself, such as a loop over tables. Columns come back in camelCase. */
export const runText = async <Row extends object>(
  { channel }: { channel: Channel },
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => (await channel.query({ ...named(text), values, isCamelCase: true })) as Row[];
