import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

export class UsageMistakes extends Error {
  override name = 'UsageMistakes';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('; '));
    this.mistakes = mistakes;
  }
}

type Given = Record<string, string | boolean | undefined>;

/** Reports all mistakes together, unlike the strict mode of parseArgs, which stops at the first. */
export function readOptions({ options }: Command, args: readonly string[]): Given {
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
      const place = placed.find((name) => !(name in given));
      if (place === undefined) mistakes.push(`"${token.value}" is not expected here`);
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
