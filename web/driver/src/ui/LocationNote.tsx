import { useWords } from '../../../shared/words.ts';
import { useAppState } from '../useApp.ts';

/** Shown while the app needs the position and the phone provides none. */
export function LocationNote() {
  const t = useWords();
  const { location } = useAppState('location');
  if (location !== 'denied' && location !== 'unavailable') return null;
  return (
    <p role="status" className="note warn">
      {location === 'denied'
        ? t(
            'A localização está bloqueada. Libere-a nas permissões do navegador: sem ela a central não sabe onde você está.',
            'Location is blocked. Allow it in the browser’s permissions: without it the central cannot tell where you are.',
          )
        : t(
            'O aparelho não encontra a sua posição. Veja se a localização está ligada.',
            'The phone cannot find your position. Check that location is turned on.',
          )}
    </p>
  );
}
