import { eventBodyExample } from '../../server/src/api/http/openapi.ts';
import { eventTypes } from '../../server/src/api/json/eventTypes.ts';
import type { Language } from './language.ts';

const LINE_MAX = 100;

/** JSON in which what fits into a line takes one. */
function compactJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_MAX)
    return line
      .replace(/^\[ (.*) \]$/, '[$1]')
      .replace(/\{ /g, '{')
      .replace(/ \}/g, '}');
  const inner = `${indent}  `;
  const parts = Object.entries(value).map(
    ([name, part]) => `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${compactJson(part, inner)}`,
  );
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

/** The body of every event, with example data, as `malote trigger` and a test send it. */
export const eventSamples = (language: Language): string =>
  Object.values(eventTypes)
    .map(({ name, label, example }) =>
      [
        `## \`${name}\``,
        `${label[language]}.`,
        `\`\`\`json\n${compactJson(eventBodyExample(name, example))}\n\`\`\``,
      ].join('\n\n'),
    )
    .join('\n\n');
