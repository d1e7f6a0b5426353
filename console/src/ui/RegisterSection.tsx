import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAction } from '../action.ts';
import { call, type Deletable } from '../api.ts';
import { useWords } from '../words.ts';
import { ConfirmButton } from './Confirm.tsx';
import { Empty, Loaded } from './Loaded.tsx';
import { type Column, Table } from './Table.tsx';

interface RegisterSectionProps<Entry extends { id: number }> {
  title: string;
  query: UseQueryResult<Entry[]>;
  columns: readonly Column<Entry>[];
  /** What an empty list says. */
  empty: { title: string; how: string };
  add: string;
  /** The form for a new entry (null) or for one that is there. */
  form: (entry: Entry | null, onClose: () => void) => ReactNode;
  /** The register's path in the operator's interface. */
  path: Deletable;
  refresh: readonly string[];
  nameOf: (entry: Entry) => string;
  /** What deleting does; none where nothing is deleted. */
  whatDeleting?: (entry: Entry) => string;
  deleteWord?: string;
  /** Those that can no longer be changed. */
  isOver?: (entry: Entry) => boolean;
}

/** One register: its list, a form for each entry, and deleting where nothing depends on it. */
export function RegisterSection<Entry extends { id: number }>({
  title,
  query,
  columns,
  empty,
  add,
  form,
  path,
  refresh,
  nameOf,
  whatDeleting,
  deleteWord,
  isOver = () => false,
}: RegisterSectionProps<Entry>) {
  const t = useWords();
  const [open, setOpen] = useState<Entry | 'new' | null>(null);
  const remove = useAction((id: number) => call('operacao', `DELETE /${path}/{id}`, { id }), { refresh });
  const word = deleteWord ?? t('Excluir', 'Delete');
  const actions: Column<Entry> = {
    key: 'actions',
    header: <span className="unseen">{t('Ações', 'Actions')}</span>,
    cell: (entry) =>
      !isOver(entry) && (
        <span className="actions" style={{ flexWrap: 'nowrap', justifyContent: 'end', gap: 16 }}>
          <button
            type="button"
            className="plain"
            onClick={() => setOpen(entry)}
            aria-label={`${t('Editar', 'Edit')} ${nameOf(entry)}`}
          >
            {t('Editar', 'Edit')}
          </button>
          {whatDeleting && (
            <ConfirmButton
              label={word}
              className="plain"
              title={`${word} ${nameOf(entry)}?`}
              what={whatDeleting(entry)}
              act={word}
              danger
              onConfirm={() => remove.mutateAsync(entry.id)}
            />
          )}
        </span>
      ),
  };
  return (
    <section style={{ marginBottom: 32 }}>
      <header className="page-head">
        <h2>{title}</h2>
        <button type="button" onClick={() => setOpen('new')}>
          {add}
        </button>
      </header>
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={empty.title}>{empty.how}</Empty>
          ) : (
            <Table
              label={title}
              columns={[...columns, actions]}
              rows={entries}
              rowKey={({ id }) => String(id)}
            />
          )
        }
      </Loaded>
      {open && form(open === 'new' ? null : open, () => setOpen(null))}
    </section>
  );
}
