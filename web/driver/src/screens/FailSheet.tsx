import { useState } from 'react';
import { FAILURE_REASON_LABELS } from '../../../../server/src/api/json/labels.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { type Action, FAILURE_REASONS } from '../core/action.ts';
import { decideFailure, visitOf } from '../core/failure.ts';
import type { LocalRun } from '../core/localView.ts';
import type { FailureDecision, Stop } from '../core/work.ts';
import { Sheet } from '../ui/Sheet.tsx';
import { useApp, useFilled } from '../useApp.ts';
import { PhotoField } from './PhotoField.tsx';

interface FailSheetProps {
  run: LocalRun;
  stop: Stop;
  /** True if the rules of the company or the central include photos. A photo of the closed door is then offered. */
  takesPhotos: boolean;
  onClose: () => void;
}

/** The form for a failed stop. It asks for the reason and says what to do with the goods. */
export function FailSheet({ run, stop, takesPhotos, onClose: onClosed }: FailSheetProps) {
  const t = useWords();
  const language = useLanguage();
  const app = useApp();
  const [{ reason, note, photo }, fill] = useFilled('fail', stop, { reason: null, note: '', photo: null });
  const [isBusy, setBusy] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const onClose = (): void => {
    app.keepDraft(null);
    onClosed();
  };
  const decisions: Record<FailureDecision, string> = {
    tentar_depois: t(
      'A parada vai para o fim: você tenta de novo depois das outras.',
      'The stop goes to the end: you try again after the others.',
    ),
    retornar: t(
      'O pedido volta com você para a coleta, depois das outras paradas.',
      'You bring the goods back to the pickup, after the other stops.',
    ),
    deixar_no_fim: t(
      'O pedido fica com você até a central dizer o que fazer.',
      'You keep the goods until the central says what to do.',
    ),
  };
  const submit = async (): Promise<void> => {
    if (!reason) return;
    setBusy(true);
    const of = { deliveryId: run.id_mch, stopId: stop.id };
    const fail: Action = {
      kind: 'fail',
      ...of,
      visit: visitOf(stop),
      body: { motivo: reason, ...(note.trim() && { observacao: note.trim() }) },
    };
    const kept = await app.act(...(photo ? [{ kind: 'proof' as const, ...of, ...photo }] : []), fail);
    if (kept) onClose();
    else setBusy(false);
  };
  return (
    <Sheet
      title={t('Não consegui entregar', 'I could not deliver')}
      onClose={onClose}
      foot={
        <>
          <p role="status">
            {reason
              ? decisions[decideFailure(run, stop.id, reason)]
              : t('Escolha o motivo.', 'Choose the reason.')}
          </p>
          <button
            type="button"
            className="big danger"
            disabled={!reason || isBusy || isPreparing}
            onClick={() => void submit()}
          >
            {t('Registrar', 'Record it')}
          </button>
        </>
      }
    >
      <p className="address">{stop.endereco}</p>
      <fieldset className="choices column" aria-label={t('Motivo', 'Reason')}>
        {FAILURE_REASONS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={reason === each}
            onClick={() => fill({ reason: each })}
          >
            {FAILURE_REASON_LABELS[each][language]}
          </button>
        ))}
      </fieldset>
      <label className="field">
        <span>{t('O que aconteceu (se quiser)', 'What happened (optional)')}</span>
        <textarea
          rows={2}
          maxLength={300}
          value={note}
          onChange={({ target }) => fill({ note: target.value })}
        />
      </label>
      {takesPhotos && (
        <PhotoField
          photo={photo}
          onPhoto={(taken) => fill({ photo: taken })}
          isOptional
          onPreparing={setPreparing}
        />
      )}
    </Sheet>
  );
}
