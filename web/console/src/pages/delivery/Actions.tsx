import { useState } from 'react';
import { isOverLetter } from '../../../../shared/statuses.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type DeliveryDetail, SHOWING_DELIVERIES, useRefreshDelivery } from '../../data/deliveries.ts';
import { useOptions } from '../../data/registers.ts';
import { leaveDraft, useAction } from '../../form.ts';
import { go } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { Confirm, ConfirmButton } from '../../ui/Dialog.tsx';
import { Choices, SelectField } from '../../ui/Field.tsx';
import { Lasting } from '../../ui/Lasting.tsx';
import { orderLike } from '../new/order.ts';
import { DriverDialog } from './DriverDialog.tsx';
import { EditStops } from './EditStops.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { HoldButton, ReassignButton } from './HoldButtons.tsx';

/** Cancels with a reason, and states the consequences beforehand. */
function CancelButton({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        {t('Cancelar', 'Cancel')}
      </button>
      {asking && (
        <Lasting onClose={() => setAsking(false)}>
          {(close) => <CancelDialog delivery={delivery} onClose={close} />}
        </Lasting>
      )}
    </>
  );
}

const isPartlyDone = (delivery: DeliveryDetail): boolean =>
  !delivery.agrupada_em &&
  delivery.paradas.some(
    ({ concluida_em, nao_entregue_em }) => concluida_em !== null || nao_entregue_em !== null,
  );

function CancelDialog({ delivery, onClose }: { delivery: DeliveryDetail; onClose: () => void }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  const { data: options } = useOptions();
  const [reason, setReason] = useState('');
  const cancel = async () => {
    await call('integracao', 'POST /entregas/{id}/cancelar', {
      id: delivery.id,
      body: { motivo_id: Number(reason) },
    });
    await refresh(t(`Entrega ${delivery.id} cancelada.`, `Delivery ${delivery.id} cancelled.`));
  };
  const consequences = [
    t(
      `A entrega ${delivery.id} termina agora e não pode ser retomada.`,
      `Delivery ${delivery.id} ends now and cannot be taken up again.`,
    ),
    delivery.agrupada_em &&
      t(
        `As paradas que faltam saem da entrega ${delivery.agrupada_em}, que segue com as suas; as já concluídas ficam nela e são cobradas nela.`,
        `The stops still to be visited leave delivery ${delivery.agrupada_em}, which goes on with its own; those concluded stay there and are charged there.`,
      ),
    delivery.condutor &&
      !delivery.agrupada_em &&
      t(`${delivery.condutor.nome} fica livre.`, `${delivery.condutor.nome} becomes free.`),
    delivery.agrupadas.length > 0 &&
      t(
        `As entregas agrupadas nela (${delivery.agrupadas.join(', ')}) são canceladas junto.`,
        `The deliveries grouped into it (${delivery.agrupadas.join(', ')}) are cancelled with it.`,
      ),
    isPartlyDone(delivery) &&
      t(
        'O que já foi percorrido até as paradas concluídas é cobrado.',
        'The way to the stops that are concluded already is charged.',
      ),
    delivery.tipo_pagamento === 'R' &&
      !delivery.agrupada_em &&
      (isPartlyDone(delivery)
        ? t(
            'O restante do valor reservado volta à carteira da empresa.',
            'The rest of what was reserved returns to the company’s wallet.',
          )
        : t(
            'O valor reservado volta à carteira da empresa.',
            'What was reserved returns to the company’s wallet.',
          )),
  ].filter(Boolean);
  return (
    <Confirm
      title={t(`Cancelar a entrega ${delivery.id}?`, `Cancel delivery ${delivery.id}?`)}
      what={consequences.join(' ')}
      act={t('Cancelar a entrega', 'Cancel the delivery')}
      danger
      onConfirm={cancel}
      onClose={onClose}
    >
      <SelectField
        label={t('Motivo', 'Reason')}
        required
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      >
        <option value="">{t('Escolha…', 'Choose…')}</option>
        <Choices of={options?.motivos_cancelamento} />
      </SelectField>
    </Confirm>
  );
}

/** The actions that are possible now, also on behalf of the driver. The server makes the decision. */
export function Actions({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const mayDispatch = useMay('dispatch');
  const mayOrder = useMay('order');
  const [isGrouping, setGrouping] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const isOver = isOverLetter(delivery.status);
  const isOpen = !isOver && !delivery.agrupada_em;
  const copy = () => {
    leaveDraft('nova', orderLike(delivery));
    go('/nova');
  };
  return (
    <div className="actions">
      {isOpen && mayDispatch && <Steps delivery={delivery} />}
      {isOpen && mayDispatch && 'ASE'.includes(delivery.status) && <ReassignButton delivery={delivery} />}
      {isOpen && mayDispatch && (
        <button type="button" onClick={() => setEditing(true)}>
          {t('Editar paradas', 'Edit stops')}
        </button>
      )}
      {/* Both dialogs stay open if the delivery ends meanwhile: the server then gives the reason. */}
      {isEditing && <EditStops delivery={delivery} onClose={() => setEditing(false)} />}
      {isOpen && mayDispatch && 'DPGAS'.includes(delivery.status) && <HoldButton delivery={delivery} />}
      {isOpen && mayOrder && delivery.status === 'E' && (
        <button type="button" onClick={() => setGrouping(true)}>
          {t('Agrupar outras nesta', 'Group others into it')}
        </button>
      )}
      {isGrouping && <GroupDialog delivery={delivery} onClose={() => setGrouping(false)} />}
      {mayOrder && (
        <button type="button" onClick={copy}>
          {t('Usar como modelo', 'Use as a model')}
        </button>
      )}
      {!isOver && mayOrder && <CancelButton delivery={delivery} />}
    </div>
  );
}

function Steps({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const { status } = delivery;
  return (
    <>
      {status === 'L' && <Release delivery={delivery} />}
      {'DPG'.includes(status) && <Assigning delivery={delivery} />}
      {status === 'G' && (
        <Step
          delivery={delivery}
          path="recusar"
          label={t('Recusar pelo entregador', 'Refuse for the driver')}
          done={t('Oferta recusada; a busca continua.', 'Offer refused; the search goes on.')}
        />
      )}
      {status === 'A' && <BeforeStart delivery={delivery} />}
      {(status === 'A' || status === 'S') && <GiveUp delivery={delivery} />}
      {status === 'E' && <Running delivery={delivery} />}
    </>
  );
}

function Release({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  if (delivery.retida)
    return (
      <Step
        delivery={delivery}
        path="retomar"
        label={t('Retomar', 'Resume')}
        done={t('Entrega retomada.', 'Delivery resumed.')}
        primary
      />
    );
  return (
    <Step
      delivery={delivery}
      path="liberar"
      label={t('Liberar', 'Release')}
      done={t('Entrega liberada.', 'Delivery released.')}
      primary
    />
  );
}

function BeforeStart({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  return (
    <>
      {!delivery.chegou_em && (
        <Step
          delivery={delivery}
          path="chegar"
          label={t('Chegou na coleta', 'Arrived at pickup')}
          done={t('Chegada registrada.', 'Arrival noted.')}
        />
      )}
      <Step
        delivery={delivery}
        path="iniciar"
        label={t('Iniciar', 'Start')}
        done={t('Entrega iniciada.', 'Delivery started.')}
        primary
      />
    </>
  );
}

/** Stops have their own buttons, and the last one ends the delivery. One that returns is finished at the pickup. */
function Running({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  if (delivery.paradas.some((stop) => stop.concluida_em === null && stop.nao_entregue_em === null))
    return null;
  return (
    <Step
      delivery={delivery}
      path="finalizar"
      label={delivery.com_retorno ? t('Voltou: finalizar', 'Back: finish') : t('Finalizar', 'Finish')}
      done={t('Entrega finalizada.', 'Delivery finished.')}
      primary
    />
  );
}

function Step({
  delivery,
  path,
  label,
  done,
  primary = false,
}: {
  delivery: DeliveryDetail;
  path: 'liberar' | 'retomar' | 'recusar' | 'chegar' | 'iniciar' | 'finalizar';
  label: string;
  done: string;
  primary?: boolean;
}) {
  // Pending until the next step is shown, because a second click would be refused.
  const step = useAction(() => call('operacao', `POST /entregas/{id}/${path}`, { id: delivery.id }), {
    toastsFailure: true,
    done,
    refresh: SHOWING_DELIVERIES,
  });
  return (
    <button
      type="button"
      className={primary ? 'primary' : undefined}
      disabled={step.isPending}
      onClick={() => step.mutate()}
    >
      {label}
    </button>
  );
}

function Assigning({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const [mode, setMode] = useState<'offer' | 'accept' | null>(null);
  return (
    <>
      <button type="button" className="primary" onClick={() => setMode('offer')}>
        {t('Oferecer a um entregador', 'Offer to a driver')}
      </button>
      <button type="button" onClick={() => setMode('accept')}>
        {t('Aceitar por um entregador', 'Accept for a driver')}
      </button>
      {mode && (
        <Lasting onClose={() => setMode(null)}>
          {(close) => <DriverDialog delivery={delivery} mode={mode} onClose={close} />}
        </Lasting>
      )}
    </>
  );
}

function GiveUp({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  return (
    <ConfirmButton
      label={t('Desistir', 'Give up')}
      title={t('Devolver a entrega à busca?', 'Give the delivery back to the search?')}
      what={t(
        `${delivery.condutor?.nome ?? 'O entregador'} deixa a entrega ${delivery.id}, que volta a ser distribuída a outros entregadores.`,
        `${delivery.condutor?.nome ?? 'The driver'} gives up delivery ${delivery.id}, which is distributed to other drivers again.`,
      )}
      act={t('Desistir pelo entregador', 'Give up for the driver')}
      danger
      onConfirm={async () => {
        await call('operacao', 'POST /entregas/{id}/desistir', { id: delivery.id });
        await refresh(t('A busca recomeçou.', 'The search has begun again.'));
      }}
    />
  );
}
