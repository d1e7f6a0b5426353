import { readFileSync } from 'node:fs';

// Reads the SQL in the server's source: template literals, with the constants of the same file inserted.

export interface SqlText {
  /** The line on which the statement begins. */
  line: number;
  /** Values appear as ${…}; text that a function of another file adds is missing. */
  text: string;
}

interface Literal {
  line: number;
  parts: (string | { code: string })[];
  /** The constant whose value this literal is, or is part of. */
  constant: string | undefined;
}

const IS_SQL = /\b(select|insert into|update|delete from|join)\b/;

/** Each SQL text of the file that is not merely a part of another one. */
export function sqlTextsOf(file: string): SqlText[] {
  const source = readFileSync(file, 'utf8');
  const literals = literalsOf(source);
  const byConstant = Map.groupBy(literals, ({ constant }) => constant);
  const composed = new Set<string>();
  const textOf = ({ parts }: Literal, depth = 0): string =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part;
        const name = /^([A-Z][A-Z0-9_]*)/.exec(part.code)?.[1];
        const literal = name === undefined ? undefined : byConstant.get(name)?.[0];
        if (name === undefined || !literal || depth > 5) return `\${${part.code}}`;
        composed.add(name);
        return textOf(literal, depth + 1);
      })
      .join('');
  const texts = literals.map((literal) => ({ literal, text: textOf(literal) }));
  return texts
    .filter(({ literal, text }) => IS_SQL.test(text) && !(literal.constant && composed.has(literal.constant)))
    .map(({ literal, text }) => ({
      line: literal.line,
      text: text.replace(/--.*$/gm, '').replace(/\s+/g, ' '),
    }));
}

/** Finds template literals, and quoted texts that are values of constants, also within `${…}`. */
function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  const lineAt = (index: number) => source.slice(0, index).split('\n').length;
  const constants = [...source.matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]*)\b/gm)];
  const statements = [...source.matchAll(/^\S/gm)].map(({ index }) => index);
  const constantAt = (index: number): string | undefined => {
    const constant = constants.findLast((each) => each.index <= index);
    if (!constant) return undefined;
    const end = statements.find((start) => start > constant.index && !/[)\]}`]/.test(source[start]!));
    return end === undefined || index < end ? constant[1] : undefined;
  };

  const skipQuoted = (from: number): number => {
    const quote = source[from];
    let at = from + 1;
    while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
    return at + 1;
  };
  const readCode = (from: number, until: '}' | ''): number => {
    let at = from;
    let depth = 0;
    while (at < source.length) {
      const char = source[at]!;
      if (source.startsWith('//', at))
        at = (source.indexOf('\n', at) + source.length) % source.length || source.length;
      else if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 2;
      else if (char === "'" || char === '"') {
        const end = skipQuoted(at);
        const constant = constantAt(at);
        if (constant) found.push({ line: lineAt(at), parts: [source.slice(at + 1, end - 1)], constant });
        at = end;
      } else if (char === '`') at = readTemplate(at);
      else if (char === '{') {
        depth += 1;
        at += 1;
      } else if (char === '}') {
        if (depth === 0 && until === '}') return at;
        depth -= 1;
        at += 1;
      } else at += 1;
    }
    return at;
  };
  const readTemplate = (from: number): number => {
    const literal: Literal = {
      line: lineAt(from),
      parts: [],
      constant: constantAt(from),
    };
    found.push(literal);
    let at = from + 1;
    let text = at;
    while (at < source.length && source[at] !== '`') {
      if (source[at] === '\\') at += 2;
      else if (source.startsWith('${', at)) {
        literal.parts.push(source.slice(text, at));
        const end = readCode(at + 2, '}');
        literal.parts.push({ code: source.slice(at + 2, end) });
        at = end + 1;
        text = at;
      } else at += 1;
    }
    literal.parts.push(source.slice(text, at));
    return at + 1;
  };
  readCode(0, '');
  return found;
}
