import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript/unstable/ast';
import { API, SignatureKind, type Type, TypeFlags } from 'typescript/unstable/sync';
import { prepare } from '../../server/src/platform/postgres/sql.ts';
import { Evaluator } from './evaluate.ts';
import { Source } from './source.ts';
import { type Kinds, kindReader } from './types.ts';
import { ancestorsOf, outermostOf, type Reached, Spread, templateOf, Unknown } from './values.ts';

export interface Place {
  file: string;
  line: number;
  /** The statement as it is written, in one line. */
  source: string;
}

/** A variant of a statement in the source. */
export type Statement =
  | (Place & {
      text: string;
      /** Whether columns come back in camelCase. */
      isCamelCase: boolean;
      /** By name of the column; undefined: no row type is claimed. */
      row: ReadonlyMap<string, Kinds> | undefined;
      parameters: (Kinds | undefined)[];
    })
  /** It could not be put together, for this reason. */
  | (Place & { unread: string });

const METHODS = ['rows', 'row', 'write', 'query'];
const CAMEL_CASE_METHODS = ['rows', 'row'];
const CALLERS_MAX = 3;

type Site = ts.TaggedTemplateExpression | ts.CallExpression;

/** Every statement in the files of the folder except tests, in all its variants. */
export function readStatements(
  root: string,
  source: string,
  isUnread: (place: Place) => boolean,
): Statement[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    const folder = join(root, source);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .sort();
    const typescript = new Source(project!);
    const evaluator = new Evaluator(typescript);
    const { checker } = typescript;
    const kindsOf = kindReader(checker);
    const sources = files.map((file) => ({
      file,
      node: project!.program.getSourceFile(join(folder, file))!,
    }));

    const sites: { file: string; node: Site }[] = [];
    const callsByName = new Map<string, ts.CallExpression[]>();
    for (const { file, node: whole } of sources) {
      const visit = (node: ts.Node): void => {
        if (isSite(node)) sites.push({ file, node });
        else if (ts.isCallExpression(node)) {
          const name = ts.isPropertyAccessExpression(node.expression)
            ? node.expression.name.text
            : node.expression.getText();
          callsByName.set(name, [...(callsByName.get(name) ?? []), node]);
        }
        node.forEachChild(visit);
      };
      visit(whole);
    }

    function isQueryable(node: ts.Node): boolean {
      const type = typescript.typeOf(node);
      return (
        type !== undefined &&
        ['isDistributed', 'escapeIdentifier', 'totalCount'].some((name) =>
          checker.getPropertyOfType(type, name),
        )
      );
    }
    function isSite(node: ts.Node): node is Site {
      if (!ts.isTaggedTemplateExpression(node) && !ts.isCallExpression(node)) return false;
      const callee = ts.isCallExpression(node) ? node.expression : node.tag;
      if (ts.isPropertyAccessExpression(callee))
        return METHODS.includes(callee.name.text) && isQueryable(callee.expression);
      return ts.isTaggedTemplateExpression(node) && isQueryable(callee);
    }

    /** Where a text depends on parameters of the function, that of each caller is read. */
    const reach = (target: Site, path: ts.Node[], depth = 0): Reached[] => {
      const start = outermostOf(path[0]!);
      if (!start) return [];
      const reached = evaluator.reach(target, start, path);
      if (depth === CALLERS_MAX || !reached.some(({ args }) => textOf(args) === undefined)) return reached;
      const name =
        (start as ts.FunctionDeclaration).name ??
        (
          [...ancestorsOf(start)].find((each) => ts.isVariableDeclaration(each)) as
            | ts.VariableDeclaration
            | undefined
        )?.name;
      if (!name || !ts.isIdentifier(name)) return reached;
      const symbol = typescript.symbolOf(name);
      const calls = (callsByName.get(name.text) ?? []).filter(
        ({ expression }) => typescript.symbolOf(expression) === symbol,
      );
      return calls.length === 0
        ? reached
        : calls.flatMap((call) => reach(target, [call, ...path], depth + 1));
    };

    /** The row type, where a type parameter stands for it that of the caller. */
    const rowOf = (
      node: Site,
      calls: readonly ts.CallExpression[],
    ): ReadonlyMap<string, Kinds> | undefined => {
      const signature = checker.getResolvedSignature(node);
      const result = signature && checker.getReturnTypeOfSignature(signature);
      let type = result && checker.getTypeArguments(result as never)[0];
      const rows = type && checker.getPropertyOfType(type, 'rows');
      if (rows) type = checker.getTypeOfSymbol(rows);
      if (type && checker.isArrayType(type)) type = checker.getTypeArguments(type as never)[0];
      return (
        type && propertiesOf(substituted(type, calls).map((each) => checker.getNonNullableType(each) ?? each))
      );
    };
    const substituted = (type: Type, calls: readonly ts.CallExpression[]): Type[] => {
      if (type.isIntersectionType()) return type.getTypes().flatMap((each) => substituted(each, calls));
      if (!(type.flags & TypeFlags.TypeParameter)) return [type];
      for (const call of calls) {
        const declared = typescript.symbolOf(call.expression);
        const general =
          declared && checker.getSignaturesOfType(checker.getTypeOfSymbol(declared)!, SignatureKind.Call)[0];
        const actual = checker.getResolvedSignature(call);
        const found =
          general &&
          actual &&
          given(type, checker.getReturnTypeOfSignature(general)!, checker.getReturnTypeOfSignature(actual)!);
        if (found) return [found];
      }
      return [type];
    };
    /** What stands in `actual` where `general` has the type parameter. */
    const given = (parameter: Type, general: Type, actual: Type): Type | undefined => {
      if (general.id === parameter.id) return actual;
      const [of, to] = [general, actual].map((type) =>
        type.isObjectType() ? checker.getTypeArguments(type as never) : [],
      );
      for (const [index, each] of of!.entries()) {
        const found = to![index] && given(parameter, each, to![index]);
        if (found) return found;
      }
      return undefined;
    };
    const rowTypes = new Map<string, ReadonlyMap<string, Kinds> | undefined>();
    const propertiesOf = (types: readonly Type[]): ReadonlyMap<string, Kinds> | undefined => {
      const key = types.map(({ id }) => id).join();
      if (!rowTypes.has(key)) {
        const properties = types.flatMap((type) => [...checker.getPropertiesOfType(type)]);
        const kinds = properties.map(
          (property) => [property.name, kindsOf(checker.getTypeOfSymbol(property)!)] as const,
        );
        const isOpen = types.some((type) => checker.getIndexInfosOfType(type).length > 0);
        rowTypes.set(key, kinds.length === 0 || isOpen ? undefined : new Map(kinds));
      }
      return rowTypes.get(key);
    };

    return sites.flatMap(({ file, node }) => {
      const place = {
        file,
        line: node.getSourceFile().text.slice(0, node.getStart()).split('\n').length,
        source: node.getText().replace(/\s+/g, ' '),
      };
      const unread = (why: string): Statement[] => [{ ...place, unread: why }];
      if (isUnread(place)) return [];
      try {
        const reached = isPlain(node) ? [{ args: plainArguments(node), calls: [] }] : reach(node, [node]);
        if (reached.length === 0) return unread('the statement is not reached');
        const statements = reached.flatMap(({ args, calls }): Statement[] => {
          const text = textOf(args);
          if (text === undefined)
            return unread(
              unknownIn(args) ? `not known: ${unknownIn(args)!.because.getText()}` : 'not a text',
            );
          return [
            {
              ...{ ...place, text, isCamelCase: isCamelCase(node) },
              ...{ row: rowOf(node, calls), parameters: parametersOf(args).map(kindsOfValue) },
            },
          ];
        });
        return [
          ...new Map(statements.map((each) => ['text' in each ? each.text : each.unread, each])).values(),
        ];
      } catch (error) {
        return unread((error as Error).message);
      }
    });

    /** A text in which only values vary needs no interpreter. */
    function isPlain(node: Site): node is ts.TaggedTemplateExpression {
      if (!ts.isTaggedTemplateExpression(node)) return false;
      return !templateOf(node)[1].some((expression) => typescript.isPiece(expression));
    }
    /** What makes the text unknown: the text itself, or a piece of it. */
    function unknownIn([first, ...rest]: unknown[]): Unknown | undefined {
      if (first instanceof Unknown) return first;
      const values = Array.isArray(first) ? prepare(first, rest).values : [];
      return values.find((value) => value instanceof Unknown && typescript.isPiece(value.node)) as
        | Unknown
        | undefined;
    }
    function textOf(args: unknown[]): string | undefined {
      if (unknownIn(args)) return undefined;
      const [first, ...rest] = args as [{ text?: unknown } | string | string[] | undefined, ...unknown[]];
      if (Array.isArray(first)) return prepare(first, rest).text;
      const text = typeof first === 'string' ? first : first?.text;
      return typeof text === 'string' ? text : undefined;
    }

    function kindsOfValue(value: unknown): Kinds | undefined {
      if (value instanceof Unknown) {
        const type = typescript.typeOf(value.node);
        return type && kindsOf(type);
      }
      if (value === null) return new Set(['null']);
      if (Array.isArray(value))
        return new Set(value.flatMap((each) => [...(kindsOfValue(each) ?? [])]).map((kind) => `${kind}[]`));
      return new Set([typeof value]);
    }
  } finally {
    api.close();
  }
}

function isCamelCase(node: Site): boolean {
  const callee = ts.isCallExpression(node) ? node.expression : node.tag;
  return ts.isPropertyAccessExpression(callee) && CAMEL_CASE_METHODS.includes(callee.name.text);
}

function plainArguments(node: ts.TaggedTemplateExpression): unknown[] {
  const [strings, expressions] = templateOf(node);
  return [strings, ...expressions.map((expression) => new Unknown(expression))];
}

/** Undefined where the number of values is not known. */
function parametersOf([first, ...rest]: unknown[]): unknown[] {
  const values = Array.isArray(first) ? prepare(first, rest).values : rest[0];
  if (!Array.isArray(values)) return [];
  const end = values.findIndex((value) => value instanceof Spread);
  return end === -1 ? values : values.slice(0, end);
}
