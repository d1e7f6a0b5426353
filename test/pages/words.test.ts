import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript-5';

const root = join(import.meta.dirname, '../..');
const files = globSync('{console,driver}/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !file.endsWith('api.gen.ts'),
);

interface Text {
  place: string;
  words: string;
  /** There is another text for the count of one. */
  isForMany: boolean;
}

/** Names of the functions and properties that hold texts for people, in Portuguese first. */
const isWordsCall = (name: string): boolean => name === 't' || name === 'word';

/** Whether the node is part of `count === 1 ? … : …`. */
function isWithinChoice(node: ts.Node): boolean {
  for (let outer = node.parent; outer; outer = outer.parent)
    if (ts.isConditionalExpression(outer) && / === 1$/.test(outer.condition.getText())) return true;
  return false;
}

/** The Portuguese texts of the two apps: t('…', '…'), word(name, '…', '…') and { pt: '…', en: '…' }. */
function textsOf(file: string): Text[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const texts: Text[] = [];
  const add = (node: ts.Node | undefined): void => {
    if (!node) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const place = `${file}:${line + 1}`;
    const isForMany = isWithinChoice(node);
    if (ts.isStringLiteralLike(node)) texts.push({ place, words: node.text, isForMany });
    else if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      texts.push({ place, words: parts.join('…'), isForMany });
      for (const { expression } of node.templateSpans) add(expression);
    } else if (ts.isConditionalExpression(node)) {
      add(node.whenTrue);
      add(node.whenFalse);
    } else if (ts.isBinaryExpression(node)) add(node.right);
    else if (ts.isParenthesizedExpression(node)) add(node.expression);
    else if (ts.isCallExpression(node) && node.expression.getText() === 'counted')
      for (const noun of node.arguments.slice(1)) add(noun);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && isWordsCall(node.expression.text))
      add(node.arguments[node.expression.text === 'word' ? 1 : 0]);
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'pt') add(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

const texts = files.flatMap(textsOf);

/** Words of the interfaces or of earlier versions, and the dispatch desk's words for them. */
const REPLACED: readonly [pattern: RegExp, instead: string][] = [
  [/\bcondutor(es)?\b/i, 'entregador'],
  [/\bpartidas?\b/i, 'coleta'],
  [/\bhistórias?\b/i, 'histórico'],
  [/\bdispar(o|os|ar|ada|adas|ado)\b/i, 'saída'],
  [/\brecarreg\w*|\brecargas?\b/i, 'adicionar créditos'],
  [/\bagrupadoras?\b/i, 'principal'],
  [/\bem uso\b/i, 'ativo'],
  [/\bbandeira\b/i, 'central'],
  [/\bcentavos\b/i, 'reais, typed as 1.234,56'],
];

/** Texts in which the word has another meaning. */
const ALLOWED = [/Aberto em outra janela/, /em uso em outra janela/];

test('the two apps hold texts, and this test reads them', () => {
  assert.ok(texts.length > 900, `${texts.length} texts`);
});

test('texts use the words of a dispatch desk', () => {
  const faults = texts.flatMap(({ place, words }) =>
    REPLACED.filter(
      ([pattern]) => pattern.test(words) && !ALLOWED.some((allowed) => allowed.test(words)),
    ).map(([, instead]) => `${place}: "${words}": say ${instead}`),
  );
  assert.deepEqual(faults, []);
});

test('no text shows the name of a field or a bare code of the interfaces', () => {
  // A text for people never contains an underscore. Map pins show a letter and have their label beside it.
  const isField = /\b[a-z]+_[a-z_]+\b/;
  const isBareCode = /\([A-Z]\)/;
  const faults = texts
    .filter(({ words }) => isField.test(words) || isBareCode.test(words))
    .map(({ place, words }) => `${place}: "${words}"`);
  assert.deepEqual(faults, []);
});

test('dates, hours, amounts and numbers are typed in the fields of BrazilianFields.tsx only', () => {
  const OWN = 'console/src/ui/BrazilianFields.tsx';
  // Coordinates are copied from maps, which write them with a decimal point.
  const COORDINATES = /AreaEditor\.tsx$/;
  const faults = files
    .filter((file) => file.startsWith('console/') && file !== OWN && !COORDINATES.test(file))
    .filter((file) =>
      /type="(number|date|time|datetime-local)"/.test(readFileSync(join(root, file), 'utf8')),
    );
  assert.deepEqual(faults, []);
});

/** Words that follow a number that is never one. */
const NEVER_ONE =
  /^(As … mais antigas de|Agrupar … programadas$|O arquivo parou em …|Só os … mais|Este contorno tem …|Arquivo com … linhas, mas há mais)/;

test('one thing is not counted in the plural', () => {
  const faults = texts
    .filter(({ words, isForMany }) => !isForMany && /… \p{Ll}+s\b/u.test(words) && !NEVER_ONE.test(words))
    .map(({ place, words }) => `${place}: ${words}`);
  assert.deepEqual(faults, [], 'use counted() of console/src/formats.ts');
});
