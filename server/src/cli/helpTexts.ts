import type { Command, Listed, Option } from './command.ts';

const COLUMN = 24;

/** What `malote help` says. */
export const overview = (commands: readonly Listed[]): string =>
  [
    'malote: a delivery dispatch service',
    '',
    'Usage: malote <command> [options]',
    '',
    ...commands.map(({ name, summary }) => row(name, summary)),
    row('help [command]', 'this text, or a command’s own'),
    row('version', 'which version this is'),
    '',
    'Settings come from the environment (PORT, DATABASE_URL, MALOTE_DATA …); README.md lists them all.',
    'Exit codes: 0 done, 1 failed, 2 the command line is wrong.',
  ].join('\n');

/** What `malote help <command>` says. */
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

const written = (name: string, { value, positional }: Option): string => {
  if (positional) return `<${value}>`;
  return value ? `--${name} <${value}>` : `--${name}`;
};

const row = (left: string, right: string): string =>
  left.length < COLUMN ? `  ${left.padEnd(COLUMN)}${right}` : `  ${left}\n  ${' '.repeat(COLUMN)}${right}`;
