import type { UseQueryResult } from '@tanstack/react-query';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import type { Permission } from '../../../shared/api.gen.ts';
import { useWords } from '../../../shared/words.ts';
import {
  type Answer,
  type Api,
  type Body,
  type Creatable,
  type CreateOperation,
  call,
  type Deletable,
} from '../api.ts';
import { type FieldErrors, fieldErrors, useAction, useEntryDraft } from '../form.ts';
import { go } from '../router.tsx';
import { useMay } from '../session.tsx';
import { ConfirmButton, Dialog } from './Dialog.tsx';
import { Empty, ErrorBox, Loaded } from './Loaded.tsx';
import { type Column, Table } from './Table.tsx';

interface RegisterSectionProps<Entry extends { id: string }> {
  title: string;
  query: UseQueryResult<Entry[]>;
  columns: readonly Column<Entry>[];
  /** The text of an empty list. */
  empty: { title: string; how: string };
  add: string;
  /** The permission to add, change and delete. */
  permission: Permission;
  /** The form for a new entry (null) or an existing one. */
  form: (entry: Entry | null, onClose: () => void) => ReactNode;
  /** The register's path in the operator's interface. */
  path: Deletable;
  refresh: readonly string[];
  nameOf: (entry: Entry) => string;
  /** Says what deleting does. Absent if entries cannot be deleted. */
  whatDeleting?: (entry: Entry) => string;
  deleteWord?: string;
  /** The word on the button that opens the form of an entry. */
  editWord?: string;
  /** Whether entries can only be added and deleted. */
  isFixed?: boolean;
  /** Whether an entry can no longer be changed. */
  isOver?: (entry: Entry) => boolean;
}

/** One register: its list, a form for each entry, and deleting where nothing depends on it. */
export function RegisterSection<Entry extends { id: string }>({
  title,
  query,
  columns,
  empty,
  add,
  permission,
  form,
  path,
  refresh,
  nameOf,
  whatDeleting,
  deleteWord,
  editWord,
  isFixed = false,
  isOver = () => false,
}: RegisterSectionProps<Entry>) {
  const t = useWords();
  const mayChange = useMay(permission);
  const [open, setOpen] = useState<Entry | 'new' | null>(null);
  // The entry as read last, so that the form notices changes by others. After a deletion, as it was when opened.
  const current = open && open !== 'new' && query.data?.find(({ id }) => id === open.id);
  const remove = useAction((id: string) => call('operacao', `DELETE /${path}/{id}`, { id }), { refresh });
  const word = deleteWord ?? t('Excluir', 'Delete');
  const edit = editWord ?? t('Editar', 'Edit');
  const actions: Column<Entry> = {
    key: 'actions',
    header: <span className="unseen">{t('Ações', 'Actions')}</span>,
    cell: (entry) =>
      !isOver(entry) && (
        <span className="actions in-row">
          {!isFixed && (
            <button
              type="button"
              className="plain"
              onClick={() => setOpen(entry)}
              aria-label={`${edit} ${nameOf(entry)}`}
            >
              {edit}
            </button>
          )}
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
        {mayChange && (
          <button type="button" onClick={() => setOpen('new')}>
            {add}
          </button>
        )}
      </header>
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={empty.title}>{empty.how}</Empty>
          ) : (
            <Table
              label={title}
              columns={mayChange ? [...columns, actions] : columns}
              rows={entries}
              rowKey={({ id }) => id}
              cards
            />
          )
        }
      </Loaded>
      {open && form(open === 'new' ? null : current || open, () => setOpen(null))}
    </section>
  );
}

type NamesOf<Form, Kind> = {
  [Name in keyof Form & string]: Form[Name] extends Kind ? Name : never;
}[keyof Form & string];

type Changed = ChangeEvent<HTMLInputElement | HTMLSelectElement>;

export interface EntryFields<Form> {
  form: Form;
  change: (changes: Partial<Form>) => void;
  errors: FieldErrors;
  /** The properties that connect an input or a choice with a field: `<Field label=… {...text('nome')} />`. */
  text: (name: NamesOf<Form, string>) => {
    value: string;
    error: string | undefined;
    onChange: (event: Changed) => void;
  };
  /** The same for the fields of BrazilianFields.tsx. */
  typed: (name: NamesOf<Form, string>) => {
    value: string;
    error: string | undefined;
    onValue: (value: string) => void;
  };
  /** The same for `<CheckField>`. */
  check: (name: NamesOf<Form, boolean>) => {
    checked: boolean;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

interface EntryFormProps<Form extends object, A extends Api, N extends Creatable<A>> {
  title: string;
  /** The draft is kept under this name and the entry's id until it is saved. */
  draft: string;
  initial: Form;
  /** The interface that the register belongs to; the operator's by default. */
  api?: A;
  /** The register's path. An entry is changed at this path followed by its id. */
  path: N;
  /** Null or absent for a new one. */
  entry?: { id: string } | null;
  toBody: (form: Form) => Body<A, CreateOperation<A, N>>;
  /** The label of the button; "Salvar" by default. */
  act?: string;
  done?: string;
  refresh: readonly string[];
  onSaved?: (saved: Answer<A, CreateOperation<A, N>>) => void;
  /** The page to open next. If absent, the form is only closed. */
  next?: (saved: Answer<A, CreateOperation<A, N>>) => string;
  onClose: () => void;
  wide?: boolean;
  /** The fields that show their errors, by default all; other errors are shown above the button. */
  fields?: readonly string[];
  children: (fields: EntryFields<Form>) => ReactNode;
}

/** The form of a new or existing entry: keeps a draft, and shows the server's messages beside the fields. */
export function EntryForm<Form extends object, N extends Creatable<A>, A extends Api = 'operacao'>({
  title,
  draft,
  initial,
  api,
  path,
  entry = null,
  toBody,
  act,
  done,
  refresh,
  onSaved,
  next,
  onClose,
  wide = false,
  fields = Object.keys(initial),
  children,
}: EntryFormProps<Form, A, N>) {
  const t = useWords();
  const [form, setForm, forget, assertCurrent] = useEntryDraft<Form>(
    `${draft}.${entry?.id ?? 'novo'}`,
    initial,
    refresh,
  );
  // The types of the properties check the body against the register. The call itself is the same for all registers.
  const send = async (): Promise<Answer<A, CreateOperation<A, N>>> => {
    const anyCall = call as unknown as (...given: unknown[]) => ReturnType<typeof send>;
    const body = toBody(form);
    if (!entry) return anyCall(api ?? 'operacao', `POST /${path}`, { body });
    await assertCurrent();
    return anyCall(api ?? 'operacao', `PUT /${path}/{id}`, { id: entry.id, body });
  };
  const save = useAction(send, {
    done: done ?? t('Salvo.', 'Saved.'),
    refresh,
    onDone: (saved) => {
      forget();
      onSaved?.(saved);
    },
    leave: (saved) => {
      onClose();
      if (next) go(next(saved));
    },
  });
  const errors = fieldErrors(save.error, (field) => fields.includes(field));
  const change = (changes: Partial<Form>) => setForm((before) => ({ ...before, ...changes }));
  const set = (name: string, value: string | boolean) => change({ [name]: value } as Partial<Form>);
  const text: EntryFields<Form>['text'] = (name) => ({
    value: form[name] as string,
    error: errors.of(name),
    onChange: ({ target }) => set(name, target.value),
  });
  const typed: EntryFields<Form>['typed'] = (name) => ({
    value: form[name] as string,
    error: errors.of(name),
    onValue: (value) => set(name, value),
  });
  const check: EntryFields<Form>['check'] = (name) => ({
    checked: form[name] as boolean,
    error: errors.of(name),
    onChange: ({ target }) => set(name, target.checked),
  });
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {children({ form, change, errors, text, typed, check })}
        <ErrorBox error={errors.rest} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={save.isPending}>
            {save.isPending ? t('Salvando…', 'Saving…') : (act ?? t('Salvar', 'Save'))}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
