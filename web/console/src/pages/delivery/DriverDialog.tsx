import { type ReactNode, useState } from 'react';
import { formatKm } from '../../../../shared/formats.ts';
import { kmBetween } from '../../../../shared/map/mapPoint.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import {
  type DeliveryDetail,
  type DriverAtWork,
  usePositions,
  useRefreshDelivery,
} from '../../data/deliveries.ts';
import { useAction } from '../../form.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty, ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { useSteady } from '../../ui/steady.ts';
import { Money, TimeAgo } from '../../ui/texts.tsx';

interface Candidate {
  id: string;
  who: ReactNode;
  about: string;
  price: string;
}

/** A choice of any number of entries. */
export function Candidates({
  title,
  entries,
  chosen,
  onChoose,
}: {
  title: string;
  entries: readonly Candidate[];
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
}) {
  if (entries.length === 0) return null;
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset className="candidates">
      <legend>{title}</legend>
      <div className="choice">
        {entries.map(({ id, who, about, price }) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span>
              <strong>{id}</strong> {who}
              <span className="second soft line">{about}</span>
            </span>
            <Money value={price} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A choice among the available drivers: free ones first, then by distance to the pickup. */
export function DriverDialog({
  delivery,
  mode,
  onClose,
}: {
  delivery: DeliveryDetail;
  mode: 'offer' | 'accept';
  onClose: () => void;
}) {
  const t = useWords();
  const positions = usePositions();
  const drivers = useSteady(positions.data) ?? [];
  const refresh = useRefreshDelivery();
  const [wanted, setChosen] = useState('');
  // A driver who went off duty meanwhile can no longer be chosen.
  const chosen = ableFor(delivery, drivers).some(({ condutor_id }) => condutor_id === wanted) ? wanted : '';
  const step = useAction(
    () =>
      call('operacao', `POST /entregas/{id}/${mode === 'offer' ? 'atribuir' : 'aceitar'}`, {
        id: delivery.id,
        body: { condutor_id: chosen },
      }),
    {
      leave: onClose,
      onDone: () => {
        void refresh(
          mode === 'offer'
            ? t('Oferecida; aguarda o aceite.', 'Offered; awaiting acceptance.')
            : t('Aceita pelo entregador.', 'Accepted for the driver.'),
        );
      },
    },
  );
  return (
    <Dialog
      title={mode === 'offer' ? t('Oferecer a…', 'Offer to…') : t('Aceitar por…', 'Accept for…')}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          step.mutate();
        }}
      >
        <p className="hint">
          {mode === 'offer'
            ? t(
                'Só ele poderá aceitar; ofertas abertas a outros são retiradas.',
                'Only that driver may accept; offers open to others are withdrawn.',
              )
            : t(
                'Vale como aceite do entregador. Se ele leva outra entrega, esta fica em espera.',
                'Counts as the driver’s own acceptance. While another is carried, this one waits on hold.',
              )}
        </p>
        <Loaded query={positions}>
          {() => <Choice delivery={delivery} drivers={drivers} chosen={chosen} onChoose={setChosen} />}
        </Loaded>
        <ErrorBox error={step.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={!chosen || step.isPending}>
            {mode === 'offer' ? t('Oferecer', 'Offer') : t('Aceitar', 'Accept')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const ableFor = ({ categoria }: DeliveryDetail, drivers: readonly DriverAtWork[]): DriverAtWork[] =>
  drivers.filter(({ disponivel, categorias }) => disponivel && categorias.includes(categoria.id));

function Choice({
  delivery,
  drivers,
  chosen,
  onChoose,
}: {
  delivery: DeliveryDetail;
  drivers: readonly DriverAtWork[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const able = ableFor(delivery, drivers)
    .map((driver) => ({
      ...driver,
      km: driver.posicao ? kmBetween(driver.posicao, delivery.partida) : Number.POSITIVE_INFINITY,
    }))
    .sort((a, b) => Number(a.entregas.length > 0) - Number(b.entregas.length > 0) || a.km - b.km);
  if (able.length === 0)
    return (
      <Empty title={t('Nenhum entregador disponível', 'No driver is available')}>
        {t(
          `Entregadores disponíveis da categoria ${delivery.categoria.nome} aparecem aqui.`,
          `Available drivers of category ${delivery.categoria.nome} appear here.`,
        )}
      </Empty>
    );
  return (
    <div className="choice" data-steady role="radiogroup" aria-label={t('Entregador', 'Driver')}>
      {able.map((driver) => (
        <label key={driver.condutor_id}>
          <input
            type="radio"
            name="driver"
            value={driver.condutor_id}
            checked={chosen === driver.condutor_id}
            onChange={() => onChoose(driver.condutor_id)}
          />
          <span>
            <strong>{driver.nome}</strong> <span className="soft">{driver.veiculo}</span>
            <span className="second soft">
              {driver.entregas.length === 0
                ? t('livre', 'free')
                : t(`leva ${driver.entregas.join(', ')}`, `carries ${driver.entregas.join(', ')}`)}
              {driver.posicao && (
                <>
                  {' · '}
                  {t('posição ', 'position ')}
                  <TimeAgo at={driver.posicao.em} only="age" />
                </>
              )}
            </span>
          </span>
          <span className="number">{Number.isFinite(driver.km) ? formatKm(driver.km, language) : '—'}</span>
        </label>
      ))}
    </div>
  );
}
