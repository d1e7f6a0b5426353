import type { Client } from 'pg';

/**
 * The schema `public` as SQL, read from the catalog: sorted by kind and name, so that two databases with the same
 * schema give the same text whatever the order of their migrations, on PostgreSQL 15 to 18. Each table is followed by
 * its indexes and triggers, functions come last. Comments stand above what they describe.
 */
export async function describeSchema(client: Client): Promise<string> {
  const texts = async (sql: string): Promise<string[]> =>
    (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text.trim());
  const parts = [
    (await texts(EXTENSIONS)).join('\n'),
    (await texts(TYPES)).join('\n'),
    (await texts(SEQUENCES)).join('\n'),
    ...(await client.query<TableRow>(TABLES)).rows.map(describeTable),
    ...(await texts(VIEWS)),
    ...(await client.query<{ text: string; comment: string | null }>(FUNCTIONS)).rows.map(
      ({ text, comment }) => `${commentLines(comment)}${text}`,
    ),
    (await texts(OTHER_COMMENTS)).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

interface TableRow {
  name: string;
  unlogged: boolean;
  comment: string | null;
  columns: { text: string; comment: string | null }[];
  constraints: string[];
  ending: string;
  indexes: string[];
  triggers: string[];
}

function describeTable(table: TableRow): string {
  const lines = [
    ...table.columns.map(({ text, comment }) => ({ text, comment })),
    ...table.constraints.map((text) => ({ text, comment: null })),
  ];
  const body = lines.map(
    ({ text, comment }, index) =>
      `${commentLines(comment, '  ')}  ${text}${index < lines.length - 1 ? ',' : ''}\n`,
  );
  return [
    `${commentLines(table.comment)}create ${table.unlogged ? 'unlogged ' : ''}table ${table.name} (\n${body.join('')})${table.ending};`,
    ...table.indexes,
    ...table.triggers,
  ].join('\n');
}

const COMMENT_WIDTH = 116;

/** A comment of the catalog as SQL comment lines, each ended by a line break. */
function commentLines(comment: string | null, indent = ''): string {
  if (comment === null) return '';
  const lines: string[] = [];
  for (const word of comment.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + word.length < COMMENT_WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${indent}-- ${line}\n`).join('');
}

const EXTENSIONS = `
  select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql' order by extname`;

const TYPES = `
  select case t.typtype
    when 'e' then format('create type %I as enum (%s);', t.typname,
      (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
    when 'd' then concat_ws(' ', format('create domain %I as %s', t.typname, format_type(t.typbasetype, t.typtypmod)),
      case when t.typnotnull then 'not null' end, 'default ' || t.typdefault,
      (select string_agg(pg_get_constraintdef(oid), ' ' order by conname) from pg_constraint
        where contypid = t.oid and contype = 'c')) || ';'
    else format('create type %I as (%s);', t.typname,
      (select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
        from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped)) end as text
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = 'public'::regnamespace
    and (t.typtype in ('e', 'd') or (t.typtype = 'c' and c.relkind = 'c'))
    and not exists (select from pg_depend where objid = t.oid and deptype = 'e')
  order by t.typname`;

// The sequences of identity columns are part of their columns.
const SEQUENCES = `
  select format('create sequence %I as %s start with %s increment by %s minvalue %s maxvalue %s%s;', c.relname,
    format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
    case when s.seqcycle then ' cycle' else '' end) as text
  from pg_sequence s join pg_class c on c.oid = s.seqrelid
  where c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('i', 'e'))
  order by c.relname`;

const FUNCTIONS = `
  select rtrim(replace(pg_get_functiondef(p.oid), ' FUNCTION public.', ' FUNCTION '), E'\\n') || ';' as text,
    obj_description(p.oid, 'pg_proc') as comment
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  order by p.proname, pg_get_function_identity_arguments(p.oid)`;

// PostgreSQL 18 also stores each NOT NULL as a constraint. The columns already show it.
const TABLES = `
  select quote_ident(c.relname) as name, c.relpersistence = 'u' as unlogged, obj_description(c.oid, 'pg_class') as comment,
    (select json_agg(json_build_object('comment', col_description(c.oid, a.attnum), 'text',
        concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
          case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
          case when a.attnotnull then 'not null' end,
          case a.attidentity when 'a' then 'generated always as identity'
            when 'd' then 'generated by default as identity' end,
          case a.attgenerated when 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
            when 'v' then format('generated always as (%s)', pg_get_expr(d.adbin, d.adrelid))
            else 'default ' || pg_get_expr(d.adbin, d.adrelid) end)) order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select json_agg(format('constraint %I %s', conname, pg_get_constraintdef(oid))
        order by position(contype in 'pufxc'), conname)
      from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'f', 'x', 'c')), '[]') as constraints,
    concat(case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) end,
      case when c.relispartition then ' partition of '
        || (select inhparent::regclass from pg_inherits where inhrelid = c.oid)
        || ' ' || pg_get_expr(c.relpartbound, c.oid) end,
      case when c.reloptions is not null then ' with (' || array_to_string(c.reloptions, ', ') || ')' end) as ending,
    coalesce((select json_agg(replace(pg_get_indexdef(i.indexrelid), ' ON public.', ' ON ') || ';' order by x.relname)
      from pg_index i join pg_class x on x.oid = i.indexrelid
      where i.indrelid = c.oid
        and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))), '[]')
      as indexes,
    coalesce((select json_agg(replace(pg_get_triggerdef(t.oid), ' ON public.', ' ON ') || ';' order by t.tgname)
      from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal), '[]') as triggers
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  order by c.relname`;

const VIEWS = `
  select format(E'create %sview %I as\\n%s', case c.relkind when 'm' then 'materialized ' else '' end, c.relname,
    pg_get_viewdef(c.oid)) as text
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  order by c.relname`;

// Comments on functions, tables and columns are written next to them.
const OTHER_COMMENTS = `
  select format('comment on %s %s is %L;', i.type, i.identity, d.description) as text
  from pg_description d, pg_identify_object(d.classoid, d.objoid, d.objsubid) i
  where (i.schema = 'public' or i.identity like 'public.%')
    and i.type not in ('function', 'procedure', 'table', 'table column')
  order by i.type, i.identity`;
