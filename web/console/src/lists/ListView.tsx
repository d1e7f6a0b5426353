import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { serverNow, useToday } from '../../../shared/clock.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { useKeys, useRowKeys } from '../keys.ts';
import { go, usePlace, withQuery } from '../router.tsx';
import { useSession } from '../session.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Empty, ErrorBox, Loaded, Loading } from '../ui/Loaded.tsx';
import { useSteady } from '../ui/steady.ts';
import { Table } from '../ui/Table.tsx';
import { ProgressLine } from '../ui/Toasts.tsx';
import { ExportButton } from './ExportButton.tsx';
import { FilterBar, FilterChips, OrderField } from './FilterBar.tsx';
import {
  activeFilters,
  bodyOf,
  type ListDefinition,
  type ListPart,
  mistakesOf,
  type SortedColumn,
} from './list.ts';
import { SavedViews } from './SavedViews.tsx';
import './lists.css';

/** With more parts than this, events do not refresh the list, so that reading far back is not disturbed. */
const LIVE_PARTS_MAX = 3;

/** A list with its filters and order in the address, its rows in pages, and its export. */
export function ListView<Row>({ list }: { list: ListDefinition<Row> }) {
  const t = useWords();
  const { query } = usePlace();
  const mistakes = Object.entries(mistakesOf(list.filters, list.orders, query));
  for (const [name, value] of mistakes) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  useEffect(() => {
    if (mistakes.length > 0) go(withQuery(Object.fromEntries(mistakes)), { replace: true });
  });
  const { fuso_horario: zone } = useSession().central;
  // Renders again at midnight, when the periods of the filters change.
  useToday(zone);
  const body = { ...bodyOf(list.filters, query, serverNow(), zone), ...list.fixed };
  const pages = useInfiniteQuery({
    queryKey: [list.topic, 'list', list.name, body],
    queryFn: ({ pageParam }) =>
      list.read({ ...body, ...(pageParam === null ? { contar: true } : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ proximo }: ListPart<Row>) => proximo,
    placeholderData: keepPreviousData,
    enabled: ({ state }) => (state.data?.pages.length ?? 0) <= LIVE_PARTS_MAX,
  });
  const steady = useSteady(pages.data, {
    layoutOf: ({ pages: parts }) => parts.flatMap(({ data }) => data.map(list.rowKey)),
    question: `${JSON.stringify(body)} ${pages.isPlaceholderData} ${pages.data?.pages.length}`,
  });
  // The previous rows stay until those of the new filters arrive, so that the page does not jump.
  const isOld = pages.isPlaceholderData;
  const rows = steady?.pages.flatMap(({ data }) => data) ?? [];
  const selected = query.get('sel');
  const select = (key: string) => {
    // Enter must open the selected row and not press a header that still has the focus.
    if (document.activeElement instanceof HTMLButtonElement) document.activeElement.blur();
    go(withQuery({ sel: key }), { replace: true });
  };
  const text = useRef<HTMLInputElement>(null);
  useRowKeys({
    rows: rows.map(list.rowKey),
    selected,
    onSelect: select,
    onOpen: list.onOpen ?? (() => undefined),
  });
  useKeys({ f: () => text.current?.focus() });
  const order = query.get('ordem') ?? list.orders[0].value;
  return (
    <>
      <SavedViews list={list.name} filters={list.filters} />
      <FilterBar filters={list.filters} textRef={text}>
        <OrderField orders={list.orders} order={order} />
        {list.readFile && <ExportButton readFile={list.readFile} body={body} isOld={isOld} />}
      </FilterBar>
      <FilterChips filters={list.filters} />
      {isOld && <ProgressLine label={t('Carregando…', 'Loading…')} />}
      <Loaded query={pages}>
        {({ pages: parts }) =>
          rows.length > 0 || pages.hasNextPage ? (
            <>
              <Found shown={rows.length} total={parts[0]?.total ?? null} isOld={isOld} />
              <Table
                label={list.label}
                columns={list.columns.map((column) => sortable(column, order, t))}
                rows={rows}
                rowKey={list.rowKey}
                selected={selected}
                onSelect={select}
                {...(list.rowClass && { rowClass: list.rowClass })}
                isOld={isOld}
                cards={list.cards ?? false}
              />
              <ErrorBox error={pages.isFetchNextPageError ? pages.error : null} />
              {pages.hasNextPage && (
                <div className="pager">
                  <button
                    type="button"
                    disabled={isOld || pages.isFetchingNextPage}
                    onClick={() => void pages.fetchNextPage()}
                  >
                    {pages.isFetchingNextPage
                      ? t('Carregando…', 'Loading…')
                      : parts.at(-1)?.busca_continua
                        ? t('Continuar a busca', 'Continue the search')
                        : t('Carregar mais', 'Load more')}
                  </button>
                  {parts.at(-1)?.busca_continua && (
                    <span className="soft">
                      {t(
                        'Poucos registros atendem a estes filtros; a busca parou antes do fim.',
                        'Few records match these filters; the search stopped before the end.',
                      )}
                    </span>
                  )}
                </div>
              )}
            </>
          ) : isOld ? (
            <Loading />
          ) : activeFilters(list.filters, query, t).length > 0 ? (
            <Empty title={t('Nada com estes filtros', 'Nothing with these filters')}>
              {t('Tire um filtro acima, ou todos.', 'Remove a filter above, or all of them.')}
            </Empty>
          ) : (
            list.empty
          )
        }
      </Loaded>
    </>
  );
}

function Found({ shown, total, isOld }: { shown: number; total: ListPart<never>['total']; isOld: boolean }) {
  const t = useWords();
  const language = useLanguage();
  const write = (count: number) => count.toLocaleString(language === 'pt' ? 'pt-BR' : 'en-GB');
  if (!total) return null;
  const all = total.exato
    ? write(Math.max(total.numero, shown))
    : `${t('mais de', 'more than')} ${write(Math.max(total.numero, shown))}`;
  return (
    <p className="soft found" role="status">
      {isOld
        ? t('Carregando…', 'Loading…')
        : total.exato && total.numero <= shown
          ? t(`${write(shown)} na lista`, `${write(shown)} in the list`)
          : t(`${write(shown)} de ${all}`, `${write(shown)} of ${all}`)}
    </p>
  );
}

/** Gives a column a header that sorts, if the server has the order. */
function sortable<Row>(
  column: SortedColumn<Row>,
  order: string,
  t: (pt: string, en: string) => string,
): SortedColumn<Row> & { sorted?: 'ascending' | 'descending' } {
  const { ascending, descending } = column;
  if (!ascending && !descending) return column;
  const sorted = order === ascending ? 'ascending' : order === descending ? 'descending' : undefined;
  const next = sorted === 'descending' ? (ascending ?? descending) : (descending ?? ascending);
  return {
    ...column,
    ...(sorted && { sorted }),
    ...(typeof column.header === 'string' && { name: column.header }),
    header: (
      <button
        type="button"
        className="sorter"
        title={t('Mudar a ordem', 'Change the order')}
        onClick={() => go(withQuery({ ordem: next ?? null, sel: null }))}
      >
        {column.header} {sorted && <Icon shape={sorted === 'ascending' ? 'up' : 'down'} />}
      </button>
    ),
  };
}
