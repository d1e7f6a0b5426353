import { meanings } from './fieldMeanings.ts';
import { type LimitedSchema, limitsOf, typeInWords } from './fieldTypes.ts';
import { type Language, table } from './language.ts';
import type { Meaning } from './meaning.ts';

/** An object that several endpoints share; its fields are listed once, in its section. */
export interface Resource {
  name: Readonly<Record<Language, string>>;
  section: string;
  schema: LimitedSchema;
  /** The operation from which it is taken. */
  operation: string;
  isRequest?: boolean;
  /** Where the object is within that operation; absent: the whole body or `data`. */
  path?: string;
  /** Its fields are listed by that operation itself, and not in a block of their own. */
  isInPlace?: boolean;
}

/** The names of meanings that some table used. */
export const usedMeanings = new Set<string>();

const words = {
  allOf: { en: 'all fields of: ', pt: 'todos os campos de: ' },
  in: { en: ' (section ', pt: ' (seção ' },
  listOf: { en: 'list: ', pt: 'lista: ' },
  absent: { en: ', may be absent', pt: ', pode faltar' },
  yes: { en: 'yes', pt: 'sim' },
  field: { en: 'field', pt: 'campo' },
  type: { en: 'type', pt: 'tipo' },
  required: { en: 'required', pt: 'obrigatório' },
  meaning: { en: 'meaning', pt: 'significado' },
  utcOf: { en: 'the same in UTC', pt: 'o mesmo em UTC' },
} satisfies Record<string, Readonly<Record<Language, string>>>;

interface Row {
  field: string;
  type: string;
  isRequired: boolean;
  meaning: string;
}

/** Writes the tables of one operation's fields. */
export class FieldTables {
  readonly #language: Language;
  readonly #resources: readonly Resource[];

  constructor(language: Language, resources: readonly Resource[]) {
    this.#language = language;
    this.#resources = resources;
  }

  ofRequest(operation: string, schema: LimitedSchema): string {
    const known = this.#same(schema);
    if (known && !isOwn(known, operation)) return this.#reference(known);
    return this.#requestTable(this.#rowsOf(operation, schema, '', true, known));
  }

  ofAnswer(operation: string, schema: LimitedSchema): string {
    const known = this.#same(schema);
    if (known && !isOwn(known, operation)) return this.#reference(known);
    return this.#answerTable(this.#rowsOf(operation, schema, '', false, known));
  }

  ofResource(resource: Resource): string {
    const { operation, schema, isRequest } = resource;
    const rows = this.#rowsOf(operation, schema, '', isRequest ?? false, resource);
    return isRequest ? this.#requestTable(rows) : this.#answerTable(rows);
  }

  #requestTable(rows: readonly Row[]): string {
    return this.#table(
      ['field', 'type', 'required', 'meaning'],
      rows.map(({ field, type, isRequired, meaning }) => [
        field,
        type,
        isRequired ? words.yes[this.#language] : '',
        meaning,
      ]),
    );
  }

  #answerTable(rows: readonly Row[]): string {
    return this.#table(
      ['field', 'type', 'meaning'],
      rows.map(({ field, type, isRequired, meaning }) => [
        field,
        type + (isRequired ? '' : words.absent[this.#language]),
        meaning,
      ]),
    );
  }

  #table(head: readonly (keyof typeof words)[], rows: readonly (readonly string[])[]): string {
    return table(
      head.map((name) => words[name][this.#language]),
      rows,
    );
  }

  #same(schema: LimitedSchema, self?: Resource): Resource | undefined {
    const text = JSON.stringify(schema);
    return this.#resources.find((resource) => resource !== self && JSON.stringify(resource.schema) === text);
  }

  #reference({ name, section }: Resource): string {
    return `${name[this.#language]}${words.in[this.#language]}${section})`;
  }

  #rowsOf(
    operation: string,
    { properties = {}, required = [] }: LimitedSchema,
    path: string,
    isRequest: boolean,
    self: Resource | undefined,
  ): Row[] {
    // Fields that a resource has too are not listed again.
    const included = path === '' && self ? undefined : this.#includedIn(properties, isRequest);
    const shared = included?.schema.properties ?? {};
    const rows = Object.entries(properties)
      .filter(([name, schema]) => JSON.stringify(shared[name]) !== JSON.stringify(schema))
      .flatMap(([name, schema]) =>
        this.#rowsOfField(
          { operation, isRequest, self },
          path ? `${path}.${name}` : name,
          schema,
          required.includes(name),
        ),
      );
    if (!included) return rows;
    return [
      {
        field: path ? `\`${path}\`` : '',
        type: '',
        isRequired: true,
        meaning: words.allOf[this.#language] + this.#reference(included),
      },
      ...rows,
    ];
  }

  #includedIn(properties: Record<string, LimitedSchema>, isRequest: boolean): Resource | undefined {
    return this.#resources.find(
      ({ schema, isRequest: isRequested = false }) =>
        isRequested === isRequest &&
        Object.keys(schema.properties!).length >= 5 &&
        Object.keys(schema.properties!).every((name) => name in properties) &&
        Object.entries(schema.properties!).some(
          ([name, each]) => name === 'id' || JSON.stringify(each) === JSON.stringify(properties[name]),
        ),
    );
  }

  #rowsOfField(
    context: { operation: string; isRequest: boolean; self: Resource | undefined },
    path: string,
    schema: LimitedSchema,
    isRequired: boolean,
  ): Row[] {
    const { operation, isRequest, self } = context;
    const meaning = this.#meaningOf(operation, self?.path ? `${self.path}.${path}` : path, schema);
    const inner = partsOf(schema);
    const known = inner.object && this.#same(inner.object, self);
    const type = known
      ? (inner.isList ? words.listOf[this.#language] : '') +
        this.#reference(known) +
        (inner.isList && isRequest ? `, ${limitsOf(schema, this.#language)}` : '') +
        (inner.isNullable && !isRequest ? ' / null' : '')
      : typeInWords(schema, this.#language, isRequest);
    const own: Row = { field: `\`${path}\``, type, isRequired, meaning };
    if (!inner.object || known || !inner.object.properties) return [own];
    const below = this.#rowsOf(operation, inner.object, inner.isList ? `${path}[]` : path, isRequest, self);
    return [own, ...below];
  }

  #meaningOf(operation: string, path: string, schema: LimitedSchema): string {
    const plain = path.replaceAll('[]', '');
    const name = plain.split('.').at(-1)!;
    const parent = plain.split('.').slice(-2).join('.');
    const keys = [`${operation}:${plain}`, `${operation}:${name}`, parent, name];
    const key = keys.find((each) => each in meanings);
    if (name.endsWith('_utc')) return words.utcOf[this.#language];
    if (!key) throw new Error(`fieldMeanings.ts lacks ${keys.join(' or ')}`);
    usedMeanings.add(key);
    const [english, portuguese]: Meaning = meanings[key]!;
    if (this.#language === 'en') return english;
    const own = portuguese ?? descriptionOf(schema);
    if (!own) throw new Error(`fieldMeanings.ts lacks the Portuguese of ${key} (${operation}: ${path})`);
    return own;
  }
}

const isOwn = (resource: Resource, operation: string): boolean =>
  resource.isInPlace === true && resource.operation === operation;

const descriptionOf = ({ description, anyOf = [] }: LimitedSchema): string | undefined =>
  description ?? anyOf.map((each) => each.description).find(Boolean);

/** The object within a field, be it the value itself, an item of a list, or null otherwise. */
function partsOf(schema: LimitedSchema): {
  object: LimitedSchema | undefined;
  isList: boolean;
  isNullable: boolean;
} {
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false;
  const value = isNullable ? schema.anyOf!.find(({ type }) => type !== 'null')! : schema;
  const isList = value.type === 'array';
  const item = isList ? value.items! : value;
  return { object: item.type === 'object' ? item : undefined, isList, isNullable };
}
