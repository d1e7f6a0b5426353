import { type FormEvent, useState } from 'react';
import { counted } from '../../../../shared/formats.ts';
import { MapView } from '../../../../shared/map/MapView.tsx';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type DeliveryDetail, type OpenDelivery, useRefreshDelivery } from '../../data/deliveries.ts';
import {
  type Chosen,
  type DeliveryGroupPreview,
  groupingBody,
  jointLine,
  type Scheduled,
  useDeliveryGroupPreview,
  useGroupCandidates,
} from '../../data/scheduled.ts';
import { useAction } from '../../form.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Empty, ErrorBox } from '../../ui/Loaded.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { BeforeAfter } from '../scheduled/GroupPanel.tsx';
import { Candidates } from './DriverDialog.tsx';
import '../scheduled/scheduled.css';

/** Contract 4.6 and 4.7: groups others into a running delivery. Nothing changes before the button is pressed. */
export function GroupDialog({
  delivery,
  others = [],
  onClose,
}: {
  delivery: DeliveryDetail;
  /** Deliveries that are chosen at first. */
  others?: readonly string[];
  onClose: () => void;
}) {
  const t = useWords();
  const candidates = useGroupCandidates(delivery);
  const refresh = useRefreshDelivery();
  const [wanted, setWanted] = useState<Chosen>({ deliveries: [...others], scheduled: [] });
  const chosen = stillThere(wanted, candidates);
  const count = chosen.deliveries.length + chosen.scheduled.length;
  const preview = useDeliveryGroupPreview(delivery.id, chosen);
  const send = (): Promise<unknown> => {
    const { programadas_agrupadas = [], solicitacoes_agrupadas = [] } = groupingBody(chosen);
    return chosen.scheduled.length
      ? call('integracao', 'POST /entregas/{id}/agrupar/programadas', {
          id: delivery.id,
          body: { programadas_agrupadas, ...(chosen.deliveries.length && { solicitacoes_agrupadas }) },
        })
      : call('integracao', 'POST /entregas/{id}/agrupar', {
          id: delivery.id,
          body: { solicitacoes_agrupadas },
        });
  };
  const group = useAction(send, {
    refresh: ['scheduled'],
    leave: onClose,
    onDone: () => {
      void refresh(
        t(
          `Agrupadas: a entrega ${delivery.id} leva agora todas as paradas.`,
          `Grouped: delivery ${delivery.id} now carries all stops.`,
        ),
      );
    },
  });
  const choose = (next: Chosen) => {
    group.reset();
    setWanted(next);
  };
  const isRefused = count > 0 && preview.error !== null;
  const plan = count > 0 && !isRefused ? preview.data : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    group.mutate();
  };
  return (
    <Dialog
      wide
      title={t(`Agrupar outras na entrega ${delivery.id}`, `Group others into delivery ${delivery.id}`)}
      onClose={onClose}
    >
      <form onSubmit={submit} className="group-dialog">
        <p className="hint">
          {t(
            'As paradas das escolhidas passam para esta entrega e o seu entregador; os entregadores das outras ficam livres. Empresa, categoria, pagamento e retorno são os desta. Não pode ser desfeito.',
            'The stops of those chosen move to this delivery and its driver; the drivers of the others become free. Company, category, payment and return are those of this one. It cannot be undone.',
          )}
        </p>
        <ErrorBox error={candidates.error} />
        {candidates.isLoading ? (
          <p className="loading">{t('Carregando…', 'Loading…')}</p>
        ) : (
          <Choice candidates={candidates} chosen={chosen} onChoose={choose} />
        )}
        <div aria-live="polite">
          {preview.isFetching && !plan && !isRefused && (
            <p className="loading">{t('Calculando a rota conjunta…', 'Computing the joint route…')}</p>
          )}
          {isRefused && (
            <>
              <h3 className="verdict no">
                <Icon shape="no" /> {t('Não podem ser agrupadas', 'They may not be grouped')}
              </h3>
              <ErrorBox error={preview.error} />
            </>
          )}
          {plan && <Plan plan={plan} />}
        </div>
        <ErrorBox error={group.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={!plan || group.isPending}>
            {group.isPending
              ? t('Agrupando…', 'Grouping…')
              : count === 0
                ? t('Agrupar nesta entrega', 'Group into this delivery')
                : t(`Agrupar ${count} nesta entrega`, `Group ${count} into this delivery`)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Removes what was finished, dispatched, cancelled or grouped meanwhile from the choice. */
const stillThere = (
  { deliveries, scheduled }: Chosen,
  candidates: { deliveries: readonly OpenDelivery[]; scheduled: readonly Scheduled[] },
): Chosen => ({
  deliveries: deliveries.filter((id) => candidates.deliveries.some((delivery) => delivery.id === id)),
  scheduled: scheduled.filter((id) => candidates.scheduled.some((each) => each.id_mch_programada === id)),
});

function Choice({
  candidates,
  chosen,
  onChoose,
}: {
  candidates: { deliveries: readonly OpenDelivery[]; scheduled: readonly Scheduled[] };
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}) {
  const t = useWords();
  const { deliveries, scheduled } = candidates;
  if (deliveries.length + scheduled.length === 0)
    return (
      <Empty title={t('Nenhuma outra para agrupar', 'No other to group')}>
        {t(
          'Entregas em andamento e programadas da mesma empresa e da mesma coleta aparecem aqui.',
          'Deliveries in progress and scheduled ones of the same company and pickup appear here.',
        )}
      </Empty>
    );
  const stops = (count: number) => t(counted(count, 'parada', 'paradas'), counted(count, 'stop', 'stops'));
  return (
    <>
      <Candidates
        title={t('Em andamento', 'In progress')}
        entries={deliveries.map((delivery) => ({
          id: delivery.id,
          who: delivery.condutor?.nome ?? delivery.nome_cliente,
          about: `${stops(delivery.paradas.length)} · ${delivery.paradas.map(({ endereco }) => endereco).join(' · ')}`,
          price: delivery.valor_corrida,
        }))}
        chosen={chosen.deliveries}
        onChoose={(ids) => onChoose({ ...chosen, deliveries: ids })}
      />
      <Candidates
        title={t('Programadas', 'Scheduled')}
        entries={scheduled.map((each) => ({
          id: each.id_mch_programada,
          who: <TimeAgo at={each.disparo_em} />,
          about: `${stops(each.paradas.length)} · ${each.paradas.map(({ endereco }) => endereco).join(' · ')}`,
          price: each.valor,
        }))}
        chosen={chosen.scheduled}
        onChoose={(ids) => onChoose({ ...chosen, scheduled: ids })}
      />
    </>
  );
}

function Plan({ plan }: { plan: DeliveryGroupPreview }) {
  const t = useWords();
  const points = [
    {
      id: 'coleta',
      shape: 'pickup' as const,
      letter: t('C', 'P'),
      label: t('Coleta', 'Pickup'),
      ...plan.coleta,
    },
    ...plan.paradas.map(({ id, ordem, concluida, id_mch, id_mch_programada, lat, lng }) => ({
      id,
      shape: 'stop' as const,
      letter: String(ordem + 1),
      label: `${ordem + 1}. ${id_mch ?? t(`programada ${id_mch_programada}`, `scheduled ${id_mch_programada}`)}`,
      faded: concluida,
      lat,
      lng,
    })),
  ];
  return (
    <>
      <h3 className="verdict yes">
        <Icon shape="yes" /> {t('Podem ser agrupadas', 'They may be grouped')}
      </h3>
      <div className="group-plan">
        <div>
          <BeforeAfter before={plan.antes} after={plan.depois} />
          <p className="soft">
            {t(
              'Do caminho inteiro, desde a coleta. As paradas já concluídas ficam no início.',
              'Of the whole way from the pickup. Stops that are done stay at the front.',
            )}
          </p>
        </div>
        <MapView
          label={t('Mapa da rota conjunta', 'Map of the joint route')}
          points={points}
          lines={[{ id: 'joint', line: jointLine(plan) }]}
          around={points}
          aroundKey={points.map(({ id }) => id).join()}
        />
      </div>
    </>
  );
}
