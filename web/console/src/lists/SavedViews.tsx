import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import { type Body, call, type Entry } from '../api.ts';
import { useAction } from '../form.ts';
import { go, Link, usePlace } from '../router.tsx';
import { ConfirmButton, Dialog } from '../ui/Dialog.tsx';
import { CheckField, Field } from '../ui/Field.tsx';
import { ErrorBox } from '../ui/Loaded.tsx';
import { type ListFilter, namesOf } from './list.ts';

type SavedView = Entry<'operacao', 'GET /visoes'>;
type ListName = Body<'operacao', 'POST /visoes'>['lista'];

/** The part of the address that is a view: filters and order, always in the same sequence. */
function viewIn(query: URLSearchParams, filters: readonly ListFilter[]): string {
  const view = new URLSearchParams();
  for (const name of namesOf(filters)) {
    const value = query.get(name);
    if (value) view.set(name, value);
  }
  return view.toString();
}

/** The saved views of a list, as links. The present filters can be saved as a new view. */
export function SavedViews({ list, filters }: { list: ListName; filters: readonly ListFilter[] }) {
  const t = useWords();
  const { path, query } = usePlace();
  const [editing, setEditing] = useState<SavedView | 'new' | null>(null);
  const { data: views = [] } = useQuery({
    queryKey: ['views', list],
    queryFn: () => call('operacao', 'GET /visoes', { query: { lista: list } }),
  });
  const present = viewIn(query, filters);
  const shown = views.find(({ filtros }) => viewIn(new URLSearchParams(filtros), filters) === present);
  if (views.length === 0 && present === '') return null;
  return (
    <nav className="views" aria-label={t('Visões salvas', 'Saved views')}>
      {views.map((view) => (
        <Link
          key={view.id}
          to={view.filtros ? `${path}?${view.filtros}` : path}
          aria-current={view.id === shown?.id ? 'page' : undefined}
          title={view.propria ? undefined : t(`De ${view.usuario}`, `By ${view.usuario}`)}
        >
          {view.nome}
          {view.compartilhada && (
            <span className="soft"> · {view.propria ? t('compartilhada', 'shared') : view.usuario}</span>
          )}
        </Link>
      ))}
      {!shown && present !== '' && (
        <button type="button" className="plain" onClick={() => setEditing('new')}>
          {t('Salvar esta visão', 'Save this view')}
        </button>
      )}
      {shown?.propria && (
        <button type="button" className="plain" onClick={() => setEditing(shown)}>
          {t('Alterar a visão', 'Change the view')}
        </button>
      )}
      {editing && (
        <ViewForm
          list={list}
          view={editing === 'new' ? null : editing}
          filters={present}
          onClose={() => setEditing(null)}
        />
      )}
    </nav>
  );
}

function ViewForm({
  list,
  view,
  filters,
  onClose,
}: {
  list: ListName;
  view: SavedView | null;
  filters: string;
  onClose: () => void;
}) {
  const t = useWords();
  const { path } = usePlace();
  const [name, setName] = useState(view?.nome ?? '');
  const [isShared, setShared] = useState(view?.compartilhada ?? false);
  const save = useAction(
    () => {
      const body = { lista: list, nome: name, filtros: filters, compartilhada: isShared };
      return view
        ? call('operacao', 'PUT /visoes/{id}', { id: view.id, body })
        : call('operacao', 'POST /visoes', { body });
    },
    { done: t('Visão salva.', 'View saved.'), refresh: ['views'], leave: onClose },
  );
  return (
    <Dialog
      title={view ? t('Alterar a visão', 'Change the view') : t('Salvar a visão', 'Save the view')}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field
          label={t('Nome da visão', 'Name of the view')}
          value={name}
          maxLength={80}
          required
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <CheckField
          label={t('Mostrar também aos colegas', 'Show it to colleagues too')}
          checked={isShared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
        <p className="hint">
          {t(
            'A visão guarda os filtros e a ordem. “Hoje” e os outros períodos acompanham o dia.',
            'The view keeps filters and order. “Today” and the other periods follow the day.',
          )}
        </p>
        <ErrorBox error={save.error} />
        <div className="dialog-actions">
          {view && (
            <ConfirmButton
              label={t('Excluir', 'Delete')}
              danger
              title={t(`Excluir a visão ${view.nome}?`, `Delete the view ${view.nome}?`)}
              what={t(
                'A lista volta a mostrar tudo, sem filtros.',
                'The list shows everything again, without filters.',
              )}
              act={t('Excluir a visão', 'Delete the view')}
              onConfirm={() => call('operacao', 'DELETE /visoes/{id}', { id: view.id })}
              done={t('Visão excluída.', 'View deleted.')}
              refresh={['views']}
              leave={() => {
                onClose();
                go(path);
              }}
            />
          )}
          <button type="submit" className="primary" disabled={save.isPending}>
            {t('Salvar', 'Save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
