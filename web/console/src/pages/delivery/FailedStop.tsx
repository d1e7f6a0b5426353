import { useState } from 'react';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import type { FailureReason } from '../../data/deliveries.ts';
import {
  type DeliveryDetail,
  type DetailStop,
  SHOWING_DELIVERIES,
  useRefreshDelivery,
} from '../../data/deliveries.ts';
import { decisionLabel, FAILURE_REASONS, failureReasonLabel } from '../../failureWords.ts';
import { go, Link } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { Confirm, ConfirmButton } from '../../ui/Dialog.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ReasonButton } from '../../ui/ReasonButton.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { ProofImages } from './Proof.tsx';

/** The failed attempts of a stop, and the outcome of each. */
export function Attempts({ stop }: { stop: DetailStop }) {
  const t = useWords();
  const language = useLanguage();
  if (stop.tentativas.length === 0) return null;
  return (
    <ul className="attempts">
      {stop.tentativas.map((attempt) => (
        <li key={attempt.numero}>
          <Icon shape="no" /> {t(`Tentativa ${attempt.numero}: `, `Attempt ${attempt.numero}: `)}
          <strong>{failureReasonLabel[attempt.motivo][language]}</strong>
          {attempt.observacao && <> “{attempt.observacao}”</>}
          {attempt.condutor && ` · ${attempt.condutor}`} · <TimeAgo at={attempt.em} />
          <br />
          <span className="soft">
            {attempt.desfeita_em
              ? t('A central devolveu a parada à corrida.', 'The central put the stop back into the run.')
              : decisionLabel[attempt.decisao][language]}
            {attempt.resolucao && ` · ${t('resolvida', 'resolved')}: ${attempt.resolucao}`}
          </span>
          {attempt.nova_entrega && (
            <>
              {' '}
              <Link to={`/entregas/${attempt.nova_entrega}`}>
                {t(`nova entrega ${attempt.nova_entrega}`, `new delivery ${attempt.nova_entrega}`)}
              </Link>
            </>
          )}
          <ProofImages
            images={attempt.comprovantes}
            photo={t(`Foto da tentativa ${attempt.numero}`, `Photo of attempt ${attempt.numero}`)}
          />
        </li>
      ))}
    </ul>
  );
}

export interface FailedStopRef {
  id_mch: string;
  parada_id: string;
  endereco: string;
  /** The letter of the delivery's status. */
  status: string;
}

/** The operator's actions for a stop that was not delivered. */
export function FailedStopActions({ failure }: { failure: FailedStopRef }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  if (!useMay('dispatch')) return null;
  const { id_mch: id, parada_id, endereco } = failure;
  const reopen = async () => {
    await call('operacao', 'POST /entregas/{id}/paradas/{parada_id}/retomar', { id, parada_id });
    await refresh(t('A parada voltou à corrida.', 'The stop is back in the run.'));
  };
  const resolve = async (reason: string) => {
    await call('operacao', 'POST /entregas/{id}/paradas/{parada_id}/resolver', {
      id,
      parada_id,
      body: { motivo: reason },
    });
    await refresh(t('Dada por resolvida.', 'Marked as resolved.'));
  };
  return (
    <div className="actions">
      {failure.status === 'E' && (
        <ConfirmButton
          label={t('Devolver à corrida', 'Put back into the run')}
          title={t('Devolver a parada à corrida?', 'Put the stop back into the run?')}
          what={t(
            `O entregador tenta de novo em ${endereco}, por último. Um retorno que só existia por causa dela sai da entrega e do valor.`,
            `The driver tries again at ${endereco}, as the last stop. A return that only it needed leaves the delivery and its price.`,
          )}
          act={t('Devolver à corrida', 'Put back into the run')}
          onConfirm={reopen}
        />
      )}
      <ConfirmButton
        label={t('Nova entrega', 'New delivery')}
        title={t('Abrir uma nova entrega?', 'Open a new delivery?')}
        what={t(
          `Uma nova entrega leva o pedido da mesma coleta até ${endereco}, pelo valor de agora.`,
          `A new delivery carries the goods from the same pickup to ${endereco}, at today’s price.`,
        )}
        act={t('Abrir nova entrega', 'Open new delivery')}
        onConfirm={() =>
          call('operacao', 'POST /entregas/{id}/paradas/{parada_id}/nova-entrega', { id, parada_id })
        }
        done={({ nova_entrega }) =>
          t(`Nova entrega ${nova_entrega} aberta.`, `New delivery ${nova_entrega} opened.`)
        }
        refresh={SHOWING_DELIVERIES}
        leave={({ nova_entrega }) => go(`/entregas/${nova_entrega}`)}
      />
      <ReasonButton
        label={t('Dar por resolvida', 'Mark as resolved')}
        title={t('Como foi resolvida?', 'How was it resolved?')}
        what={t(
          'A parada sai da lista do que precisa de você. O que for escrito fica na ficha da entrega.',
          'The stop leaves the list of what needs you. What is written stays in the delivery’s record.',
        )}
        question={t('O que foi feito', 'What was done')}
        onConfirm={resolve}
      />
    </div>
  );
}

/** Records a failed stop on behalf of the driver. */
export function FailDialog({
  delivery,
  stop,
  onClose,
}: {
  delivery: DeliveryDetail;
  stop: DetailStop;
  onClose: () => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const refresh = useRefreshDelivery();
  const [reason, setReason] = useState<FailureReason | ''>('');
  const [note, setNote] = useState('');
  const fail = async () => {
    if (!reason) return;
    const { decisao } = await call('operacao', 'POST /entregas/{id}/paradas/{parada_id}/falhar', {
      id: delivery.id,
      parada_id: stop.id,
      body: { motivo: reason, observacao: note.trim() || null },
    });
    await refresh(`${t('Falha registrada: ', 'Failure recorded: ')}${decisionLabel[decisao][language]}.`);
  };
  return (
    <Confirm
      title={t(`Parada ${stop.ordem + 1} não entregue?`, `Stop ${stop.ordem + 1} not delivered?`)}
      what={t(
        `O que segue está nas configurações da central ou da empresa. O destinatário em ${stop.endereco} vê a tentativa na página de rastreio.`,
        `What follows is in the settings of the central or the company. The recipient at ${stop.endereco} sees the attempt on the tracking page.`,
      )}
      act={t('Registrar falha', 'Record failure')}
      danger
      onConfirm={fail}
      onClose={onClose}
    >
      <SelectField
        label={t('Motivo', 'Reason')}
        required
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value as FailureReason | '')}
      >
        <option value="">{t('Escolha…', 'Choose…')}</option>
        {FAILURE_REASONS.map((each) => (
          <option key={each} value={each}>
            {failureReasonLabel[each][language]}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('O que aconteceu', 'What happened')}
        maxLength={300}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </Confirm>
  );
}
