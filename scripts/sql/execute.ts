import * as ts from 'typescript/unstable/ast';
import type { Choices } from './choices.ts';
import type { Source } from './source.ts';
import {
  alwaysEnds,
  changesSomething,
  type Frame,
  type FunctionNode,
  type Invokable,
  isList,
  propertyOf,
  Returned,
  restOf,
  Stopped,
  Unknown,
} from './values.ts';

/** The parts of a run that statements of the program use. */
interface Run {
  readonly source: Source;
  readonly choices: Choices;
  evaluate(node: ts.Node, frame: Frame): unknown;
  closure(node: FunctionNode, frame: Frame): Invokable;
  isOnPath(this: void, node: ts.Node | undefined): boolean;
}

/** Gives the variables of a name or pattern their values. */
export function bind(
  run: Run,
  name: ts.Node,
  given: unknown,
  frame: Frame,
  initializer?: ts.Expression,
): void {
  const value = given === undefined && initializer ? run.evaluate(initializer, frame) : given;
  if (ts.isIdentifier(name)) {
    const symbol = run.source.symbolOf(name);
    if (symbol) frame.set(symbol.id, value);
  } else if (ts.isObjectBindingPattern(name)) {
    for (const element of name.elements) {
      const key = element.propertyName ?? element.name!;
      const found = element.dotDotDotToken
        ? restOf(value, name.elements)
        : propertyOf(value, key.getText(), element.name!);
      bind(run, element.name!, found, frame, element.initializer);
    }
  } else if (ts.isArrayBindingPattern(name)) {
    for (const [index, element] of name.elements.entries())
      if (ts.isBindingElement(element) && element.name)
        bind(run, element.name, propertyOf(value, String(index), element.name), frame, element.initializer);
  }
}

/** Executes the statements of a block; answers with a `Returned` where the function ends in it. */
export function runBlock(run: Run, statements: readonly ts.Statement[], frame: Frame): unknown {
  for (const statement of statements)
    if (ts.isFunctionDeclaration(statement))
      frame.set(run.source.symbolOf(statement.name!)!.id, run.closure(statement, frame));
  for (const statement of statements) {
    const done = runStatement(run, statement, frame);
    if (done instanceof Returned) return done;
  }
  return undefined;
}

/** Branches that cannot reach the statement are taken only if they may change what it consists of. */
function runStatement(run: Run, node: ts.Node, frame: Frame): unknown {
  if (ts.isVariableStatement(node)) {
    for (const each of node.declarationList.declarations)
      bind(run, each.name, each.initializer && run.evaluate(each.initializer, frame), frame);
  } else if (ts.isExpressionStatement(node)) run.evaluate(node.expression, frame);
  else if (ts.isReturnStatement(node))
    return new Returned(node.expression && run.evaluate(node.expression, frame));
  else if (ts.isBlock(node)) return runBlock(run, node.statements, frame);
  else if (ts.isIfStatement(node)) {
    const condition = run.evaluate(node.expression, frame);
    // A branch that ends the function around the statement does not reach it.
    const isAside =
      condition instanceof Unknown && run.isOnPath(node.parent) && alwaysEnds(node.thenStatement);
    const isElse = run.isOnPath(node.elseStatement) || isAside;
    const wanted = run.isOnPath(node.thenStatement) ? true : isElse ? false : undefined;
    if (wanted === undefined && condition instanceof Unknown && !changesSomething(node)) return undefined;
    if (run.choices.decide(condition, wanted)) return runStatement(run, node.thenStatement, frame);
    return node.elseStatement && runStatement(run, node.elseStatement, frame);
  } else if (ts.isForOfStatement(node)) {
    const items = run.evaluate(node.expression, frame);
    const declared = ts.isVariableDeclarationList(node.initializer)
      ? node.initializer.declarations[0]!.name
      : undefined;
    for (const item of isList(items) ? items : [new Unknown(declared ?? node)]) {
      if (declared) bind(run, declared, item, frame);
      const done = runStatement(run, node.statement, frame);
      if (done instanceof Returned) return done;
    }
  } else if (ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) {
    if (ts.isForStatement(node) && node.initializer && ts.isVariableDeclarationList(node.initializer))
      for (const each of node.initializer.declarations) bind(run, each.name, new Unknown(each.name), frame);
    return runStatement(run, node.statement, frame);
  } else if (ts.isTryStatement(node)) {
    const part = [node.catchClause?.block, node.finallyBlock].find(run.isOnPath) ?? node.tryBlock;
    return runStatement(run, part, frame);
  } else if (ts.isSwitchStatement(node)) {
    const clause = node.caseBlock.clauses.find(run.isOnPath) ?? run.choices.choose(node.caseBlock.clauses);
    return runBlock(run, clause.statements, frame);
  } else if (ts.isThrowStatement(node)) throw new Stopped();
  return undefined;
}
