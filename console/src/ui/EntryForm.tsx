import type { ReactNode } from 'react';
import { useAction } from '../action.ts';
import { write } from '../api.ts';
import { useEntryDraft } from '../entryDraft.ts';
import { type FieldErrors, fieldErrors } from '../fieldErrors.ts';
import { useWords } from '../words.ts';
import { Dialog } from './Dialog.tsx';
import { ErrorBox } from './ErrorBox.tsx';

export interface EntryFields<Form> {
  form: Form;
  change: (changes: Partial<Form>) => void;
  errors: FieldErrors;
}

interface EntryFormProps<Form extends object, Saved> {
  title: string;
  /** What is typed is kept under this name until it is saved. */
  draft: string;
  initial: Form;
  method?: 'POST' | 'PUT';
  path: string;
  toBody: (form: Form) => unknown;
  /** What the button says; "Salvar" unless told. */
  act?: string;
  done?: string;
  refresh: readonly string[];
  onSaved?: (saved: Saved) => void;
  onClose: () => void;
  wide?: boolean;
  /** Fields without a place of their own are told above the button. */
  fields: readonly string[];
  children: (fields: EntryFields<Form>) => ReactNode;
}

/** One entry of a register, new or changed: keeps what is typed, and puts the server's words beside the fields. */
export function EntryForm<Form extends object, Saved = unknown>({
  title,
  draft,
  initial,
  method = 'POST',
  path,
  toBody,
  act,
  done,
  refresh,
  onSaved,
  onClose,
  wide = false,
  fields,
  children,
}: EntryFormProps<Form, Saved>) {
  const t = useWords();
  const [form, setForm, forget] = useEntryDraft<Form>(draft, initial);
  const save = useAction(() => write<Saved>(method, path, toBody(form)), {
    done: done ?? t('Salvo.', 'Saved.'),
    refresh,
    onDone: (saved) => {
      forget();
      onClose();
      onSaved?.(saved);
    },
  });
  const errors = fieldErrors(save.error, (field) => fields.includes(field));
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {children({ form, change: (changes) => setForm((before) => ({ ...before, ...changes })), errors })}
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
