/** A statement of an SQL file, without comments and the final semicolon. */
export interface SqlStatement {
  text: string;
  /** The lines of the comments directly before it, without their dashes. */
  comments: readonly string[];
  /** Line of the file on which it begins, from 1. */
  line: number;
}

// Quoted text and comments, which may contain semicolons, are one token each.
const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;|[\s\S]/g;

/** Splits a file into its statements. Semicolons in quotes, dollar quotes and comments do not end a statement. */
export function sqlStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let text = '';
  let comments: string[] = [];
  let line = 1;
  let begun = 1;
  const end = () => {
    if (text.trim() !== '') statements.push({ text: text.trim(), comments, line: begun });
    text = '';
    comments = [];
  };
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token === ';') end();
    else if (token.startsWith('--') || token.startsWith('/*')) {
      if (text.trim() === '') comments.push(token.replace(/^--\s*/, '').trim());
    } else {
      if (text.trim() === '' && token.trim() !== '') begun = line;
      text += token;
    }
    line += token.split('\n').length - 1;
  }
  end();
  return statements;
}
