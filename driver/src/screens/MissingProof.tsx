import { useState } from 'react';
import { useWords } from '../../../console/src/words.ts';
import type { Action, ProofImage } from '../core/action.ts';
import { parseAmount } from '../format.ts';
import { PhotoField } from './PhotoField.tsx';
import { SignaturePad } from './SignaturePad.tsx';

export type ConcludeAction = Extract<Action, { kind: 'conclude' }>;

type Missing = 'photo' | 'signature' | 'name' | 'amount';

/** What the server missed in a conclusion, by the kind of its refusal. */
export const missingProofs: Readonly<Record<string, Missing>> = {
  'proof-photo-missing': 'photo',
  'proof-signature-missing': 'signature',
  'proof-name-missing': 'name',
  'proof-amount-missing': 'amount',
};

interface MissingProofProps {
  lacks: Missing;
  action: ConcludeAction;
  /** The action with what was missing; null while it is still missing. */
  onChange: (corrected: ConcludeAction | null) => void;
}

/** The one thing that a refused conclusion lacks, given afterwards. */
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
  const takeText = (typed: string): void => {
    setText(typed);
    const value = lacks === 'name' ? typed.trim() : parseAmount(typed);
    const field = lacks === 'name' ? 'recebido_por' : 'valor_recebido';
    onChange(value ? { ...original, body: { ...original.body, [field]: value } } : null);
  };
  return (
    <label className="field">
      <span>
        {lacks === 'name' ? t('Quem recebeu', 'Who received it') : t('Valor recebido', 'Amount received')}
      </span>
      <input
        value={text}
        maxLength={100}
        autoComplete="off"
        inputMode={lacks === 'amount' ? 'decimal' : 'text'}
        onChange={({ target }) => takeText(target.value)}
      />
    </label>
  );
}
