import { useState } from 'react';
import { serverNow } from '../../../../shared/clock.ts';
import { counted, localInputs, toInstant } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { fieldErrors, useAction } from '../../form.ts';
import { useSession } from '../../session.tsx';
import { MomentField } from '../../ui/BrazilianFields.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { CheckField } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Sends the events of a period again. The period is on the central's clock. */
export function ReplayForm({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const t = useWords();
  const { fuso_horario: zone } = useSession().central;
  const local = (at: number) => {
    const { date, time } = localInputs(at, zone);
    return `${date}T${time}`;
  };
  const [from, setFrom] = useState(() => local(serverNow() - HOUR_MS));
  const [until, setUntil] = useState(() => local(serverNow() + MINUTE_MS));
  const [onlyFailed, setOnlyFailed] = useState(true);
  const replay = useAction(
    () =>
      call('integracao', 'POST /webhooks/{id}/reenviar', {
        id: webhookId,
        body: { de: toInstant(from, zone), ate: toInstant(until, zone), somente_falhas: onlyFailed },
      }),
    {
      done: ({ reenviados }) =>
        t(
          `${counted(reenviados, 'envio', 'envios')} a caminho.`,
          `${counted(reenviados, 'event is', 'events are')} sent again.`,
        ),
      refresh: ['sendings'],
      leave: onClose,
    },
  );
  const errors = fieldErrors(replay.error, (field) => field === 'de' || field === 'ate');
  return (
    <Dialog title={t('Reenviar um período', 'Replay a period')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          replay.mutate();
        }}
      >
        <MomentField
          label={t('De', 'From')}
          required
          value={from}
          error={errors.of('de')}
          onValue={setFrom}
        />
        <MomentField
          label={t('Até', 'Until')}
          required
          value={until}
          error={errors.of('ate')}
          onValue={setUntil}
        />
        <CheckField
          label={t('Somente os que falharam', 'Only those that failed')}
          checked={onlyFailed}
          onChange={(event) => setOnlyFailed(event.target.checked)}
        />
        <p className="soft">
          {t(
            'Quem recebe conhece cada evento pelo webhook-id, que é o mesmo. Posições não são reenviadas.',
            'Receivers know each event by its webhook-id, which stays the same. Positions are not sent again.',
          )}
        </p>
        <ErrorBox error={errors.rest} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={replay.isPending}>
            {t('Reenviar', 'Replay')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
