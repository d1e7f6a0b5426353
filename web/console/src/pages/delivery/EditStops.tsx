import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { formatKm } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { type Answer, ApiError, type Body, call } from '../../api.ts';
import { sendCorrections, useKnownAddresses } from '../../data/addresses.ts';
import { type DeliveryDetail, type DetailStop, useRefreshDelivery } from '../../data/deliveries.ts';
import { fieldErrors, useDraft, useFailure, useIsShown } from '../../form.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { Money, TimeAgo } from '../../ui/texts.tsx';
import {
  addressLine,
  correctionsOf,
  isLocated,
  newStop,
  positionOf,
  STOPS_MAX,
  stopLike,
} from '../new/order.ts';
import { useStopMoves } from '../new/useStopMoves.tsx';
import { type EditedDraft, EditedStop } from './EditedStop.tsx';
import { useReorder } from './useReorder.ts';

type Edit = Body<'operacao', 'PUT /entregas/{id}/paradas'>;
type Preview = Answer<'operacao', 'POST /entregas/{id}/paradas/previa'>;

const isOpen = ({ concluida_em }: DetailStop): boolean => concluida_em === null;

const draftOf = (stop: DetailStop): EditedDraft => ({ ...stopLike(stop), id: stop.id });

const editOf = ({ versao }: DeliveryDetail, drafts: readonly EditedDraft[]): Edit => ({
  versao,
  paradas: drafts.map((stop) => ({
    ...(stop.id !== null && { id: stop.id }),
    endereco: addressLine(stop),
    bairro: stop.bairro,
    cidade: stop.cidade,
    estado: stop.estado,
    complemento: stop.complemento,
    referencia: stop.referencia,
    // The server looks up an address that was typed and not located here.
    ...(isLocated(stop) && positionOf(stop)),
    nome_cliente: stop.nome_cliente,
    telefone_cliente: stop.telefone_cliente,
    observacao: stop.observacao,
    valor_cobrar: stop.valor_cobrar || '0.00',
  })),
});

/** Edits the stops that are not done: adds, removes, reorders and changes them. */
export function EditStops({ delivery, onClose }: { delivery: DeliveryDetail; onClose: () => void }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  // The delivery as it was when the dialog opened. The server refuses changes that are based on an older state.
  const [seen] = useState(delivery);
  // Survives the end of the session, a reload and Escape, until it is saved or discarded.
  const [{ drafts }, setKept, forget] = useDraft(`paradas.${seen.id}.${seen.versao}`, {
    drafts: seen.paradas.filter(isOpen).map(draftOf),
  });
  const setDrafts = (next: (before: EditedDraft[]) => EditedDraft[]) =>
    setKept((before) => ({ drafts: next(before.drafts) }));
  const giveUp = () => {
    forget();
    onClose();
  };
  const [opened, setOpened] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const { moved, removed, announcement } = useStopMoves(form);
  const companyId = seen.empresa_id;
  const { data: known } = useKnownAddresses(companyId);
  const aids = { known, near: { lat: seen.partida.lat, lng: seen.partida.lng }, companyId };
  // The error is shown beside its field, so the stop is unfolded.
  const onError = (error: Error) => {
    const [, index] = /^'paradas\[(\d+)\]/.exec(error instanceof ApiError ? error.messages[0]! : '') ?? [];
    const refused = drafts[Number(index)];
    if (refused) setOpened(refused.key);
  };
  const failed = useFailure();
  const isShown = useIsShown();
  const preview = useMutation({
    mutationFn: () =>
      call('operacao', 'POST /entregas/{id}/paradas/previa', { id: seen.id, body: editOf(seen, drafts) }),
    onError,
  });
  const save = useMutation({
    mutationFn: () =>
      call('operacao', 'PUT /entregas/{id}/paradas', { id: seen.id, body: editOf(seen, drafts) }),
    onError: (error) => {
      onError(error);
      failed(error);
    },
    onSuccess: () => {
      sendCorrections(correctionsOf(drafts));
      forget();
      if (isShown()) onClose();
      void refresh(
        t('Paradas alteradas; o entregador foi avisado.', 'Stops changed; the driver was notified.'),
      );
    },
  });
  const openedIndex = drafts.findIndex(({ key }) => key === opened);
  const errors = fieldErrors(preview.error ?? save.error, (field) =>
    field.startsWith(`paradas[${openedIndex}].`),
  );
  const change = (next: (before: EditedDraft[]) => EditedDraft[]) => {
    setDrafts(next);
    preview.reset();
    save.reset();
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= drafts.length) return;
    change((before) => before.toSpliced(from, 1).toSpliced(to, 0, before[from]!));
    moved(from, to, drafts.length);
  };
  const reorder = useReorder(list, move);
  const remove = (index: number) => {
    change((before) => before.toSpliced(index, 1));
    removed(index);
  };
  const add = () => {
    const stop = { ...newStop(seen.partida), id: null };
    change((before) => [...before, stop]);
    setOpened(stop.key);
  };
  return (
    <Dialog title={t(`Paradas da entrega ${seen.id}`, `Stops of delivery ${seen.id}`)} onClose={onClose} wide>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (preview.data) save.mutate();
          else preview.mutate();
        }}
      >
        <p className="hint">
          {t(
            'Só as que faltam. Arraste para mudar a ordem, ou use Alt com a seta para cima ou para baixo na parada em foco.',
            'Only those still to be visited. Drag to change the order, or press Alt with the up or down arrow on a stop.',
          )}
        </p>
        <ol className="edit-stops" ref={list}>
          {drafts.map((draft, index) => (
            <EditedStop
              key={draft.key}
              draft={draft}
              index={index}
              count={drafts.length}
              isOpened={opened === draft.key}
              aids={aids}
              errors={errors}
              reorder={reorder}
              onToggle={() => setOpened(opened === draft.key ? null : draft.key)}
              onMove={(by) => move(index, index + by)}
              onChange={(changes) =>
                change((before) =>
                  before.map((stop) => (stop.key === draft.key ? { ...stop, ...changes(stop) } : stop)),
                )
              }
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
        {announcement}
        <button
          type="button"
          data-add-stop
          onClick={add}
          disabled={seen.paradas.length - seen.paradas.filter(isOpen).length + drafts.length >= STOPS_MAX}
        >
          {t('Adicionar parada', 'Add a stop')}
        </button>
        <section aria-live="polite" aria-label={t('O que muda', 'What changes')}>
          {preview.data && <Difference preview={preview.data} />}
        </section>
        <ErrorBox error={errors.rest} />
        <div className="dialog-actions">
          <button type="button" onClick={giveUp}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={preview.isPending || save.isPending}>
            {preview.data ? t('Salvar', 'Save') : t('Ver o que muda', 'See what changes')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The figures before and after the change, and the new arrival at each stop. */
function Difference({ preview: { antes, depois, paradas } }: { preview: Preview }) {
  const t = useWords();
  const language = useLanguage();
  const rows = [
    [t('Paradas', 'Stops'), antes.paradas, depois.paradas],
    [t('Distância', 'Distance'), formatKm(antes.km, language), formatKm(depois.km, language)],
    [t('Tempo', 'Time'), `${antes.minutos} min`, `${depois.minutos} min`],
    [
      t('Valor', 'Price'),
      <Money key="before" value={antes.valor} />,
      <Money key="after" value={depois.valor} />,
    ],
  ] as const;
  return (
    <div className="reassign">
      <table className="times">
        <thead>
          <tr>
            <td />
            <th scope="col">{t('Agora', 'Now')}</th>
            <th scope="col">{t('Depois', 'After')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, before, after]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{before}</td>
              <td className="number">
                <strong>{after}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ol className="arrivals">
        {paradas.map((stop, index) => (
          // New stops have no id yet. The index is stable, because the list is not reordered.
          <li key={stop.id ?? `new ${index}`}>
            {stop.endereco} <TimeAgo at={stop.previsao_nova} only="clock" />
          </li>
        ))}
      </ol>
    </div>
  );
}
