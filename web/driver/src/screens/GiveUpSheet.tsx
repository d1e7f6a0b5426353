import { useWords } from '../../../shared/words.ts';
import type { LocalRun } from '../core/localView.ts';
import { Sheet } from '../ui/Sheet.tsx';
import { useApp } from '../useApp.ts';

/** Before the pickup a driver may give a delivery back; the central then looks for another one. */
export function GiveUpSheet({ run, onClose }: { run: LocalRun; onClose: () => void }) {
  const t = useWords();
  const app = useApp();
  return (
    <Sheet
      title={t('Devolver esta entrega?', 'Give this delivery back?')}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="quiet" onClick={onClose}>
            {t('Ficar com ela', 'Keep it')}
          </button>
          <button
            type="button"
            className="big danger"
            onClick={() =>
              void app.act({ kind: 'give-up', deliveryId: run.id_mch }).then((kept) => kept && onClose())
            }
          >
            {t('Devolver', 'Give it back')}
          </button>
        </>
      }
    >
      <p>
        {t(
          'A central procura outro entregador e a entrega sai da sua lista.',
          'The central looks for another driver and the delivery leaves your list.',
        )}
      </p>
    </Sheet>
  );
}
