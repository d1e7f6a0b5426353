import { paymentLabel } from '../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';

/** The forms of payment at the door. */
const COLLECTED_BY = ['D', 'X', 'B', 'C'] as const;

export function PaymentForms({ form, onForm }: { form: string | null; onForm: (form: string) => void }) {
  const t = useWords();
  const language = useLanguage();
  return (
    <fieldset className="choices" aria-label={t('Forma de pagamento', 'Form of payment')}>
      {COLLECTED_BY.map((each) => (
        <button key={each} type="button" aria-pressed={form === each} onClick={() => onForm(each)}>
          {paymentLabel[each]?.[language]}
        </button>
      ))}
    </fieldset>
  );
}
