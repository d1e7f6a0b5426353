import * as ts from 'typescript/unstable/ast';
import { sql } from '../../server/src/platform/postgres/sql.ts';
import { Choices } from './choices.ts';
import { bind, runBlock } from './execute.ts';
import type { Source } from './source.ts';
import {
  ancestorsOf,
  type Frame,
  type FunctionNode,
  type Invokable,
  isFunction,
  isList,
  MAKERS,
  operate,
  PIECES,
  propertyOf,
  type Reached,
  Returned,
  Spread,
  Stopped,
  templateOf,
  Unknown,
} from './values.ts';

/*
 * Puts together the text of an SQL statement without running the program: the functions around the statement are
 * interpreted, with unknown parameters. Where an unknown value decides (a condition, a key of a table of constants), the
 * interpretation is repeated for each possibility, so a statement has one text for each of its variants.
 */

const DEPTH_MAX = 40;
const STEPS_MAX = 100_000;

export class Evaluator {
  readonly source: Source;
  readonly choices: Choices;
  /** Constants that are the same in every run. */
  readonly #fixed: Frame = new Map();
  #target!: ts.Node;
  #path = new Set<ts.Node>();

  // The state of one run.
  #depth = 0;
  #steps = 0;
  #constants: Frame = new Map();
  #calls: ts.CallExpression[] = [];
  #made = new Map<Invokable, boolean>();
  #reached: Reached[] = [];

  constructor(source: Source) {
    this.source = source;
    this.choices = new Choices(source);
  }

  /** All ways in which the statement can be reached from `start`, through the calls on `path`. */
  reach(target: ts.Node, start: FunctionNode | ts.Expression, path: readonly ts.Node[]): Reached[] {
    this.#target = target;
    this.#path = new Set(path.flatMap((node) => [...ancestorsOf(node)]));
    const all: Reached[] = [];
    this.choices.forEach(path.length > 1 ? 1 : 2, () => {
      this.#depth = 0;
      this.#steps = 0;
      this.#constants = new Map();
      this.#calls = [];
      this.#made = new Map();
      this.#reached = [];
      try {
        const result = isFunction(start) ? this.closure(start, new Map()) : this.evaluate(start, new Map());
        if (isFunction(start)) (result as Invokable)();
        for (const [made, isCalled] of this.#made) if (!isCalled) made();
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
      }
      all.push(...this.#reached);
    });
    return all;
  }

  readonly isOnPath = (node: ts.Node | undefined): boolean => node !== undefined && this.#path.has(node);

  closure(node: FunctionNode, frame: Frame): Invokable {
    const invoke: Invokable = (...args) => {
      if (this.#depth >= DEPTH_MAX) return new Unknown(node);
      if (this.#made.has(invoke)) this.#made.set(invoke, true);
      const own: Frame = new Map(frame);
      this.#depth += 1;
      try {
        for (const [index, parameter] of node.parameters.entries()) {
          const isGiven =
            index < args.length || (parameter.initializer && this.choices.choose([true, false]));
          const given = !isGiven
            ? new Unknown(parameter.name)
            : parameter.dotDotDotToken
              ? args.slice(index)
              : args[index];
          bind(this, parameter.name, given, own, parameter.initializer);
        }
        if (!node.body) return new Unknown(node);
        if (!ts.isBlock(node.body)) return this.evaluate(node.body, own);
        const done = runBlock(this, node.body.statements, own);
        return done instanceof Returned ? done.value : undefined;
      } finally {
        this.#depth -= 1;
      }
    };
    invoke.node = node;
    if (this.isOnPath(node)) this.#made.set(invoke, false);
    return invoke;
  }

  /** Whether an expression may be, or contain, a piece of text. */
  #makesText(node: ts.Node, frame: Frame): boolean {
    if (MAKERS.some((isMaker) => isMaker(node))) return true;
    if (ts.isPropertyAccessExpression(node)) return this.#makesText(node.expression, frame);
    if (ts.isIdentifier(node)) {
      const value = this.#identifier(node, frame);
      return (
        typeof value === 'string' ||
        (typeof value === 'object' && value !== null && !(value instanceof Unknown))
      );
    }
    return Boolean(node.forEachChild((child) => this.#makesText(child, frame) || undefined));
  }

  evaluate(node: ts.Node, frame: Frame): unknown {
    if (++this.#steps > STEPS_MAX) throw new Error('too many steps');
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return this.source.textOf(node);
    if (ts.isNumericLiteral(node)) return Number(this.source.textOf(node).replaceAll('_', ''));
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (node.kind === ts.SyntaxKind.NullKeyword) return null;
    if (ts.isIdentifier(node)) return this.#identifier(node, frame);
    if (ts.isTemplateExpression(node)) {
      let text = this.source.textOf(node.head);
      for (const span of node.templateSpans) {
        const value = this.choices.settle(this.evaluate(span.expression, frame));
        if (value instanceof Unknown && this.source.isNumber(span.expression))
          text += `1${this.source.textOf(span.literal)}`;
        else if (value instanceof Unknown) return new Unknown(node, value.because);
        else text += `${String(value)}${this.source.textOf(span.literal)}`;
      }
      return text;
    }
    if (ts.isTaggedTemplateExpression(node)) return this.#tagged(node, frame);
    if (ts.isCallExpression(node)) return this.#call(node, frame);
    if (isFunction(node)) return this.closure(node, frame);
    if (ts.isConditionalExpression(node)) {
      const wanted = this.isOnPath(node.whenTrue) ? true : this.isOnPath(node.whenFalse) ? false : undefined;
      const condition = this.evaluate(node.condition, frame);
      if (
        wanted === undefined &&
        condition instanceof Unknown &&
        !this.#makesText(node.whenTrue, frame) &&
        !this.#makesText(node.whenFalse, frame)
      )
        return new Unknown(node);
      const holds = this.choices.decide(condition, wanted);
      return this.evaluate(holds ? node.whenTrue : node.whenFalse, frame);
    }
    if (ts.isArrayLiteralExpression(node))
      return node.elements.flatMap((element) => {
        if (!ts.isSpreadElement(element)) return [this.evaluate(element, frame)];
        const items = this.evaluate(element.expression, frame);
        return isList(items) ? [...items] : [new Spread(element)];
      });
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, frame);
    if (ts.isPropertyAccessExpression(node))
      return this.#access(node, this.evaluate(node.expression, frame), node.name.text);
    if (ts.isElementAccessExpression(node)) {
      const owner = this.evaluate(node.expression, frame);
      const key = this.choices.settle(this.evaluate(node.argumentExpression, frame));
      return owner instanceof Unknown || key instanceof Unknown
        ? new Unknown(node)
        : this.#access(node, owner, String(key));
    }
    if (ts.isBinaryExpression(node)) return this.#binary(node, frame);
    if (ts.isPrefixUnaryExpression(node)) {
      const value = this.evaluate(node.operand, frame);
      if (node.operator === ts.SyntaxKind.ExclamationToken) return !this.choices.decide(value);
      return value instanceof Unknown ? new Unknown(node) : -Number(value);
    }
    if (ts.isAwaitExpression(node)) {
      const value = this.evaluate(node.expression, frame);
      return value instanceof Unknown ? new Unknown(node) : value;
    }
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isSatisfiesExpression(node)
    )
      return this.evaluate(node.expression, frame);
    return this.#within(node, frame);
  }

  /** The value is of no use, but the statement may be inside. */
  #within(node: ts.Node, frame: Frame): Unknown {
    node.forEachChild((child) => {
      if (this.isOnPath(child)) this.evaluate(child, frame);
    });
    return new Unknown(node);
  }

  #identifier(node: ts.Identifier, frame: Frame): unknown {
    const name = this.source.textOf(node);
    if (name === 'undefined') return undefined;
    if (name === 'Object' || name === 'JSON' || name === 'String' || name === 'Math') return globalThis[name];
    const symbol = this.source.symbolOf(node);
    if (!symbol) return new Unknown(node);
    if (frame.has(symbol.id)) return frame.get(symbol.id);
    if (this.#constants.has(symbol.id)) return this.#constants.get(symbol.id);
    if (this.#fixed.has(symbol.id)) return this.#fixed.get(symbol.id);
    const [at, reached] = [this.choices.count, this.#reached.length];
    const declared = this.source.declarationOf(symbol);
    let value: unknown = new Unknown(node);
    if (declared && isFunction(declared)) value = this.closure(declared, new Map());
    else if (
      declared &&
      ts.isVariableDeclaration(declared) &&
      declared.initializer &&
      declared.parent.flags & ts.NodeFlags.Const
    ) {
      if (ts.isIdentifier(declared.name)) value = this.evaluate(declared.initializer, new Map());
    } else if (declared && ts.isBindingElement(declared)) {
      const root = [...ancestorsOf(declared)].find((each) => ts.isVariableDeclaration(each)) as
        | ts.VariableDeclaration
        | undefined;
      if (root?.initializer && !ts.isIdentifier(root.name)) {
        bind(this, root.name, this.evaluate(root.initializer, new Map()), this.#constants);
        return this.#constants.get(symbol.id);
      }
    }
    const isFixed =
      this.choices.count === at &&
      reached === 0 &&
      this.#reached.length === 0 &&
      !(declared && this.isOnPath(declared));
    (isFixed ? this.#fixed : this.#constants).set(symbol.id, value);
    return value;
  }

  #object(node: ts.ObjectLiteralExpression, frame: Frame): unknown {
    const made: Record<string, unknown> = {};
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.evaluate(property.expression, frame);
        if (spread && typeof spread === 'object' && !(spread instanceof Unknown)) Object.assign(made, spread);
      } else if (ts.isShorthandPropertyAssignment(property))
        made[property.name.getText()] = this.#identifier(property.name as ts.Identifier, frame);
      else if (ts.isMethodDeclaration(property))
        made[property.name.getText()] = this.closure(property, frame);
      else if (ts.isPropertyAssignment(property)) {
        const { name } = property;
        const key = ts.isComputedPropertyName(name)
          ? this.choices.settle(this.evaluate(name.expression, frame))
          : ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)
            ? name.text
            : name.getText();
        made[String(key)] = this.evaluate(property.initializer, frame);
      }
    }
    return made;
  }

  #access(node: ts.Node, owner: unknown, name: string): unknown {
    if (owner instanceof Unknown) return propertyOf(owner, name, node);
    if (owner === null || owner === undefined) return owner === undefined ? undefined : new Unknown(node);
    const found = (owner as Record<string, unknown>)[name];
    return typeof found === 'function' && !('node' in found) ? (found as Invokable).bind(owner) : found;
  }

  #binary(node: ts.BinaryExpression, frame: Frame): unknown {
    const { SyntaxKind: Kind } = ts;
    const operator = node.operatorToken.kind;
    if (operator === Kind.EqualsToken) {
      const value = this.evaluate(node.right, frame);
      const symbol = ts.isIdentifier(node.left) ? this.source.symbolOf(node.left) : undefined;
      if (symbol) frame.set(symbol.id, value);
      return value;
    }
    let left = this.evaluate(node.left, frame);
    if (operator === Kind.AmpersandAmpersandToken) {
      const wanted = this.isOnPath(node.right) ? true : undefined;
      return this.choices.decide(left, wanted)
        ? this.evaluate(node.right, frame)
        : left instanceof Unknown
          ? false
          : left;
    }
    if (operator === Kind.BarBarToken)
      return !(left instanceof Unknown) && left
        ? left
        : !(left instanceof Unknown) || this.isOnPath(node.right)
          ? this.evaluate(node.right, frame)
          : this.#within(node, frame);
    if (operator === Kind.QuestionQuestionToken) {
      if (left instanceof Unknown)
        return this.isOnPath(node.right) ? this.evaluate(node.right, frame) : new Unknown(node);
      return left ?? this.evaluate(node.right, frame);
    }
    let right = this.evaluate(node.right, frame);
    if (
      operator === Kind.EqualsEqualsEqualsToken ||
      operator === Kind.ExclamationEqualsEqualsToken ||
      operator === Kind.InKeyword
    ) {
      left = this.choices.settle(left);
      right = this.choices.settle(right);
    }
    if (left instanceof Unknown || right instanceof Unknown) return new Unknown(node);
    const result = operate(operator, left, right);
    return result === undefined ? new Unknown(node) : result;
  }

  #tagged(node: ts.TaggedTemplateExpression, frame: Frame): unknown {
    const [strings, expressions] = templateOf(node);
    const values = expressions.map((expression) => this.evaluate(expression, frame));
    if (node === this.#target)
      return this.#note(
        [
          strings,
          ...values.map((value, index) =>
            value instanceof Unknown ? new Unknown(expressions[index]!) : value,
          ),
        ],
        node,
      );
    return this.source.isPiece(node) ? sql(strings, ...values) : new Unknown(node);
  }

  #note(args: unknown[], node: ts.Node): Unknown {
    this.choices.isOver = true;
    this.#reached.push({ args, calls: [...this.#calls] });
    return new Unknown(node);
  }

  #call(node: ts.CallExpression, frame: Frame): unknown {
    const { expression } = node;
    const args = (): unknown[] =>
      node.arguments.flatMap((each) => {
        if (!ts.isSpreadElement(each)) return [this.evaluate(each, frame)];
        const items = this.evaluate(each.expression, frame);
        return isList(items) ? [...items] : [new Spread(each)];
      });
    if (node === this.#target) {
      if (ts.isPropertyAccessExpression(expression)) this.evaluate(expression.expression, frame);
      return this.#note(args(), node);
    }
    const makePiece = node.arguments.length === 1 && PIECES[expression.getText()];
    if (makePiece) return makePiece(args()[0], node);
    const isMethod = ts.isPropertyAccessExpression(expression);
    const owner = isMethod ? this.evaluate(expression.expression, frame) : undefined;
    const callee = isMethod
      ? this.#access(expression, owner, expression.name.text)
      : this.evaluate(expression, frame);
    if (typeof callee !== 'function') return this.#callUnknown(node, owner, args());
    const { node: body } = callee as Invokable;
    // Functions of other files that wait do not make texts.
    const isElsewhere = body && !this.isOnPath(body) && body.getSourceFile() !== node.getSourceFile();
    if (isElsewhere && body.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) {
      return this.#callUnknown(node, undefined, args());
    }
    const given = args();
    const method = isMethod ? expression.name.text : '';
    // `push` changes a list of which not all is known; other methods would read it.
    const needed =
      body || method === 'push'
        ? []
        : method === 'join'
          ? owner
          : Array.isArray(owner)
            ? owner.filter((each) => each instanceof Spread)
            : given;
    if (isList(needed) && [...needed].some((each) => each instanceof Unknown))
      return this.#callUnknown(node, owner, given);
    if (body) {
      this.#calls.push(node);
      while (given.length < body.parameters.length) given.push(undefined);
    }
    try {
      return (callee as Invokable)(...given);
    } catch (error) {
      if (error instanceof Stopped || body) throw error;
      return new Unknown(node);
    } finally {
      if (body) this.#calls.pop();
    }
  }

  /** A function that is given to unknown code is called once; what maps an unknown list gives one element. */
  #callUnknown(node: ts.CallExpression, owner: unknown, args: unknown[]): unknown {
    const method = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : '';
    const [first] = args as [Invokable];
    if ((owner instanceof Unknown || Array.isArray(owner)) && typeof first === 'function' && method === 'map')
      return [first(new Unknown(first.node?.parameters[0]?.name ?? node), 0)];
    for (const each of args as Invokable[])
      if (typeof each === 'function' && this.isOnPath(each.node)) each();
    return new Unknown(node);
  }
}
