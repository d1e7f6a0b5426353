import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatKm } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { type Answer, call, type Entry } from '../../api.ts';
import { type DeliveryDetail, useRefreshDelivery } from '../../data/deliveries.ts';
import { useAction } from '../../form.ts';
import { plainText } from '../../plainText.ts';
import { StatusBadge } from '../../ui/badges.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Empty, ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { ReasonField } from '../../ui/ReasonButton.tsx';
import { useSteady } from '../../ui/steady.ts';
import { TimeAgo } from '../../ui/texts.tsx';

type Candidate = Entry<'operacao', 'GET /entregas/{id}/candidatos'>;
type Preview = Answer<'operacao', 'GET /entregas/{id}/reatribuir/previa'>;

/** The fields of a delivery that this dialog shows. */
type Given = Pick<DeliveryDetail, 'id' | 'status'>;

/**
 * Gives a delivery to a driver, with the candidates by arrival and the effect on the time of each stop. A delivery that
 * has a driver is reassigned with a reason; one without a driver is offered, or accepted on behalf of the driver.
 */
export function ReassignDialog({
  delivery,
  driverId = '',
  onClose,
}: {
  delivery: Given;
  /** Preselected, for example by dropping the delivery on the driver. */
  driverId?: string;
  onClose: () => void;
}) {
  const t = useWords();
  const { id } = delivery;
  const isCarried = 'ASE'.includes(delivery.status);
  const [chosen, setChosen] = useState(driverId);
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLInputElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const candidates = useQuery({
    queryKey: ['delivery', id, 'candidates'],
    queryFn: () => call('operacao', 'GET /entregas/{id}/candidatos', { id }),
  });
  const preview = useQuery({
    queryKey: ['delivery', id, 'reassignment', chosen],
    queryFn: () =>
      call('operacao', 'GET /entregas/{id}/reatribuir/previa', {
        id,
        query: { condutor_id: Number(chosen) },
      }),
    enabled: chosen !== '',
  });
  const name = preview.data?.condutor.nome ?? '';
  const give = useGive(delivery, chosen, name, reason, onClose);
  // The offer button can be focused only after the preview has loaded.
  const [hasChosen, setHasChosen] = useState(driverId !== '');
  const confirmChoice = () => {
    reasonField.current?.focus();
    setHasChosen(true);
  };
  // With a preselected driver the reason comes next, otherwise the search for a driver.
  useEffect(() => (driverId ? reasonField.current : search.current)?.focus(), [driverId]);
  const isRefused = preview.data?.recusa != null;
  const isReady = preview.data !== undefined && !isRefused && !give.isPending;
  useEffect(() => {
    if (hasChosen && !isCarried && isReady) submit.current?.focus();
  }, [hasChosen, isCarried, isReady]);

  const steady =
    useSteady(candidates.data, { layoutOf: (all) => all.map(({ condutor }) => condutor.id) }) ?? [];
  const shown = steady.filter(({ condutor }) => plainText(condutor.nome).includes(plainText(text)));
  const move = (by: number) => {
    const at = shown.findIndex(({ condutor }) => condutor.id === chosen);
    const next = shown[at === -1 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (next) setChosen(next.condutor.id);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => {
      const isShown = shown.some(({ condutor }) => condutor.id === chosen);
      if (!isShown) move(0);
      if (shown.length > 0) confirmChoice();
    },
  };
  return (
    <Dialog
      title={
        isCarried
          ? t(`Passar a entrega ${id} para…`, `Give delivery ${id} to…`)
          : t(`Escolher entregador para a entrega ${id}`, `Choose a driver for delivery ${id}`)
      }
      onClose={onClose}
      wide
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) give.mutate(isCarried ? 'reassign' : 'offer');
        }}
      >
        <p className="hint">
          {isCarried
            ? t(
                'O que já foi entregue fica com quem entregou; o resto passa. O valor não muda, e os dois telefones são avisados.',
                'What was delivered stays with whoever delivered it; the rest passes. The price stays, and both phones are notified.',
              )
            : t(
                'Oferecida, só este entregador pode aceitar. Aceita por ele, a entrega já é dele; se leva outra, esta espera.',
                'Offered, only this driver may accept. Accepted for the driver, it is theirs at once; behind another one it waits.',
              )}
        </p>
        <div className="reassign">
          <div>
            <Field
              ref={search}
              label={t('Procurar entregador', 'Find a driver')}
              hint={t('Setas escolhem, Enter segue.', 'Arrows choose, Enter goes on.')}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              onKeyDown={(event) => {
                const act = keys[event.key];
                if (!act) return;
                event.preventDefault();
                act();
              }}
              autoComplete="off"
            />
            <Loaded query={candidates}>
              {() => <Choice drivers={shown} chosen={chosen} onChoose={setChosen} />}
            </Loaded>
          </div>
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
        {isCarried && <ReasonField ref={reasonField} value={reason} onValue={setReason} />}
        <ErrorBox error={give.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          {!isCarried && (
            <button type="button" disabled={!isReady} onClick={() => give.mutate('accept')}>
              {t('Aceitar por ele', 'Accept for the driver')}
            </button>
          )}
          <button
            ref={submit}
            type="submit"
            className="primary"
            disabled={!isReady || (isCarried && !reason.trim())}
          >
            {isCarried ? t('Passar a entrega', 'Give the delivery') : t('Oferecer', 'Offer')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function useGive({ id }: Given, driverId: string, name: string, reason: string, onClose: () => void) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  const said = {
    reassign: t(`A entrega passou para ${name}.`, `The delivery passed to ${name}.`),
    offer: t(`Oferecida a ${name}; aguarda o aceite.`, `Offered to ${name}; awaiting acceptance.`),
    accept: t(`A entrega é de ${name}.`, `The delivery is ${name}’s.`),
  };
  return useAction(
    (how: keyof typeof said): Promise<unknown> => {
      const body = { condutor_id: driverId };
      if (how === 'reassign')
        return call('operacao', 'POST /entregas/{id}/reatribuir', { id, body: { ...body, motivo: reason } });
      return call('operacao', `POST /entregas/{id}/${how === 'offer' ? 'atribuir' : 'aceitar'}`, {
        id,
        body,
      });
    },
    {
      onDone: (_, how) => void refresh(said[how]),
      leave: onClose,
    },
  );
}

export function Choice({
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
      <Empty title={t('Nenhum outro entregador', 'No other driver')}>
        {t(
          'Entregadores em serviço ou com entregas aparecem aqui, conforme o que você procura.',
          'Drivers on duty or with deliveries appear here, as far as they match.',
        )}
      </Empty>
    );
  return (
    <div className="choice" data-steady role="radiogroup" aria-label={t('Entregador', 'Driver')}>
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
              <td>{stop.previsao_atual ? <TimeAgo at={stop.previsao_atual} only="clock" /> : '—'}</td>
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
