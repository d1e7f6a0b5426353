import { parseArgs } from 'node:util';
import { BadConfig } from '../config.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import { type Command, CommandFailed, commandHelp, type Listed, overview, usageOf } from './command.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs the command that the arguments name and returns the exit code. */
export async function runCommandLine(
  commands: readonly Listed[],
  version: string,
  args: readonly string[],
): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return help(commands, words(args));
  const [first] = args;
  if (first === undefined) {
    console.error(overview(commands));
    return WRONG_USAGE;
  }
  if (first === 'help') return help(commands, args.slice(1));
  if (first === 'version' || first === '--version' || first === '-v') {
    console.log(version);
    return DONE;
  }
  const asked = findCommand(commands, args);
  return asked ? runCommand(asked, args) : unknown(commands, first.startsWith('-') ? [first] : words(args));
}

async function runCommand({ name, load }: Listed, args: readonly string[]): Promise<number> {
  const command = await load();
  try {
    return await command.run(readOptions(command, args.slice(name.split(' ').length)));
  } catch (error) {
    if (!(error instanceof UsageMistakes)) return explain(error);
    for (const mistake of error.mistakes) console.error(`malote: ${mistake}`);
    console.error(usageOf(name, command.options));
    return WRONG_USAGE;
  }
}

const words = (args: readonly string[]): string[] => {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return args.slice(0, end === -1 ? args.length : end);
};

/** The longest match wins: "demo remove" is not "demo" with an argument. */
const findCommand = (commands: readonly Listed[], args: readonly string[]): Listed | undefined =>
  commands
    .filter(({ name }) => name.split(' ').every((word, index) => args[index] === word))
    .toSorted((left, right) => right.name.length - left.name.length)[0];

async function help(commands: readonly Listed[], asked: readonly string[]): Promise<number> {
  if (asked.length === 0 || asked[0] === 'help' || asked[0] === 'version') {
    console.log(overview(commands));
    return DONE;
  }
  const found = findCommand(commands, asked);
  if (found) console.log(commandHelp(found, await found.load()));
  return found ? DONE : unknown(commands, asked);
}

function unknown(commands: readonly Listed[], asked: readonly string[]): number {
  const family = commands.filter(({ name }) => name.startsWith(`${asked[0]} `));
  if (family.length) console.error(`malote: say which: ${family.map(({ name }) => name).join(', ')}`);
  else if (asked[0]?.startsWith('-')) console.error(`malote: there is no option ${asked[0]}`);
  else console.error(`malote: there is no command "${asked.join(' ')}"`);
  console.error('Try: malote help');
  return WRONG_USAGE;
}

/** Expected failures are printed in one line. Any other error is a defect and keeps its stack trace. */
async function explain(error: unknown): Promise<number> {
  if (error instanceof CommandFailed || error instanceof BadConfig) console.error(`malote: ${error.message}`);
  else if (error instanceof Refusal) {
    const { describeFailure } = await import('../api/http/answerError.ts');
    console.error(`malote: ${describeFailure(error.kind, error.details, 'en').message}`);
  } else if (await isOutage(error)) {
    console.error(`malote: the database stopped answering: ${(error as Error).message}`);
    console.error(DATABASE_CHECKS);
  } else console.error('malote: unexpected failure, please report it:', error);
  return FAILED;
}

const DATABASE_CHECKS = [
  'Check that it runs and is not overloaded, that its disk is not full, that it has free connections (each process of',
  'malote takes up to MALOTE_POOL of them), and that nothing between it and this machine blocks DATABASE_URL. Then try',
  'again.',
].join('\n');

const isOutage = async (error: unknown): Promise<boolean> =>
  (await import('../platform/postgres/databaseErrors.ts')).isDatabaseUnavailable(error);

export class UsageMistakes extends Error {
  override name = 'UsageMistakes';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('; '));
    this.mistakes = mistakes;
  }
}

type Given = Record<string, string | string[] | boolean | undefined>;

/** Reports all mistakes together, unlike the strict mode of parseArgs, which stops at the first. */
function readOptions({ options }: Command, args: readonly string[]): Given {
  const types = Object.entries(options).map(
    ([name, { value }]) => [name, { type: value ? ('string' as const) : ('boolean' as const) }] as const,
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
  });
  const mistakes: string[] = [];
  const given: Given = {};
  const placed = Object.keys(options).filter((name) => options[name]!.positional);
  for (const token of tokens) {
    if (token.kind === 'positional') {
      const place = placed.find((name) => !(name in given) || options[name]!.repeated);
      const before = place === undefined ? undefined : given[place];
      if (place === undefined) mistakes.push(`"${token.value}" is not expected here`);
      else if (options[place]!.repeated)
        given[place] = [...(Array.isArray(before) ? before : []), token.value];
      else given[place] = token.value;
    }
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (!option || option.positional) mistakes.push(`there is no option ${token.rawName}`);
    else if (token.name in given) mistakes.push(`${token.rawName} is given twice`);
    else if (!option.value && token.value !== undefined) mistakes.push(`${token.rawName} takes no value`);
    // A value that looks like an option means that the value is missing.
    else if (option.value && (token.value === undefined || isForgotten(token)))
      mistakes.push(`${token.rawName} needs a <${option.value}>`);
    given[token.name] ??= token.value ?? true;
  }
  for (const [name, { value, required, positional, mistake }] of Object.entries(options)) {
    const text = given[name];
    if (required && text === undefined)
      mistakes.push(positional ? `<${value}> is missing` : `--${name} <${value}> is missing`);
    const wrong = typeof text === 'string' ? mistake?.(text) : undefined;
    if (wrong) mistakes.push(`--${name} is "${text}", but ${wrong}`);
    if (!value) given[name] ??= false;
  }
  if (mistakes.length) throw new UsageMistakes(mistakes);
  return given;
}

const isForgotten = ({
  value,
  inlineValue,
}: {
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}) => !inlineValue && value?.startsWith('-');
