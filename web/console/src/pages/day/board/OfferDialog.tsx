import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../../../../../shared/words.ts';
import { call } from '../../../api.ts';
import { plainText } from '../../../plainText.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { ErrorBox, Loaded } from '../../../ui/Loaded.tsx';
import { useSteady } from '../../../ui/steady.ts';
import { Choice } from '../../delivery/ReassignDialog.tsx';
import { ManyPreview, type ManyProps, useManyAction } from './ManyDialog.tsx';
import { isTaken } from './manyResults.ts';

/** Offers many to one driver. The drivers are ranked by their arrival at the pickup of the most urgent one. */
export function OfferDialog({ driverId = '', ...props }: ManyProps & { driverId?: string }) {
  const t = useWords();
  const { deliveries, onClose } = props;
  const taken = deliveries.filter(({ status }) => isTaken('offer', status));
  const [{ id: urgent } = { id: null }] = taken;
  const [chosen, setChosen] = useState(driverId);
  const [text, setText] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []);
  const offering = useManyAction(props);
  const candidates = useQuery({
    queryKey: ['delivery', urgent, 'candidates'],
    queryFn: () => call('operacao', 'GET /entregas/{id}/candidatos', { id: urgent! }),
    enabled: urgent !== null,
  });
  const all =
    useSteady(candidates.data, { layoutOf: (list) => list.map(({ condutor }) => condutor.id) }) ?? [];
  const shown = all.filter(({ condutor }) => plainText(condutor.nome).includes(plainText(text)));
  const driver = all.find(({ condutor }) => condutor.id === chosen);
  const move = (by: number) => {
    const at = shown.findIndex(({ condutor }) => condutor.id === chosen);
    const next = shown[at === -1 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (next) setChosen(next.condutor.id);
  };
  const keys: Record<string, () => void> = { ArrowDown: () => move(1), ArrowUp: () => move(-1) };
  return (
    <Dialog
      title={t(`Oferecer ${deliveries.length} entregas a…`, `Offer ${deliveries.length} deliveries to…`)}
      onClose={onClose}
      wide
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!driver) return move(1);
          offering.mutate({ action: 'offer', driverId: chosen });
        }}
      >
        <ManyPreview action="offer" deliveries={deliveries}>
          <li>
            {driver
              ? t(
                  `Só ${driver.condutor.nome} pode aceitar cada uma; ofertas a outros são retiradas.`,
                  `Only ${driver.condutor.nome} may accept each of them; offers to others are withdrawn.`,
                )
              : t('Escolha um entregador.', 'Choose a driver.')}
          </li>
        </ManyPreview>
        <Field
          ref={search}
          label={t('Procurar entregador', 'Find a driver')}
          hint={t(
            'Setas escolhem, Enter oferece. A hora é a chegada à coleta da mais urgente.',
            'Arrows choose, Enter offers. The time is the arrival at the pickup of the most urgent one.',
          )}
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
        {urgent !== null && (
          <Loaded query={candidates}>
            {() => <Choice drivers={shown} chosen={chosen} onChoose={setChosen} />}
          </Loaded>
        )}
        <ErrorBox error={offering.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={!driver || offering.isPending}>
            {offering.isPending
              ? t('Um momento…', 'One moment…')
              : driver
                ? t(`Oferecer a ${driver.condutor.nome}`, `Offer to ${driver.condutor.nome}`)
                : t('Oferecer', 'Offer')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
