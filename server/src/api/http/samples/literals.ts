/** How a language writes values. */
interface Syntax {
  text(value: string): string;
  none: string;
  yes: string;
  no: string;
  list: [open: string, close: string];
  record: [open: string, close: string];
  emptyRecord: string;
  field(name: string): string;
  indent: string;
}

const quote = (value: string): string => `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

export const typeScript: Syntax = {
  text: quote,
  none: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  record: ['{', '}'],
  emptyRecord: '{}',
  field: (name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quote(name)}: `,
  indent: '  ',
};

export const python: Syntax = {
  text: (value) => JSON.stringify(value),
  none: 'None',
  yes: 'True',
  no: 'False',
  list: ['[', ']'],
  record: ['{', '}'],
  emptyRecord: '{}',
  field: (name) => `${JSON.stringify(name)}: `,
  indent: '    ',
};

export const php: Syntax = {
  text: (value) => `'${value.replace(/[\\']/g, '\\$&')}'`,
  none: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  record: ['[', ']'],
  // An empty array would be sent as an empty list.
  emptyRecord: 'new stdClass()',
  field: (name) => `${php.text(name)} => `,
  indent: '    ',
};

/** A JSON value as a literal of the language. What fits on a line stays on it. */
export function literal(value: unknown, syntax: Syntax, margin = ''): string {
  if (value === null) return syntax.none;
  if (typeof value === 'boolean') return value ? syntax.yes : syntax.no;
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return String(value);
  const inner = margin + syntax.indent;
  const [[open, close], items] = Array.isArray(value)
    ? [syntax.list, value.map((item) => literal(item, syntax, inner))]
    : [
        syntax.record,
        Object.entries(value).map(([name, field]) => syntax.field(name) + literal(field, syntax, inner)),
      ];
  if (items.length === 0) return Array.isArray(value) ? open + close : syntax.emptyRecord;
  const line = items.join(', ');
  if (line.length + margin.length < LINE && !line.includes('\n'))
    return open === '{' && syntax === typeScript ? `{ ${line} }` : open + line + close;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${margin}${close}`;
}

const LINE = 72;
