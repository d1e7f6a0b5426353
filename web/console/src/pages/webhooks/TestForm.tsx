import { useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { EVENT_TYPES, TEST_TYPE, type TestType, wordsOfEvent } from '../../data/webhooks.ts';
import { useAction } from '../../form.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';

const TYPES: readonly TestType[] = [TEST_TYPE, ...EVENT_TYPES];

/** Sends an example of an event to this webhook only. */
export function TestForm({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const t = useWords();
  const [type, setType] = useState<TestType>(TEST_TYPE);
  const test = useAction(
    () => call('integracao', 'POST /webhooks/{id}/teste', { id: webhookId, body: { tipo: type } }),
    {
      done: t(
        'Evento de teste a caminho; o resultado aparece nos envios.',
        'Test event on its way; see the log.',
      ),
      refresh: ['sendings'],
      leave: onClose,
    },
  );
  return (
    <Dialog title={t('Enviar teste', 'Send a test')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate();
        }}
      >
        <SelectField
          label={t('Evento', 'Event')}
          value={type}
          onChange={(event) => setType(TYPES.find((each) => each === event.target.value) ?? TEST_TYPE)}
          hint={t(
            'Vai só a este webhook, com dados de exemplo e a marca de teste.',
            'It goes to this webhook only, with example data and marked as a test.',
          )}
        >
          {TYPES.map((each) => (
            <option key={each} value={each}>
              {t(wordsOfEvent(each).pt, wordsOfEvent(each).en)}
            </option>
          ))}
        </SelectField>
        <ErrorBox error={test.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={test.isPending}>
            {t('Enviar', 'Send')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
