import { localInputs } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { sendCorrections } from '../../data/addresses.ts';
import { type ScheduledWithStory, useScheduled } from '../../data/scheduled.ts';
import { useAction, useEntryDraft } from '../../form.ts';
import { go, Link, usePlace } from '../../router.tsx';
import { useMay, useSession } from '../../session.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { changedOrder, OrderForm } from '../new/OrderForm.tsx';
import { correctionsOf, type OrderDraft, orderOfScheduled, toReplacement } from '../new/order.ts';
import { EditingIsForManagers, useMayEdit } from './useMayEdit.tsx';

/** Contract 4.3: the whole order is replaced before its dispatch. */
export function EditScheduledPage() {
  const id = usePlace().path.split('/')[2] ?? '';
  const t = useWords();
  const scheduled = useScheduled(id);
  return (
    <>
      <p>
        <Link to={`/programadas/${id}`}>
          ‹ {t('Programada', 'Scheduled')} #{id}
        </Link>
      </p>
      <Loaded query={scheduled}>{(found) => <EditIfAllowed scheduled={found} />}</Loaded>
    </>
  );
}

function EditIfAllowed({ scheduled }: { scheduled: ScheduledWithStory }) {
  return useMayEdit(scheduled) ? <Edit scheduled={scheduled} /> : <EditingIsForManagers />;
}

function Edit({ scheduled }: { scheduled: ScheduledWithStory }) {
  const t = useWords();
  const { central } = useSession();
  const isDesk = useMay('desk');
  const { fuso_horario: zone } = central;
  const id = scheduled.id_mch_programada;
  const dispatch = localInputs(Date.parse(scheduled.disparo_em), zone);
  const [draft, setDraft, forget, assertCurrent] = useEntryDraft<OrderDraft>(
    `programada.${id}`,
    orderOfScheduled(scheduled, dispatch, zone),
    ['scheduled'],
  );
  const save = useAction(
    async () => {
      await assertCurrent();
      return call('integracao', 'PUT /entregas/programadas/{id}', { id, body: toReplacement(draft, zone) });
    },
    {
      done: t(`#${id} alterada; a estimativa foi refeita.`, `#${id} changed; estimated again.`),
      refresh: ['scheduled'],
      onDone: () => {
        if (isDesk) sendCorrections(correctionsOf([draft.partida, ...draft.paradas]));
        forget();
      },
      leave: () => go(`/programadas/${id}`),
    },
  );
  return (
    <OrderForm
      isReplacement
      title={t(`Editar a programada #${id}`, `Edit scheduled delivery #${id}`)}
      draft={draft}
      onChange={(changes) => setDraft((before) => changedOrder(before, changes))}
      send={t('Substituir a programada', 'Replace it')}
      isSending={save.isPending}
      error={save.error}
      onSend={() => save.mutate()}
      reset={t('Desfazer o que mudei', 'Undo my changes')}
      onReset={() => {
        forget();
        save.reset();
      }}
      note={t(
        'A programada inteira é substituída: as paradas recebem novos números, e quem pediu as que saem é avisado.',
        'The whole order is replaced: stops get new numbers, and whoever ordered those that leave is notified.',
      )}
    />
  );
}
