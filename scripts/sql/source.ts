import * as ts from 'typescript/unstable/ast';
import {
  type Checker,
  type Symbol as Name,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';

/** What TypeScript knows about the source. Each answer is kept, because it comes from another process. */
export class Source {
  readonly project: Project;
  readonly checker: Checker;
  readonly #symbols = new Map<ts.Node, Name | undefined>();
  readonly #literals = new Map<ts.Node, readonly (string | null)[]>();
  readonly #texts = new Map<ts.Node, string>();
  readonly #types = new Map<ts.Node, Type | undefined>();

  constructor(project: Project) {
    this.project = project;
    this.checker = project.checker;
  }

  declarationOf(symbol: Name): ts.Node | undefined {
    return symbol.valueDeclaration?.resolve(this.project);
  }

  symbolOf(node: ts.Node): Name | undefined {
    if (!this.#symbols.has(node)) {
      let symbol =
        ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
          ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
          : this.checker.getSymbolAtLocation(node);
      if (symbol && symbol.flags & SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol);
      this.#symbols.set(node, symbol);
    }
    return this.#symbols.get(node);
  }

  typeOf(node: ts.Node): Type | undefined {
    if (!this.#types.has(node)) this.#types.set(node, this.checker.getTypeAtLocation(node));
    return this.#types.get(node);
  }

  /** Whether an expression is, or may be, a piece of SQL with values of its own. */
  isPiece(node: ts.Node): boolean {
    const type = this.typeOf(node);
    const members = type?.isUnionType() ? type.getTypes() : type ? [type] : [];
    return members.some((each) => each.getSymbol()?.name === 'Sql');
  }

  /** The texts that an expression can be, by its type, and null. */
  literalsOf(node: ts.Node): readonly (string | null)[] {
    let found = this.#literals.get(node);
    if (!found) {
      const type = this.typeOf(node);
      const members = type?.isUnionType() ? type.getTypes() : type ? [type] : [];
      found = members.flatMap((each) =>
        each.isStringLiteralType() ? [each.value as string] : each.flags & TypeFlags.Null ? [null] : [],
      );
      if (found.length < members.length) found = [];
      this.#literals.set(node, found);
    }
    return found;
  }

  textOf(node: ts.Node & { text: string }): string {
    const known = this.#texts.get(node);
    if (known !== undefined) return known;
    const { text } = node;
    this.#texts.set(node, text);
    return text;
  }

  /** Any number stands for an unknown one, in a limit for instance. */
  isNumber(node: ts.Node): boolean {
    return Boolean((this.typeOf(node)?.flags ?? 0) & TypeFlags.NumberLike);
  }
}
