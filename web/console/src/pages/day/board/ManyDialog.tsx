import { type ReactNode, useState } from 'react';
import { counted } from '../../../../../shared/formats.ts';
import { statusLabel } from '../../../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../../../shared/words.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { useOptions } from '../../../data/registers.ts';
import { useAction } from '../../../form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Choices, Field, SelectField } from '../../../ui/Field.tsx';
import { ErrorBox } from '../../../ui/Loaded.tsx';
import { ReasonField } from '../../../ui/ReasonButton.tsx';
import { type ManyInput, useMany } from './manyCalls.ts';
import { type ItemResult, isTaken, type ManyAction } from './manyResults.ts';

export interface ManyProps {
  deliveries: readonly OpenDelivery[];
  /** Marks what could not be done. */
  markRefused: (refused: readonly string[]) => void;
  onClose: () => void;
}

/** Sends one request for all, closes the dialog, and says in one line what became of them. */
export function useManyAction({ deliveries, markRefused, onClose }: ManyProps) {
  const many = useMany();
  const ids = deliveries.map(({ id }) => id);
  return useAction((input: ManyInput) => many.send(input, ids), {
    onDone: (items: readonly ItemResult[], input) => {
      markRefused(items.flatMap(({ id, success }) => (success ? [] : String(id))));
      void many.tell(input, items);
    },
    leave: onClose,
  });
}

/** What will happen: how many can be done, and of the others how many are in which status. */
export function ManyPreview({
  action,
  deliveries,
  children,
}: {
  action: ManyAction;
  deliveries: readonly OpenDelivery[];
  children?: ReactNode;
}) {
  const t = useWords();
  const language = useLanguage();
  const taken = deliveries.filter(({ status }) => isTaken(action, status));
  const others = deliveries.filter(({ status }) => !isTaken(action, status));
  const shops = [...Map.groupBy(taken, ({ nome_cliente }) => nome_cliente)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => `${name} (${all.length})`);
  const stops = taken.flatMap(({ paradas }) => paradas).length;
  return (
    <ul className="many-words" aria-live="polite">
      <li>
        <strong>
          {t(
            `${counted(taken.length, 'entrega', 'entregas')}, ${counted(stops, 'parada', 'paradas')}`,
            `${counted(taken.length, 'delivery', 'deliveries')}, ${counted(stops, 'stop', 'stops')}`,
          )}
        </strong>
        {shops.length > 0 &&
          `: ${shops.slice(0, SHOPS_SHOWN).join(', ')}${shops.length > SHOPS_SHOWN ? '…' : ''}`}
      </li>
      {children}
      {others.length > 0 && (
        <li>
          {t(`Ficam como estão: `, `Left as they are: `)}
          {[...Map.groupBy(others, ({ status }) => status)]
            .map(([status, all]) => `${all.length} ${statusLabel[status][language].toLowerCase()}`)
            .join(', ')}
        </li>
      )}
    </ul>
  );
}

const SHOPS_SHOWN = 4;
const MINUTES_MAX = 240;

/** Holds many back, releases, promises anew or cancels them, after one preview. */
export function ManyDialog({ action, ...props }: ManyProps & { action: Exclude<ManyAction, 'offer'> }) {
  const t = useWords();
  const { deliveries, onClose } = props;
  const { data: options } = useOptions();
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState('15');
  const doing = useManyAction(props);
  const taken = deliveries.filter(({ status }) => isTaken(action, status));
  const driven = taken.filter(({ condutor }) => condutor !== null).length;
  const words = {
    hold: {
      title: t(`Segurar ${deliveries.length} entregas?`, `Hold ${deliveries.length} deliveries back?`),
      act: t('Segurar', 'Hold back'),
    },
    release: {
      title: t(`Liberar ${deliveries.length} entregas?`, `Release ${deliveries.length} deliveries?`),
      act: t('Liberar', 'Release'),
    },
    postpone: {
      title: t(
        `Mudar a promessa de ${deliveries.length} entregas?`,
        `Promise ${deliveries.length} deliveries anew?`,
      ),
      act: t('Mudar a promessa', 'Promise anew'),
    },
    cancel: {
      title: t(`Cancelar ${deliveries.length} entregas?`, `Cancel ${deliveries.length} deliveries?`),
      act: t('Cancelar as entregas', 'Cancel the deliveries'),
    },
  }[action];
  const input: ManyInput =
    action === 'hold'
      ? { action, reason: reason.trim() }
      : action === 'cancel'
        ? { action, reasonId: reason }
        : action === 'postpone'
          ? { action, minutes: Number(minutes) }
          : { action };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          doing.mutate(input);
        }}
      >
        <ManyPreview action={action} deliveries={deliveries}>
          {action === 'hold' && (
            <li>
              {t(
                'Ninguém as recebe até que sejam liberadas; as ofertas são retiradas.',
                'Nobody gets them until they are released; offers are withdrawn.',
              )}
            </li>
          )}
          {action === 'release' && (
            <li>{t('A busca por entregador começa de novo.', 'The search for a driver begins again.')}</li>
          )}
          {action === 'cancel' && <li>{t('Não pode ser desfeito.', 'It cannot be undone.')}</li>}
          {action === 'postpone' && (
            <li>
              {t(
                'Vale para as paradas que faltam. Quem acompanha o pedido vê o novo horário.',
                'For the stops that are left. Whoever follows the order sees the new time.',
              )}
            </li>
          )}
          {(action === 'hold' || action === 'cancel') && driven > 0 && (
            <li>
              {t(
                `${driven} já ${driven === 1 ? 'está com entregador, que fica livre' : 'estão com entregadores, que ficam livres'}; desfazer não as devolve.`,
                `${driven} already ${driven === 1 ? 'has a driver, who is freed' : 'have drivers, who are freed'}; undoing does not give them back.`,
              )}
            </li>
          )}
        </ManyPreview>
        {action === 'hold' && <ReasonField value={reason} onValue={setReason} />}
        {action === 'postpone' && (
          <Field
            label={t('Minutos a mais', 'Minutes later')}
            hint={t('Um número negativo antecipa.', 'A negative number promises earlier.')}
            type="number"
            min={-MINUTES_MAX}
            max={MINUTES_MAX}
            required
            value={minutes}
            onChange={({ currentTarget }) => setMinutes(currentTarget.value)}
          />
        )}
        {action === 'cancel' && (
          <SelectField
            label={t('Motivo', 'Reason')}
            required
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          >
            <option value="">{t('Escolha…', 'Choose…')}</option>
            <Choices of={options?.motivos_cancelamento} />
          </SelectField>
        )}
        <ErrorBox error={doing.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button
            type="submit"
            className={action === 'cancel' ? 'danger' : 'primary'}
            disabled={doing.isPending || taken.length === 0}
          >
            {doing.isPending ? t('Um momento…', 'One moment…') : words.act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
