import { toast } from '../toasts.ts';
import { useWords } from '../words.ts';

/** Puts a text into the clipboard. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const t = useWords();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t('Copiado.', 'Copied.'));
    } catch {
      toast(
        t(
          'O navegador não deixou copiar. Selecione o texto e copie.',
          'The browser did not allow copying. Select the text and copy it.',
        ),
        'failed',
      );
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {label ?? t('Copiar', 'Copy')}
    </button>
  );
}
