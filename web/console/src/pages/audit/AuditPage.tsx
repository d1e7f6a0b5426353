import { useQuery } from '@tanstack/react-query';
import type { Apis } from '../../../../shared/api.gen.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { useAreas, useCategories, useCompanies, useDrivers } from '../../data/registers.ts';
import { useAction } from '../../form.ts';
import { go, Link, usePlace, withQuery } from '../../router.tsx';
import { useSession } from '../../session.tsx';
import { DateField, isWholeDay } from '../../ui/BrazilianFields.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { type Column, Table } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import {
  actionWords,
  type Change,
  changedFields,
  type Reading,
  roleWords,
  subjectWords,
} from './auditWords.ts';
import { csvMoment, csvOf, PAGE_CHANGES, readAllChanges } from './changesFile.ts';

type ChangeQuery = NonNullable<Apis['operacao']['GET /auditoria']['given']['query']>;

const FILTERS = ['texto', 'autor', 'tipo', 'de', 'ate', 'cursor'] as const;
const PAGE_LIMIT = 50;

/** The log of changes to settings, tariffs, users, keys and money: who, and the values before and after. */
export function AuditPage() {
  const t = useWords();
  const { query } = usePlace();
  const filter = Object.fromEntries(
    FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  ) as ChangeQuery;
  const changes = useQuery({
    queryKey: ['audit', filter],
    queryFn: () => call('operacao', 'GET /auditoria', { query: { ...filter, limite: PAGE_LIMIT } }),
  });
  return (
    <>
      <header className="page-head">
        <h1>{t('Auditoria', 'Audit log')}</h1>
        <ExportButton filter={filter} />
      </header>
      <Filters filter={filter} />
      <Loaded query={changes}>
        {({ alteracoes, proximo }) => (
          <>
            {alteracoes.length === 0 ? (
              <Empty title={t('Nenhuma alteração encontrada', 'No change found')}>
                {t(
                  'Cada alteração de configurações, cadastros, usuários, chaves e saldos aparece aqui, com quem a fez.',
                  'Each change of settings, registers, users, keys and balances appears here, with who made it.',
                )}
              </Empty>
            ) : (
              <ChangeTable changes={alteracoes} />
            )}
            {(filter.cursor !== undefined || proximo !== null) && (
              <nav className="pager" aria-label={t('Páginas', 'Pages')}>
                {filter.cursor !== undefined && (
                  <Link to={withQuery({ cursor: null })}>‹ {t('Mais novas', 'Newest')}</Link>
                )}
                {proximo !== null && (
                  <Link to={withQuery({ cursor: proximo })}>{t('Mais antigas', 'Older')} ›</Link>
                )}
              </nav>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Names for the ids in the log, from the entries that the registers still have. */
function useReading(): Reading {
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  const [categories, companies, drivers, areas] = [
    useCategories(),
    useCompanies(),
    useDrivers(),
    useAreas(),
  ].map(({ data = [] }) => Object.fromEntries(data.map(({ id, nome }) => [id, nome])));
  return {
    language,
    zone,
    names: {
      categorias: categories!,
      categoria_id: categories!,
      categoria_padrao_id: categories!,
      empresas: companies!,
      empresa_id: companies!,
      condutor_id: drivers!,
      area_id: areas!,
    },
  };
}

function Filters({ filter }: { filter: ChangeQuery }) {
  const t = useWords();
  const set = (name: (typeof FILTERS)[number]) => (event: { currentTarget: { value: string } }) =>
    go(withQuery({ [name]: event.currentTarget.value || null, cursor: null }), { replace: true });
  return (
    <div className="filters">
      <Field
        label={t('Procurar', 'Search')}
        type="search"
        value={filter.texto ?? ''}
        onChange={set('texto')}
      />
      <Field label={t('Quem', 'Who')} type="search" value={filter.autor ?? ''} onChange={set('autor')} />
      <SelectField label={t('O quê', 'What')} value={filter.tipo ?? ''} onChange={set('tipo')}>
        <option value="">{t('Tudo', 'Everything')}</option>
        {Object.entries(subjectWords).map(([subject, { pt, en }]) => (
          <option key={subject} value={subject}>
            {t(pt, en)}
          </option>
        ))}
      </SelectField>
      {(['de', 'ate'] as const).map((name) => (
        <DateField
          key={name}
          label={name === 'de' ? t('De', 'From') : t('Até', 'Until')}
          value={filter[name] ?? ''}
          onValue={(day) => isWholeDay(day) && set(name)({ currentTarget: { value: day } })}
        />
      ))}
    </div>
  );
}

function ChangeTable({ changes }: { changes: readonly Change[] }) {
  const t = useWords();
  const reading = useReading();
  const columns: Column<Change>[] = [
    { key: 'when', header: t('Quando', 'When'), cell: ({ data_hora }) => <TimeAgo at={data_hora} /> },
    {
      key: 'who',
      header: t('Quem', 'Who'),
      cell: ({ autor, perfil }) => (
        <>
          {autor ?? t('linha de comando', 'command line')}
          {perfil && <span className="second soft">{t(roleWords[perfil].pt, roleWords[perfil].en)}</span>}
        </>
      ),
    },
    {
      key: 'what',
      header: t('O quê', 'What'),
      cell: ({ tipo, nome, acao }) => (
        <>
          {t(subjectWords[tipo].pt, subjectWords[tipo].en)}
          {nome && `: ${nome}`}
          <span className="second soft">{t(actionWords[acao].pt, actionWords[acao].en)}</span>
        </>
      ),
    },
    {
      key: 'fields',
      header: t('Antes › depois', 'Before › after'),
      cell: (change) => (
        <ul className="changed-fields">
          {changedFields(change, reading).map(({ name, label, before, after }) => (
            <li key={name}>
              <span className="soft">{label}: </span>
              {before !== null && (
                <>
                  <del>{before}</del>
                  {after !== null && ' › '}
                </>
              )}
              {after !== null && <ins>{after}</ins>}
            </li>
          ))}
        </ul>
      ),
    },
  ];
  return (
    <Table
      label={t('Auditoria', 'Audit log')}
      columns={columns}
      rows={changes}
      rowKey={({ id }) => id}
      cards
    />
  );
}

function ExportButton({ filter }: { filter: ChangeQuery }) {
  const t = useWords();
  const reading = useReading();
  const { language, zone } = reading;
  const save = useAction(
    async () => {
      const { cursor: _shown, ...wanted } = filter;
      const { changes, isCut } = await readAllChanges((cursor) =>
        call('operacao', 'GET /auditoria', {
          query: { ...wanted, limite: PAGE_CHANGES, ...(cursor !== null && { cursor }) },
        }),
      );
      const head = [
        t('Quando', 'When'),
        t('Quem', 'Who'),
        t('O quê', 'What'),
        t('Nome', 'Name'),
        t('Ação', 'Action'),
        t('Campo', 'Field'),
        t('Antes', 'Before'),
        t('Depois', 'After'),
      ];
      const lines = changes.flatMap((change) =>
        changedFields(change, reading).map(({ label, before, after }) => [
          csvMoment(change.data_hora, zone),
          change.autor ?? t('linha de comando', 'command line'),
          t(subjectWords[change.tipo].pt, subjectWords[change.tipo].en),
          change.nome ?? '',
          t(actionWords[change.acao].pt, actionWords[change.acao].en),
          label,
          before ?? '',
          after ?? '',
        ]),
      );
      saveFile('auditoria.csv', new Blob([csvOf([head, ...lines])], { type: 'text/csv;charset=utf-8' }));
      return { count: changes.length, isCut };
    },
    {
      done: ({ count, isCut }) => {
        const number = count.toLocaleString(language === 'pt' ? 'pt-BR' : 'en-GB');
        return isCut
          ? t(
              `O arquivo parou em ${number} alterações, mas há mais. Escolha um período menor para ver o resto.`,
              `The file stopped at ${number} changes, but there are more. Choose a shorter period to see the rest.`,
            )
          : count === 1
            ? t('Arquivo com 1 alteração.', 'File with 1 change.')
            : t(`Arquivo com ${number} alterações.`, `File with ${number} changes.`);
      },
      toastsFailure: true,
    },
  );
  return (
    <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
      {save.isPending ? t('Exportando…', 'Exporting…') : t('Exportar CSV', 'Export CSV')}
    </button>
  );
}
