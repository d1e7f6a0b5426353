import { type ComponentType, useState } from 'react';
import { useAction } from '../../action.ts';
import { OPERATION, write } from '../../api.ts';
import type { Sheet } from '../../data/deliveries.ts';
import { leaveDraft } from '../../draft.ts';
import { go } from '../../router.tsx';
import { useIsOperator } from '../../session.tsx';
import { isOverLetter, type StatusLetter } from '../../statuses.ts';
import { ConfirmButton } from '../../ui/Confirm.tsx';
import { useWords } from '../../words.ts';
import { orderLike } from '../new/order.ts';
import { CancelButton } from './CancelButton.tsx';
import { DriverDialog } from './DriverDialog.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { useRefreshDelivery } from './refresh.ts';

/** What can be done with it now, in the driver's place too. The server has the last word. */
export function Actions({ delivery }: { delivery: Sheet }) {
  const t = useWords();
  const isOperator = useIsOperator();
  const [isGrouping, setGrouping] = useState(false);
  const isOver = isOverLetter(delivery.status);
  const isOpen = !isOver && !delivery.agrupada_em;
  const copy = () => {
    leaveDraft('nova', orderLike(delivery));
    go('/nova');
  };
  return (
    <div className="actions">
      {isOpen && isOperator && <Steps delivery={delivery} />}
      {isOpen && delivery.status === 'E' && (
        <button type="button" onClick={() => setGrouping(true)}>
          {t('Agrupar outras nesta', 'Group others into it')}
        </button>
      )}
      {/* Stays when the delivery ends meanwhile: the server then says why not. */}
      {isGrouping && <GroupDialog delivery={delivery} onClose={() => setGrouping(false)} />}
      <button type="button" onClick={copy}>
        {t('Usar como modelo', 'Use as a model')}
      </button>
      {!isOver && <CancelButton delivery={delivery} />}
    </div>
  );
}

function Steps({ delivery }: { delivery: Sheet }) {
  const Possible = stepsIn[delivery.status];
  return Possible ? <Possible delivery={delivery} /> : null;
}

function Release({ delivery }: { delivery: Sheet }) {
  const t = useWords();
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

function Offered({ delivery }: { delivery: Sheet }) {
  const t = useWords();
  return (
    <>
      <Assigning delivery={delivery} />
      <Step
        delivery={delivery}
        path="recusar"
        label={t('Recusar pelo condutor', 'Refuse for the driver')}
        done={t('Oferta recusada; a busca continua.', 'Offer refused; the search goes on.')}
      />
    </>
  );
}

function BeforeStart({ delivery }: { delivery: Sheet }) {
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
      <GiveUp delivery={delivery} />
    </>
  );
}

/** The stops are concluded where they stand, and the last one ends it; one that returns is finished at the pickup. */
function Running({ delivery }: { delivery: Sheet }) {
  const t = useWords();
  if (delivery.paradas.some(({ concluida_em }) => concluida_em === null)) return null;
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
  delivery: Sheet;
  path: string;
  label: string;
  done: string;
  primary?: boolean;
}) {
  const refresh = useRefreshDelivery();
  const step = useAction(() => write('POST', `${OPERATION}/entregas/${delivery.id}/${path}`, {}), {
    tellsFailure: true,
    onDone: () => void refresh(done),
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

function Assigning({ delivery }: { delivery: Sheet }) {
  const t = useWords();
  const [mode, setMode] = useState<'offer' | 'accept' | null>(null);
  return (
    <>
      <button type="button" className="primary" onClick={() => setMode('offer')}>
        {t('Oferecer a um condutor', 'Offer to a driver')}
      </button>
      <button type="button" onClick={() => setMode('accept')}>
        {t('Aceitar por um condutor', 'Accept for a driver')}
      </button>
      {mode && <DriverDialog delivery={delivery} mode={mode} onClose={() => setMode(null)} />}
    </>
  );
}

function GiveUp({ delivery }: { delivery: Sheet }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  return (
    <ConfirmButton
      label={t('Desistir', 'Give up')}
      title={t('Devolver a entrega à busca?', 'Give the delivery back to the search?')}
      what={t(
        `${delivery.condutor?.nome ?? 'O condutor'} deixa a entrega ${delivery.id}, que volta a ser distribuída a outros condutores.`,
        `${delivery.condutor?.nome ?? 'The driver'} gives up delivery ${delivery.id}, which is distributed to other drivers again.`,
      )}
      act={t('Desistir pelo condutor', 'Give up for the driver')}
      danger
      onConfirm={async () => {
        await write('POST', `${OPERATION}/entregas/${delivery.id}/desistir`, {});
        await refresh(t('A busca recomeçou.', 'The search has begun again.'));
      }}
    />
  );
}

const stepsIn: Partial<Record<StatusLetter, ComponentType<{ delivery: Sheet }>>> = {
  L: Release,
  D: Assigning,
  P: Assigning,
  G: Offered,
  A: BeforeStart,
  S: GiveUp,
  E: Running,
};
