import { useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import type { Action, ProofImage } from '../core/action.ts';
import { parseAmount } from '../format.ts';
import { PaymentForms } from '../ui/PaymentForms.tsx';
import { PhotoField } from './PhotoField.tsx';
import { SignaturePad } from './SignaturePad.tsx';

export type ConcludeAction = Extract<Action, { kind: 'conclude' }>;

type Missing = 'photo' | 'signature' | 'name' | 'amount';

/** What a conclusion lacked, or what is to be corrected, by the kind of refusal. */
export const missingProofs: Readonly<Record<string, Missing>> = {
  'proof-photo-missing': 'photo',
  'proof-signature-missing': 'signature',
  'proof-name-missing': 'name',
  'proof-amount-missing': 'amount',
  'proof-payment-missing': 'amount',
  'received-above-due': 'amount',
};

interface MissingProofProps {
  lacks: Missing;
  action: ConcludeAction;
  /** The action with what was missing; null while it is still missing. */
  onChange: (corrected: ConcludeAction | null) => void;
}

/** The input for the proof that a refused conclusion lacked. */
export function MissingProof({ lacks, action, onChange }: MissingProofProps) {
  const t = useWords();
  const [text, setText] = useState('');
  const [image, setImage] = useState<ProofImage | null>(null);
  const [original] = useState(action);
  const takeImage = (taken: ProofImage | null): void => {
    setImage(taken);
    onChange(taken && { ...original, images: [...(original.images ?? []), taken] });
  };
  if (lacks === 'photo') return <PhotoField photo={image} onPhoto={takeImage} isOptional={false} />;
  if (lacks === 'signature') return <SignaturePad onChange={takeImage} isOptional={false} />;
  if (lacks === 'amount') return <MissingAmount original={original} onChange={onChange} />;
  const takeName = (typed: string): void => {
    setText(typed);
    const recebido_por = typed.trim();
    onChange(recebido_por ? { ...original, body: { ...original.body, recebido_por } } : null);
  };
  return (
    <label className="field">
      <span>{t('Quem recebeu', 'Who received it')}</span>
      <input
        value={text}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => takeName(target.value)}
      />
    </label>
  );
}

interface MissingAmountProps {
  original: ConcludeAction;
  onChange: MissingProofProps['onChange'];
}

/** The form of payment decides whether the driver has cash to hand in. An amount of zero needs none. */
function MissingAmount({ original, onChange }: MissingAmountProps) {
  const t = useWords();
  const { valor_recebido, forma_recebimento } = original.body;
  const [text, setText] = useState(valor_recebido?.replace('.', ',') ?? '');
  const [form, setForm] = useState<string | null>(forma_recebimento ?? null);
  const take = (typed: string, chosen: string | null): void => {
    setText(typed);
    setForm(chosen);
    const amount = parseAmount(typed);
    const isComplete = amount !== null && (chosen !== null || Number(amount) === 0);
    const given = { valor_recebido: amount ?? '', ...(chosen !== null && { forma_recebimento: chosen }) };
    onChange(isComplete ? { ...original, body: { ...original.body, ...given } } : null);
  };
  return (
    <>
      <label className="field">
        <span>{t('Valor recebido', 'Amount received')}</span>
        <input
          value={text}
          maxLength={100}
          autoComplete="off"
          inputMode="decimal"
          onChange={({ target }) => take(target.value, form)}
        />
      </label>
      <PaymentForms form={form} onForm={(chosen) => take(text, chosen)} />
    </>
  );
}
