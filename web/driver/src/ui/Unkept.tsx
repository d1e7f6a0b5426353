import { useWords } from '../../../shared/words.ts';
import { useAppState } from '../useApp.ts';

/** Shown where the driver has just tapped: the action was not stored, and why. */
export function Unkept({ className }: { className: string }) {
  const t = useWords();
  if (!useAppState('isUnkept').isUnkept) return null;
  return (
    <p role="alert" className={className}>
      {t(
        'O aparelho não conseguiu guardar esta ação. Libere espaço no aparelho e toque de novo.',
        'The phone could not keep this action. Free some space on the phone and tap again.',
      )}
    </p>
  );
}
