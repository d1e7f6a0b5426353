import { plainName } from '../platform/kernel/plainName.ts';
/** An option of a command. One with a `value` takes an argument; one without is a flag. */
export interface Option {
  /** The argument's name in help texts, e.g. 'number'. */
  value?: string;
  required?: boolean;
  /** Given by position, without its name. */
  positional?: boolean;
  /** The last one by position may be given several times. */
  repeated?: boolean;
  help: string;
  /** The problem of the given text, or undefined. */
  mistake?: (text: string) => string | undefined;
}

type Given<One extends Option> = One extends { repeated: true }
  ? string[]
  : One extends { value: string }
    ? One extends { required: true }
      ? string
      : string | undefined
    : boolean;

export type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Given<Options[Name]>;
};

interface CommandShape<Options extends Record<string, Option>> {
  /** What a user must know beyond the options. */
  details: string;
  options: Options;
  /** Returns the exit code. */
  run(values: Values<Options>): Promise<number>;
}

/** A command without its type parameters, as the table loads it. */
export type Command = Omit<CommandShape<Record<string, Option>>, 'run'> & {
  run(values: Record<string, string | string[] | boolean | undefined>): Promise<number>;
};

/** Derives the types of a command's values from its options. */
export const command = <const Options extends Record<string, Option>>(
  shape: CommandShape<Options>,
): Command => shape as unknown as Command;

export const positiveInteger = (text: string): string | undefined =>
  /^[1-9]\d{0,14}$/.test(text) ? undefined : 'must be a whole number above 0';

export const notBlank = (text: string): string | undefined =>
  plainName(text) === '' ? 'must not be empty' : undefined;

/** A row of the table: enough to find and list a command without loading its modules. */
export interface Listed {
  /** One or two words. */
  name: string;
  summary: string;
  load(): Promise<Command>;
}

/** A failure that its message explains: no stack trace is printed. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

const COLUMN = 24;

/** The output of `malote help`. */
export const overview = (commands: readonly Listed[]): string =>
  [
    'malote: a delivery dispatch service',
    '',
    'Usage: malote <command> [options]',
    'Without a command: serve.',
    '',
    ...commands.map(({ name, summary }) => row(name, summary)),
    row('help [command]', 'this text, or a command’s own'),
    row('version', 'which version this is'),
    '',
    'Settings come from the environment (PORT, DATABASE_URL, MALOTE_DATA …); docs/settings.md lists them all.',
    'Exit codes: 0 done, 1 failed, 2 the command line is wrong.',
  ].join('\n');

/** The output of `malote help <command>`. */
export const commandHelp = ({ name, summary }: Listed, { details, options }: Command): string => {
  const rows = Object.entries(options).map(([name, option]) => row(written(name, option), option.help));
  return [
    `malote ${name}: ${summary}`,
    '',
    usageOf(name, options),
    '',
    details,
    ...(rows.length ? ['', ...rows] : []),
  ].join('\n');
};

export const usageOf = (name: string, options: Command['options']): string => {
  const parts = Object.entries(options).map(([name, option]) => {
    const text = written(name, option);
    return option.required ? text : `[${text}]`;
  });
  return ['Usage: malote', name, ...parts].join(' ');
};

const written = (name: string, { value, positional, repeated }: Option): string => {
  if (positional) return repeated ? `<${value}> …` : `<${value}>`;
  return value ? `--${name} <${value}>` : `--${name}`;
};

const row = (left: string, right: string): string =>
  left.length < COLUMN ? `  ${left.padEnd(COLUMN)}${right}` : `  ${left}\n  ${' '.repeat(COLUMN)}${right}`;
