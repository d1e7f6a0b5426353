import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, call, type Entry } from '../../api.ts';
import { type DeliveryDetail, useRefreshDelivery } from '../../data/deliveries.ts';
import { useAction } from '../../form.ts';
import { formatKm } from '../../formats.ts';
import { StatusBadge } from '../../ui/badges.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Empty, ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { useLanguage, useWords } from '../../words.ts';

type Candidate = Entry<'operacao', 'GET /entregas/{id}/candidatos'>;
type Preview = Answer<'operacao', 'GET /entregas/{id}/reatribuir/previa'>;

/** Gives a delivery to another driver: who would be there first, and what it does to the time of each stop. */
export function ReassignDialog({ delivery, onClose }: { delivery: DeliveryDetail; onClose: () => void }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  const [chosen, setChosen] = useState('');
  const [reason, setReason] = useState('');
  const candidates = useQuery({
    queryKey: ['delivery', delivery.id, 'candidates'],
    queryFn: () => call('operacao', 'GET /entregas/{id}/candidatos', { id: delivery.id }),
  });
  const preview = useQuery({
    queryKey: ['delivery', delivery.id, 'reassignment', chosen],
    queryFn: () =>
      call('operacao', 'GET /entregas/{id}/reatribuir/previa', {
        id: delivery.id,
        query: { condutor_id: Number(chosen) },
      }),
    enabled: chosen !== '',
  });
  const name = candidates.data?.find(({ condutor }) => condutor.id === chosen)?.condutor.nome ?? '';
  const reassign = useAction(
    () =>
      call('operacao', 'POST /entregas/{id}/reatribuir', {
        id: delivery.id,
        body: { condutor_id: Number(chosen), motivo: reason },
      }),
    {
      onDone: () => {
        onClose();
        void refresh(t(`A entrega passou para ${name}.`, `The delivery passed to ${name}.`));
      },
    },
  );
  const isRefused = preview.data?.recusa != null;
  return (
    <Dialog
      title={t(`Passar a entrega ${delivery.id} para…`, `Give delivery ${delivery.id} to…`)}
      onClose={onClose}
      wide
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reassign.mutate();
        }}
      >
        <p className="hint">
          {t(
            'O que já foi entregue fica com quem entregou; o resto passa. O valor não muda, e os dois telefones são avisados.',
            'What was delivered stays with whoever delivered it; the rest passes. The price stays, and both phones are notified.',
          )}
        </p>
        <div className="reassign">
          <Loaded query={candidates}>
            {(drivers) => <Choice drivers={drivers} chosen={chosen} onChoose={setChosen} />}
          </Loaded>
          <section aria-live="polite" aria-label={t('O que muda', 'What changes')}>
            {preview.data ? (
              <Times preview={preview.data} />
            ) : (
              <p className="soft">
                {t('Escolha alguém para ver o que muda.', 'Choose somebody to see what changes.')}
              </p>
            )}
            <ErrorBox error={preview.error} />
          </section>
        </div>
        <Field
          label={t('Motivo', 'Reason')}
          hint={t('Só a central o vê.', 'Only the central sees it.')}
          required
          maxLength={300}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          autoComplete="off"
        />
        <ErrorBox error={reassign.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button
            type="submit"
            className="primary"
            disabled={!chosen || isRefused || !reason.trim() || reassign.isPending}
          >
            {t('Passar a entrega', 'Give the delivery')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Choice({
  drivers,
  chosen,
  onChoose,
}: {
  drivers: readonly Candidate[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const t = useWords();
  if (drivers.length === 0)
    return (
      <Empty title={t('Ninguém mais em serviço', 'Nobody else is on duty')}>
        {t(
          'Entregadores em serviço ou com entregas aparecem aqui.',
          'Drivers on duty or with deliveries appear here.',
        )}
      </Empty>
    );
  return (
    <div className="choice" role="radiogroup" aria-label={t('Entregador', 'Driver')}>
      {drivers.map((driver) => (
        <label key={driver.condutor.id}>
          <input
            type="radio"
            name="driver"
            value={driver.condutor.id}
            checked={chosen === driver.condutor.id}
            onChange={() => onChoose(driver.condutor.id)}
          />
          <span>
            <strong>{driver.condutor.nome}</strong>
            <span className="second soft">
              {driver.entregas.length === 0 ? (
                t('livre', 'free')
              ) : (
                <>
                  {t(
                    `leva ${driver.entregas.join(', ')}, livre `,
                    `carries ${driver.entregas.join(', ')}, free `,
                  )}
                  <TimeAgo at={driver.livre_em} only="clock" />
                </>
              )}
              {!driver.em_servico && t(' · fora de serviço', ' · off duty')}
              {!driver.atende_categoria && t(' · outra categoria', ' · another category')}
            </span>
          </span>
          <span className="number">
            {driver.chega_em ? (
              <TimeAgo at={driver.chega_em} only="clock" />
            ) : (
              t('sem posição', 'no position')
            )}
          </span>
        </label>
      ))}
    </div>
  );
}

function Times({ preview }: { preview: Preview }) {
  const t = useWords();
  const language = useLanguage();
  if (preview.recusa) return <p className="banner">{preview.recusa}</p>;
  return (
    <>
      <p>
        {preview.status && <StatusBadge status={preview.status} />}{' '}
        {preview.metros !== null &&
          t(
            `a ${formatKm(preview.metros / 1000, language)}`,
            `${formatKm(preview.metros / 1000, language)} away`,
          )}
      </p>
      <table className="times">
        <thead>
          <tr>
            <th scope="col">{t('Parada', 'Stop')}</th>
            <th scope="col">{t('Agora', 'Now')}</th>
            <th scope="col">{t('Depois', 'After')}</th>
          </tr>
        </thead>
        <tbody>
          {preview.paradas.map((stop) => (
            <tr key={stop.id}>
              <td>{stop.endereco}</td>
              <td>
                <TimeAgo at={stop.previsao_atual} only="clock" />
              </td>
              <td>
                <strong>
                  <TimeAgo at={stop.previsao_nova} only="clock" />
                </strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
