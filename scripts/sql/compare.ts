import { toCamelCase } from '../../server/src/platform/postgres/batch.ts';
import type { Description } from './describe.ts';
import type { Place, Statement } from './statements.ts';
import { columnFault, parameterFault } from './types.ts';

/** Where the program claims something else than PostgreSQL says, and statements that could not be read. */
export async function sqlFaults(
  statements: readonly Statement[],
  describe: (text: string) => Promise<Description>,
  isNeverNull: (place: Place, column: string) => boolean,
): Promise<string[]> {
  const faults = new Set<string>();
  for (const statement of statements) {
    const found = 'unread' in statement ? [`cannot be read: ${statement.unread}`] : await faultsOf(statement);
    for (const fault of found) faults.add(`${statement.file}:${statement.line} ${fault}`);
  }
  return [...faults];

  async function faultsOf(statement: Exclude<Statement, { unread: string }>): Promise<string[]> {
    try {
      const description = await describe(statement.text);
      return [...columnFaults(statement, description), ...parameterFaults(statement, description)];
    } catch (error) {
      return [`${(error as Error).message}: ${statement.text.replace(/\s+/g, ' ').slice(0, 200)}`];
    }
  }

  function columnFaults(
    statement: Exclude<Statement, { unread: string }>,
    { columns }: Description,
  ): string[] {
    const { text, row, isCamelCase } = statement;
    if (!row) return [];
    const found = new Map(
      columns.map((column) => [isCamelCase ? toCamelCase(column.name) : column.name, column]),
    );
    const faultOf = (name: string): string | undefined => {
      const kinds = row.get(name)!;
      const column = found.get(name);
      if (!column) return kinds.has('undefined') ? undefined : `${name} is declared and not selected`;
      const fault = columnFault(column.type, kinds);
      if (fault) return `${name} ${fault}`;
      const mayBeNull = column.mayBeNull && !text.includes(`${column.name} is not null`);
      return mayBeNull && !kinds.has('null') && !kinds.has('unknown') && !isNeverNull(statement, name)
        ? `${name} may be null and is not declared so`
        : undefined;
    };
    return [
      ...(found.size < columns.length ? ['two columns have one name'] : []),
      ...[...row.keys()].flatMap((name) => faultOf(name) ?? []),
      ...[...found.keys()].flatMap((name) => (row.has(name) ? [] : `${name} is selected and not declared`)),
    ];
  }
}

function parameterFaults(
  { parameters: given }: Exclude<Statement, { unread: string }>,
  { parameters }: Description,
): string[] {
  const faults = parameters.flatMap((type, index) => {
    const fault = given[index] && parameterFault(type, given[index]);
    return fault ? [`$${index + 1} ${fault}`] : [];
  });
  return given.length > parameters.length
    ? [...faults, `${given.length} values for ${parameters.length} parameters`]
    : faults;
}
