import { type ReactNode, type Ref, useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import { Confirm } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { Lasting } from './Lasting.tsx';

/** The operator's reason for an action, for the central's history. */
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

interface ReasonProps {
  label: string;
  title: string;
  what: string;
  onConfirm: (reason: string) => Promise<void>;
  /** The label of the input, if it is not just a reason. */
  question?: string;
}

/** A button that asks for confirmation and a reason. */
export function ReasonButton({
  children,
  ...asked
}: ReasonProps & {
  /** Beside the label of the button. */
  children?: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {asked.label}
        {children}
      </button>
      {asking && (
        <Lasting onClose={() => setAsking(false)}>
          {(close) => <ReasonDialog {...asked} onClose={close} />}
        </Lasting>
      )}
    </>
  );
}

function ReasonDialog({
  label,
  title,
  what,
  onConfirm,
  question,
  onClose,
}: ReasonProps & { onClose: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <Confirm title={title} what={what} act={label} onConfirm={() => onConfirm(reason)} onClose={onClose}>
      {question ? (
        <Field
          label={question}
          required
          maxLength={300}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      ) : (
        <ReasonField value={reason} onValue={setReason} />
      )}
    </Confirm>
  );
}
