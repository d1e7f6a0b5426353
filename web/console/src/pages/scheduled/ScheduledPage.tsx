import { useState } from 'react';
import { useNow } from '../../../../shared/clock.ts';
import { formatKm, localInputs } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { useCompanies } from '../../data/registers.ts';
import { SCHEDULED_LIMIT, type Scheduled, useAwaitingScheduled } from '../../data/scheduled.ts';
import { useKeys, useRowKeys } from '../../keys.ts';
import { go, Link, usePlace, withQuery } from '../../router.tsx';
import { IfMay, useMay, useSession } from '../../session.tsx';
import { Choices, SelectField } from '../../ui/Field.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { useSteady } from '../../ui/steady.ts';
import { type Column, Pager, Table, usePage } from '../../ui/Table.tsx';
import { Money, TimeAgo } from '../../ui/texts.tsx';
import { GroupPanel } from './GroupPanel.tsx';
import { ScheduledHead } from './ScheduledHead.tsx';
import { ScheduledTimeline, useDragging } from './ScheduledTimeline.tsx';
import './scheduled.css';

/** The scheduled deliveries before their dispatch, day by day. */
export function ScheduledPage() {
  const t = useWords();
  const isStaff = useMay('internals');
  const { query } = usePlace();
  const companyId = query.get('empresa');
  const page = usePage();
  const list = useAwaitingScheduled(companyId, page);
  const entries = useSteady(list.data, { question: `${companyId} ${page}` }) ?? [];
  const companies = useCompanies();

  return (
    <>
      <ScheduledHead />
      {isStaff && (
        <div className="filters">
          <SelectField
            label={t('Empresa', 'Company')}
            value={companyId ?? ''}
            onChange={(event) => go(withQuery({ empresa: event.target.value, pagina: null, grupo: null }))}
          >
            <option value="">{t('Todas', 'All')}</option>
            <Choices of={companies.data} />
          </SelectField>
        </div>
      )}
      <Loaded query={list}>
        {() =>
          entries.length === 0 && page === 1 ? (
            <Empty title={t('Nenhuma programada aguarda a saída', 'No scheduled delivery awaits dispatch')}>
              {t(
                'As entregas marcadas para mais tarde aparecem aqui, na ordem da saída. ',
                'Deliveries planned for later appear here, in the order of their dispatch. ',
              )}
              <IfMay permission="order">
                <Link to="/nova">{t('Abrir uma (n)', 'Open one (n)')}</Link>
              </IfMay>
            </Empty>
          ) : (
            <>
              <AwaitingScheduledList entries={entries} />
              <Pager shown={entries.length} limit={SCHEDULED_LIMIT} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** One day's scheduled deliveries on a timeline and in a list, with the preview of a grouping. */
function AwaitingScheduledList({ entries }: { entries: readonly Scheduled[] }) {
  const t = useWords();
  const { query } = usePlace();
  const { fuso_horario: zone } = useSession().central;
  const dayOf = (at: number) => localInputs(at, zone).date;
  const days = [...Map.groupBy(entries, ({ disparo_em }) => dayOf(Date.parse(disparo_em)))];
  const day = days.find(([date]) => date === query.get('dia')) ?? days[0];
  const shown = day?.[1] ?? [];
  const today = dayOf(useNow());

  // Deliveries that were grouped, dispatched or cancelled meanwhile leave the choice.
  const ids = (query.get('grupo')?.split(',') ?? []).filter((id) =>
    entries.some((entry) => entry.id_mch_programada === id),
  );
  const choose = (next: readonly string[]) =>
    go(withQuery({ grupo: next.length ? next.join() : null }), { replace: true });
  const toggle = (id: string) => choose(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
  const dragging = useDragging((dragged, onto) => choose(joined(ids, dragged, onto)));
  const { dragged, over } = dragging;
  const isTentative = dragged !== null && over !== null;

  return (
    <div className="scheduled-view">
      <div>
        {days.length > 1 && (
          <nav className="tabs" aria-label={t('Dia', 'Day')}>
            {days.map(([date, some]) => (
              <Link
                key={date}
                to={withQuery({ dia: date })}
                aria-current={date === day?.[0] ? 'page' : undefined}
              >
                {date === today ? t('Hoje', 'Today') : date.split('-').reverse().slice(0, 2).join('/')}{' '}
                <span className="soft">{some.length}</span>
              </Link>
            ))}
          </nav>
        )}
        <ScheduledTimeline entries={shown} chosen={ids} onToggle={toggle} dragging={dragging} />
        <ScheduledTable entries={shown} chosen={ids} onToggle={toggle} onClear={() => choose([])} />
      </div>
      <GroupPanel
        entries={entries}
        ids={isTentative ? joined(ids, dragged, over) : ids}
        tentative={isTentative}
        onChange={choose}
      />
    </div>
  );
}

/** The drop target comes first. If either of the two is already chosen, the whole choice is included. */
function joined(chosen: readonly string[], dragged: string, onto: string): string[] {
  const isOfGroup = chosen.includes(dragged) || chosen.includes(onto);
  return [...new Set([onto, ...(isOfGroup ? chosen : []), dragged])];
}

function ScheduledTable({
  entries,
  chosen,
  onToggle,
  onClear,
}: {
  entries: readonly Scheduled[];
  chosen: readonly string[];
  onToggle: (id: string) => void;
  onClear: () => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const [selected, setSelected] = useState<string | null>(null);
  useRowKeys({
    rows: entries.map((entry) => entry.id_mch_programada),
    selected,
    onSelect: setSelected,
    onOpen: (id) => go(`/programadas/${id}`),
  });
  const leave = () => (chosen.length ? onClear() : setSelected(null));
  useKeys({ x: () => selected !== null && onToggle(selected), Escape: leave });
  const columns: Column<Scheduled>[] = [
    {
      key: 'choose',
      header: <span className="unseen">{t('Escolher para agrupar', 'Choose for grouping')}</span>,
      cell: ({ id_mch_programada: id }) => (
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={() => onToggle(id)}
          aria-label={t(`Escolher a #${id} para agrupar`, `Choose #${id} for grouping`)}
        />
      ),
    },
    {
      key: 'id',
      header: t('Nº', 'No.'),
      cell: ({ id_mch_programada: id }) => <Link to={`/programadas/${id}`}>#{id}</Link>,
    },
    {
      key: 'dispatch',
      header: t('Saída', 'Dispatch'),
      cell: ({ disparo_em }) => <TimeAgo at={disparo_em} />,
    },
    {
      key: 'company',
      header: t('Empresa', 'Company'),
      cell: (each) => each.empresa?.nome ?? each.nome_cliente,
    },
    { key: 'pickup', header: t('Coleta', 'Pickup'), cell: (each) => each.coleta.endereco, wideOnly: true },
    {
      key: 'stops',
      header: t('Paradas', 'Stops'),
      figures: true,
      wideOnly: true,
      cell: (each) => each.paradas.length,
    },
    {
      key: 'km',
      header: t('Distância', 'Distance'),
      figures: true,
      wideOnly: true,
      cell: (each) => formatKm(each.km, language),
    },
    {
      key: 'price',
      header: t('Valor', 'Price'),
      figures: true,
      cell: (each) => <Money value={each.valor} />,
    },
  ];
  return (
    <>
      <Table
        label={t('Programadas', 'Scheduled deliveries')}
        columns={columns}
        rows={entries}
        rowKey={(each) => each.id_mch_programada}
        selected={selected}
        onSelect={setSelected}
        rowClass={(each) => (chosen.includes(each.id_mch_programada) ? 'chosen' : undefined)}
      />
      <p className="soft wide-only">
        <kbd>j</kbd> <kbd>k</kbd> {t('andam na lista', 'move along the list')} · <kbd>x</kbd>{' '}
        {t('escolhe para agrupar', 'chooses for grouping')} · <kbd>Enter</kbd> {t('abre', 'opens')}
      </p>
    </>
  );
}
