import { type ReactNode, type Ref, useState } from 'react';
import { useWords } from '../words.ts';
import { Confirm } from './Dialog.tsx';
import { Field } from './Field.tsx';

/** Why an operator does something, for the central's own history. */
export function ReasonField({
  value,
  onValue,
  ref,
}: {
  value: string;
  onValue: (reason: string) => void;
  ref?: Ref<HTMLInputElement>;
}) {
  const t = useWords();
  return (
    <Field
      {...(ref && { ref })}
      label={t('Motivo', 'Reason')}
      hint={t('Só a central o vê.', 'Only the central sees it.')}
      required
      maxLength={300}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
      autoComplete="off"
    />
  );
}

/** Asks before it acts, and for a reason. */
export function ReasonButton({
  label,
  title,
  what,
  onConfirm,
  children,
}: {
  label: string;
  title: string;
  what: string;
  onConfirm: (reason: string) => Promise<void>;
  /** Beside the label, on the button that asks. */
  children?: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {label}
        {children}
      </button>
      {asking && (
        <Confirm
          title={title}
          what={what}
          act={label}
          onConfirm={() => onConfirm(reason)}
          onClose={() => setAsking(false)}
        >
          <ReasonField value={reason} onValue={setReason} />
        </Confirm>
      )}
    </>
  );
}
