/**
 * The same text for the same content, whatever the order of fields. Numbers, texts and null stay apart, and lists
 * keep their order. One pass over the value with a sort per object: 1 MiB takes milliseconds. It recurses, so the
 * value must not be nested deeply (body.ts sees to that).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
