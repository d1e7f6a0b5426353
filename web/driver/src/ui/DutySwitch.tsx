import { useWords } from '../../../shared/words.ts';
import { useApp } from '../useApp.ts';

/** A driver with a run may go off duty. That stops new offers only; the run continues. */
export function DutySwitch({ isOn }: { isOn: boolean }) {
  const t = useWords();
  const app = useApp();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className="duty"
      onClick={() => void app.act({ kind: 'duty', available: !isOn })}
    >
      <span className="duty-words">
        <strong>{isOn ? t('Em serviço', 'On duty') : t('Fora de serviço', 'Off duty')}</strong>
        <span>
          {isOn
            ? t('Toque para parar de receber ofertas', 'Tap to stop receiving offers')
            : t('Toque para receber ofertas', 'Tap to receive offers')}
        </span>
      </span>
      <span className="knob" aria-hidden="true" />
    </button>
  );
}
