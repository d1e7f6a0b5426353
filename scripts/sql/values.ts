import * as ts from 'typescript/unstable/ast';
import { changes, names, raw, values } from '../../server/src/platform/postgres/sql.ts';

// What the interpreter of evaluate.ts works with: values that may be unknown, and questions about the source.

/** A value that only the running program knows. */
export class Unknown {
  readonly node: ts.Node;
  readonly properties = new Map<string, unknown>();
  /** The possibility that this run has chosen for it. */
  chosen: { value: unknown } | undefined;
  /** The part of the expression for which it is unknown. */
  readonly because: ts.Node;
  constructor(node: ts.Node, because = node) {
    this.node = node;
    this.because = because;
  }
}

/** An unknown number of values. */
export class Spread extends Unknown {}

export type FunctionNode =
  | ts.ArrowFunction
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.MethodDeclaration;

export type Invokable = ((...args: unknown[]) => unknown) & { node?: FunctionNode };

/** Expressions whose value may be a text, or contain one. */
export const MAKERS: readonly ((node: ts.Node) => boolean)[] = [
  ts.isStringLiteral,
  ts.isTemplateExpression,
  ts.isNoSubstitutionTemplateLiteral,
  ts.isTaggedTemplateExpression,
  ts.isCallExpression,
  ts.isArrayLiteralExpression,
  ts.isObjectLiteralExpression,
];
export const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isArrowFunction(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isMethodDeclaration(node);

export const ancestorsOf = function* (node: ts.Node): Generator<ts.Node> {
  for (let at = node; at; at = at.parent) yield at;
};

/** The outermost function, or else the constant, that contains the node. */
export const outermostOf = (node: ts.Node): FunctionNode | ts.Expression | undefined => {
  const around = [...ancestorsOf(node)];
  const constant = around.findLast((each) => ts.isVariableDeclaration(each)) as
    | ts.VariableDeclaration
    | undefined;
  const outer = around.findLast(isFunction);
  const value = constant?.initializer;
  return value &&
    around.includes(value) &&
    !isFunction(value) &&
    (!outer || around.indexOf(outer) < around.indexOf(value))
    ? value
    : outer;
};

export const isList = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** A branch that leaves the function cannot reach a statement behind it. */
export function alwaysEnds(node: ts.Node): boolean {
  const last = ts.isBlock(node) ? node.statements.at(-1) : node;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) ||
      ts.isThrowStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  );
}

/** Whether a part of the code may change a variable or a list. */
export const changesSomething = (node: ts.Node): boolean =>
  (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
  (ts.isPropertyAccessExpression(node) && node.name.text === 'push') ||
  Boolean(node.forEachChild((child) => changesSomething(child) || undefined));

/** The values of variables, by the number of their symbol. */
export type Frame = Map<number, unknown>;

export class Returned {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
/** The function throws, so the statement is not reached. */
export class Stopped extends Error {}

export function propertyOf(value: unknown, name: string, node: ts.Node): unknown {
  if (!(value instanceof Unknown))
    return value === null || value === undefined
      ? new Unknown(node)
      : (value as Record<string, unknown>)[name];
  if (!value.properties.has(name)) value.properties.set(name, new Unknown(node));
  return value.properties.get(name);
}

export function restOf(value: unknown, taken: readonly ts.BindingElement[]): unknown {
  if (value instanceof Unknown || value === null || value === undefined) return new Unknown(taken.at(-1)!);
  const names = taken.map(({ propertyName, name }) => (propertyName ?? name!).getText());
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

const { SyntaxKind: Kind } = ts;
const OPERATORS = new Map<ts.SyntaxKind, (a: never, b: never) => unknown>([
  [Kind.PlusToken, (a: number, b: number) => a + b],
  [Kind.MinusToken, (a: number, b: number) => a - b],
  [Kind.AsteriskToken, (a: number, b: number) => a * b],
  [Kind.SlashToken, (a: number, b: number) => a / b],
  [Kind.GreaterThanToken, (a: number, b: number) => a > b],
  [Kind.LessThanToken, (a: number, b: number) => a < b],
  [Kind.EqualsEqualsEqualsToken, (a: unknown, b: unknown) => a === b],
  [Kind.ExclamationEqualsEqualsToken, (a: unknown, b: unknown) => a !== b],
  [Kind.InKeyword, (a: string, b: object) => a in b],
]);

/** Undefined where the operator is not supported. */
export const operate = (operator: ts.SyntaxKind, left: unknown, right: unknown): unknown =>
  OPERATORS.get(operator)?.(left as never, right as never);

/** A statement as it was reached: its arguments, and the calls of callers by which it was reached. */
export interface Reached {
  args: unknown[];
  calls: readonly ts.CallExpression[];
}

/** The texts of a tagged template, and the expressions between them. */
export function templateOf({
  template,
}: ts.TaggedTemplateExpression): [TemplateStringsArray, ts.Expression[]] {
  const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
  const head = ts.isTemplateExpression(template) ? template.head : template;
  const texts = [head.text, ...spans.map(({ literal }) => literal.text)];
  return [Object.assign(texts, { raw: texts }), spans.map(({ expression }) => expression)];
}

const ofKnown =
  <Given>(make: (given: Given) => unknown) =>
  (given: unknown, call: ts.Expression): unknown =>
    given instanceof Unknown ? new Unknown(call) : make(given as Given);

/** The functions that make pieces of SQL: the server's own. */
export const PIECES: Readonly<Record<string, (given: unknown, call: ts.Expression) => unknown>> = {
  changes: ofKnown(changes),
  names: ofKnown(names),
  raw: ofKnown(raw),
  values: ofKnown(values),
};
