import {
  type InputHTMLAttributes,
  type ReactNode,
  type RefAttributes,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

/** The options of a `<SelectField>` that chooses one of a register's entries. */
export function Choices({ of = [] }: { of: readonly { id: string; nome: string }[] | undefined }) {
  return of.map(({ id, nome }) => (
    <option key={id} value={id}>
      {nome}
    </option>
  ));
}

interface Around {
  label: string;
  hint?: ReactNode;
  /** The server's message about this field. */
  error?: string | undefined;
}

/** Connects a control with its label, hint and error, also for screen readers. */
function useAround({ label, hint, error }: Around) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
  };
  const below = (
    <>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </>
  );
  return { id, control, below, label };
}

/** An input with its label. `className` applies to both together. */
export function Field({
  label,
  hint,
  error,
  className = '',
  ...input
}: Around & InputHTMLAttributes<HTMLInputElement> & RefAttributes<HTMLInputElement>) {
  const { id, control, below } = useAround({ label, hint, error });
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input {...input} {...control} />
      {below}
    </div>
  );
}

/** A choice with its label; the options are its children. */
export function SelectField({
  label,
  hint,
  error,
  ...select
}: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, control, below } = useAround({ label, hint, error });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select {...select} {...control} />
      {below}
    </div>
  );
}

/** A text of several lines, with its label. */
export function TextField({
  label,
  hint,
  error,
  ...textarea
}: Around & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { id, control, below } = useAround({ label, hint, error });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea rows={2} {...textarea} {...control} />
      {below}
    </div>
  );
}

/** A checkbox, with its label after it. */
export function CheckField({ label, hint, error, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  const { id, control, below } = useAround({ label, hint, error });
  return (
    <div className="field check">
      <input type="checkbox" {...input} {...control} />
      <label htmlFor={id}>{label}</label>
      {below}
    </div>
  );
}
