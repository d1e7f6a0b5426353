import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type Answer, type Body, call } from '../../api.ts';
import { type DeliveryDetail, type DetailStop, useRefreshDelivery } from '../../data/deliveries.ts';
import { formatKm } from '../../formats.ts';
import { DecimalField } from '../../ui/BrazilianFields.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { Money, TimeAgo } from '../../ui/texts.tsx';
import { useLanguage, useWords } from '../../words.ts';

type Edit = Body<'operacao', 'PUT /entregas/{id}/paradas'>;
type Preview = Answer<'operacao', 'POST /entregas/{id}/paradas/previa'>;

/** A stop as it is typed. `key` stays while it moves in the list. */
interface Draft {
  key: string;
  id: number | null;
  endereco: string;
  bairro: string;
  cidade: string;
  estado: string;
  complemento: string;
  referencia: string;
  nome_cliente: string;
  telefone_cliente: string;
  observacao: string;
  valor_cobrar: string;
  lat: number | null;
  lng: number | null;
}

const draftOf = (stop: DetailStop): Draft => ({
  key: stop.id,
  id: Number(stop.id),
  endereco: stop.endereco,
  bairro: stop.bairro,
  cidade: stop.cidade,
  estado: stop.estado,
  complemento: stop.complemento ?? '',
  referencia: stop.referencia ?? '',
  nome_cliente: stop.nome_cliente ?? '',
  telefone_cliente: stop.telefone_cliente ?? '',
  observacao: stop.observacao ?? '',
  valor_cobrar: stop.valor_cobrar ?? '',
  lat: stop.lat,
  lng: stop.lng,
});

const isOpen = ({ concluida_em }: DetailStop): boolean => concluida_em === null;

function editOf(delivery: DeliveryDetail, drafts: readonly Draft[]): Edit {
  return {
    versao: delivery.versao,
    paradas: drafts.map(({ key: _key, valor_cobrar, lat, lng, id, ...typed }) => {
      const before = delivery.paradas.find((stop) => Number(stop.id) === id);
      // Another address is looked up by the server; the same one stays where it is.
      const isSamePlace = before?.endereco === typed.endereco && before.bairro === typed.bairro;
      return {
        ...typed,
        ...(id !== null && { id }),
        ...((isSamePlace || id === null) && lat !== null && lng !== null && { lat, lng }),
        valor_cobrar: valor_cobrar || '0.00',
      };
    }),
  };
}

/** Changes the stops that are not done: their order, which there are, and what is known of their recipients. */
export function EditStops({ delivery, onClose }: { delivery: DeliveryDetail; onClose: () => void }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  // Of the delivery as it was when the dialog was opened: the server refuses what was decided on an older state.
  const [seen] = useState(delivery);
  const [drafts, setDrafts] = useState(() => seen.paradas.filter(isOpen).map(draftOf));
  const [opened, setOpened] = useState<string | null>(null);
  const [added, setAdded] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const preview = useMutation({
    mutationFn: () =>
      call('operacao', 'POST /entregas/{id}/paradas/previa', { id: seen.id, body: editOf(seen, drafts) }),
  });
  const save = useMutation({
    mutationFn: () =>
      call('operacao', 'PUT /entregas/{id}/paradas', { id: seen.id, body: editOf(seen, drafts) }),
    onSuccess: () => {
      onClose();
      void refresh(
        t('Paradas alteradas; o entregador foi avisado.', 'Stops changed; the driver was notified.'),
      );
    },
  });
  const change = (next: Draft[]) => {
    setDrafts(next);
    preview.reset();
    save.reset();
  };
  const move = (index: number, by: number) => {
    const to = index + by;
    if (to < 0 || to >= drafts.length) return;
    change(drafts.with(index, drafts[to]!).with(to, drafts[index]!));
    // The focus stays with the stop that moved.
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('.edit-stop')[to]?.focus());
  };
  const add = () => {
    const near = seen.partida;
    const key = `new ${added}`;
    setAdded(added + 1);
    change([
      ...drafts,
      {
        ...{
          key,
          id: null,
          endereco: '',
          bairro: '',
          cidade: near.cidade,
          estado: near.estado,
          lat: null,
          lng: null,
        },
        ...{
          complemento: '',
          referencia: '',
          nome_cliente: '',
          telefone_cliente: '',
          observacao: '',
          valor_cobrar: '',
        },
      },
    ]);
    setOpened(key);
  };
  return (
    <Dialog title={t(`Paradas da entrega ${seen.id}`, `Stops of delivery ${seen.id}`)} onClose={onClose} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (preview.data) save.mutate();
          else preview.mutate();
        }}
      >
        <p className="hint">
          {t(
            'Só as que faltam. Alt com a seta para cima ou para baixo muda a ordem da parada em foco.',
            'Only those still to be visited. Alt with the up or down arrow moves the focused stop.',
          )}
        </p>
        <ol className="edit-stops" ref={list}>
          {drafts.map((draft, index) => (
            <EditedStop
              key={draft.key}
              draft={draft}
              number={index + 1}
              isFirst={index === 0}
              isLast={index === drafts.length - 1}
              isOnly={drafts.length === 1}
              isOpened={opened === draft.key}
              onToggle={() => setOpened(opened === draft.key ? null : draft.key)}
              onMove={(by) => move(index, by)}
              onChange={(next) => change(drafts.with(index, next))}
              onRemove={() => change(drafts.toSpliced(index, 1))}
            />
          ))}
        </ol>
        <button
          type="button"
          onClick={add}
          disabled={seen.paradas.length - seen.paradas.filter(isOpen).length + drafts.length >= 10}
        >
          {t('Adicionar parada', 'Add a stop')}
        </button>
        <section aria-live="polite" aria-label={t('O que muda', 'What changes')}>
          {preview.data && <Difference preview={preview.data} />}
        </section>
        <ErrorBox error={preview.error ?? save.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
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

function EditedStop({
  draft,
  number,
  isFirst,
  isLast,
  isOnly,
  isOpened,
  onToggle,
  onMove,
  onChange,
  onRemove,
}: {
  draft: Draft;
  number: number;
  isFirst: boolean;
  isLast: boolean;
  isOnly: boolean;
  isOpened: boolean;
  onToggle: () => void;
  onMove: (by: number) => void;
  onChange: (next: Draft) => void;
  onRemove: () => void;
}) {
  const t = useWords();
  const name = t(`Parada ${number}`, `Stop ${number}`);
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || by === 0) return;
    event.preventDefault();
    onMove(by);
  };
  const field = (
    key: Exclude<keyof Draft, 'key' | 'id' | 'lat' | 'lng'>,
    label: string,
    required = false,
  ) => (
    <Field
      label={label}
      required={required}
      value={draft[key]}
      maxLength={key === 'observacao' ? 1000 : 255}
      onChange={({ currentTarget }) => onChange({ ...draft, [key]: currentTarget.value })}
      autoComplete="off"
    />
  );
  return (
    <li>
      <div className="edit-stop-head">
        <button
          type="button"
          className="plain edit-stop"
          aria-expanded={isOpened}
          onClick={onToggle}
          onKeyDown={keys}
        >
          <span className="stop-mark stop" aria-hidden="true">
            {number}
          </span>
          <span>
            <span className="unseen">{name} </span>
            {draft.endereco || t('nova parada', 'new stop')}
            <span className="second soft">
              {[draft.nome_cliente, draft.bairro].filter(Boolean).join(' · ')}
            </span>
          </span>
        </button>
        <button
          type="button"
          className="icon"
          disabled={isFirst}
          aria-label={t(`${name}: para cima`, `${name}: up`)}
          onClick={() => onMove(-1)}
        >
          <Icon shape="up" />
        </button>
        <button
          type="button"
          className="icon"
          disabled={isLast}
          aria-label={t(`${name}: para baixo`, `${name}: down`)}
          onClick={() => onMove(1)}
        >
          <Icon shape="down" />
        </button>
        <button
          type="button"
          className="icon"
          disabled={isOnly}
          aria-label={t(`Excluir a parada ${number}`, `Remove stop ${number}`)}
          onClick={onRemove}
        >
          ×
        </button>
      </div>
      {isOpened && (
        <div className="edit-stop-fields">
          {field('endereco', t('Endereço e número', 'Street and number'), true)}
          {field('bairro', t('Bairro', 'District'), true)}
          {field('complemento', t('Complemento', 'Flat, floor'))}
          {field('referencia', t('Referência', 'Landmark'))}
          {field('nome_cliente', t('Quem recebe', 'Recipient'))}
          {field('telefone_cliente', t('Telefone', 'Phone'))}
          <DecimalField
            label={t('Cobrar (R$)', 'Collect (R$)')}
            value={draft.valor_cobrar}
            onValue={(valor_cobrar) => onChange({ ...draft, valor_cobrar })}
          />
          {field('observacao', t('Observação', 'Note'))}
        </div>
      )}
    </li>
  );
}

/** Before and after, and when each stop is reached. */
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
          // New stops have no id yet, and the list is shown as it came.
          <li key={stop.id ?? `new ${index}`}>
            {stop.endereco} <TimeAgo at={stop.previsao_nova} only="clock" />
          </li>
        ))}
      </ol>
    </div>
  );
}
