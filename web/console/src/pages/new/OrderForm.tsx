import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { useKnownAddresses } from '../../data/addresses.ts';
import { cornersOf, useOptions } from '../../data/registers.ts';
import { type FieldErrors, fieldErrors } from '../../form.ts';
import { useSession } from '../../session.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { EstimatePanel } from './EstimatePanel.tsx';
import { NewStopCard } from './NewStopCard.tsx';
import { DemandFields, HowFields, PaymentField, WhenFields, WhoFields } from './OrderFields.tsx';
import {
  addressLine,
  fromKnown,
  newStop,
  type OrderDraft,
  positionOf,
  STOPS_MAX,
  type StopDraft,
} from './order.ts';
import { type PlaceAids, PlaceFields } from './PlaceFields.tsx';
import { PlacingMap } from './PlacingMap.tsx';
import { useStopMoves } from './useStopMoves.tsx';
import './new.css';

/** A function gets the current order, because addresses are located while typing continues. */
export type ChangeOrder = (
  changes: Partial<OrderDraft> | ((before: OrderDraft) => Partial<OrderDraft>),
) => void;

/** The order after the changes. */
export const changedOrder = (before: OrderDraft, changes: Parameters<ChangeOrder>[0]): OrderDraft => ({
  ...before,
  ...(typeof changes === 'function' ? changes(before) : changes),
});

interface OrderFormProps {
  title: string;
  draft: OrderDraft;
  onChange: ChangeOrder;
  /** An edit of a scheduled delivery: customer, category, return, coupon and note stay as they are (contract 4.3). */
  isReplacement?: boolean;
  /** The label of the button that sends the order. */
  send: string;
  isSending: boolean;
  error: Error | null;
  onSend: () => void;
  /** The label of the button that empties the form or undoes the changes. */
  reset: string;
  onReset: () => void;
  /** A note for the user before sending. */
  note?: ReactNode;
}

/** The form of a new delivery, of a new scheduled delivery, and of the edit of a scheduled delivery. */
export function OrderForm({
  title,
  draft,
  onChange,
  isReplacement = false,
  send,
  isSending,
  error,
  onSend,
  reset,
  onReset,
  note,
}: OrderFormProps) {
  const t = useWords();
  const { empresa_id } = useSession();
  const isManager = empresa_id !== null;
  const companyId = isManager ? empresa_id : draft.quem === 'empresa' ? draft.empresa_id || null : null;
  const { data: known } = useKnownAddresses(companyId);
  useDefaultPickup({ draft, onChange, known, isWanted: !isReplacement });
  const near = useMiddle(draft);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover the form.
    if (isReplacement || !matchMedia('(pointer: fine)').matches) return;
    form.current?.querySelector<HTMLElement>('select, input[role=combobox]')?.focus({ preventScroll: true });
  }, [isReplacement]);
  const [added, setAdded] = useState<string | null>(null);
  /** The place that a click on the map sets: the pickup, or a stop by its key. */
  const [active, setActive] = useState('partida');
  const errors = fieldErrors(error);
  const shared = { draft, errors, onChange };
  const changePlace = (key: string, change: (place: StopDraft) => Partial<StopDraft>) =>
    onChange((before) => {
      const changed = <Place extends object>(place: Place): Place => ({
        ...place,
        ...change(place as unknown as StopDraft),
      });
      return key === 'partida'
        ? { partida: changed(before.partida) }
        : { paradas: before.paradas.map((stop) => (stop.key === key ? changed(stop) : stop)) };
    });
  const addStop = () => {
    if (draft.paradas.length >= STOPS_MAX) return;
    const stop = newStop(draft.partida);
    onChange(({ paradas }) => ({ paradas: [...paradas, stop] }));
    setAdded(stop.key);
    setActive(stop.key);
  };
  return (
    <form
      ref={form}
      className="new-delivery"
      noValidate
      onKeyDown={(event) => moveFocus(event, addStop)}
      onSubmit={(event) => {
        event.preventDefault();
        // Ctrl+Enter that is pressed twice or held sends once.
        if (!isSending) onSend();
      }}
    >
      <h1>{title}</h1>
      <div className="new-columns">
        <div>
          {!isManager && !isReplacement && <WhoFields {...shared} />}
          <Places
            draft={draft}
            errors={errors}
            onChange={onChange}
            onPlace={changePlace}
            onAdd={addStop}
            added={added}
            active={active}
            onActivate={setActive}
            aids={{ known, near, companyId }}
          />
          {isReplacement ? (
            <fieldset>
              <legend>{t('Como', 'How')}</legend>
              <PaymentField {...shared} />
              <DemandFields {...shared} />
            </fieldset>
          ) : (
            <HowFields {...shared} />
          )}
          <WhenFields {...shared} isAlwaysLater={isReplacement} />
        </div>
        <div className="new-side">
          <PlacingMap draft={draft} active={active} onActivate={setActive} onPlace={changePlace} />
          <EstimatePanel draft={draft} />
          <ErrorBox error={errors.rest} />
          {error && !errors.rest && (
            <p role="alert" className="field-error">
              {t('Corrija os campos marcados.', 'Correct the marked fields.')}
            </p>
          )}
          <div className="actions">
            <button type="submit" className="primary" disabled={isSending}>
              {isSending ? t('Enviando…', 'Sending…') : send}
            </button>
            <button
              type="button"
              disabled={isSending}
              onClick={() => {
                onReset();
                setActive('partida');
              }}
            >
              {reset}
            </button>
          </div>
          <p className="soft key-hints">
            <span>
              <kbd>Enter</kbd> {t('próximo endereço', 'next address')} ·
            </span>{' '}
            <span>
              <kbd>Alt</kbd>+<kbd>Enter</kbd> {t('nova parada', 'new stop')} ·
            </span>{' '}
            <span>
              <kbd>Alt</kbd>+<ArrowKeys /> {t('mover a parada', 'move the stop')} ·
            </span>{' '}
            <span>
              <kbd>Ctrl</kbd>+<kbd>Enter</kbd> {t('enviar', 'send')}
            </span>
          </p>
          {note && <p className="soft">{note}</p>}
        </div>
      </div>
    </form>
  );
}

function ArrowKeys() {
  const t = useWords();
  return (
    <kbd>
      <Icon shape="up" />
      <Icon shape="down" />
      <span className="unseen">{t('seta para cima ou para baixo', 'arrow up or down')}</span>
    </kbd>
  );
}

/** Enter moves to the next missing address, then to the button. Ctrl+Enter sends, Alt+Enter adds a stop. */
function moveFocus(event: KeyboardEvent<HTMLFormElement>, addStop: () => void): void {
  if (event.key !== 'Enter' || event.defaultPrevented) return;
  const form = event.currentTarget;
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.altKey) {
    event.preventDefault();
    addStop();
  } else if (['INPUT', 'SELECT'].includes(target.tagName)) {
    event.preventDefault();
    const fields = [...form.querySelectorAll<HTMLInputElement>('.place input[role=combobox]')];
    const next = fields.find((field) => field.value.trim() === '' && field !== target);
    (next ?? form.querySelector<HTMLButtonElement>('button[type=submit]'))?.focus();
  }
}

/** The position of this order, or else of the central's areas. Suggestions near it come first. */
function useMiddle({ partida, paradas }: OrderDraft) {
  const { data: options } = useOptions();
  const placed = [partida, ...paradas].map(positionOf).find((position) => position !== null);
  if (placed) return { lat: round(placed.lat), lng: round(placed.lng) };
  const [a, b] = cornersOf(options?.limites);
  return a && b ? { lat: round((a.lat + b.lat) / 2), lng: round((a.lng + b.lng) / 2) } : undefined;
}

/** Rounds to about a kilometre, so that dragging a pin causes no new requests. */
const round = (degrees: number): number => Math.round(degrees * 100) / 100;

/** Fills in the company's default pickup, unless another one was entered. */
function useDefaultPickup({
  draft,
  onChange,
  known,
  isWanted,
}: {
  draft: OrderDraft;
  onChange: ChangeOrder;
  known: PlaceAids['known'];
  isWanted: boolean;
}): void {
  const filled = useRef('');
  const { partida } = draft;
  const isFree =
    addressLine(partida) === '' ? positionOf(partida) === null : addressLine(partida) === filled.current;
  useEffect(() => {
    const usual = known?.partidas.find(({ padrao }) => padrao);
    if (!isWanted || !usual || !isFree || filled.current === usual.endereco) return;
    filled.current = usual.endereco;
    onChange((before) => ({ partida: { ...before.partida, ...fromKnown(usual, true) } }));
  });
}

interface PlacesProps {
  draft: OrderDraft;
  errors: FieldErrors;
  onChange: ChangeOrder;
  onPlace: (key: string, change: (place: StopDraft) => Partial<StopDraft>) => void;
  onAdd: () => void;
  /** The stop that was just added. */
  added: string | null;
  active: string;
  onActivate: (place: string) => void;
  aids: PlaceAids;
}

/** The pickup, and the stops in their order. */
function Places(props: PlacesProps) {
  const { draft, errors, onChange, onPlace, onAdd, added, active, onActivate, aids } = props;
  const t = useWords();
  const { partida, paradas } = draft;
  const places = useRef<HTMLDivElement>(null);
  const { moved, removed, announcement } = useStopMoves(places);
  const set = (next: (stops: StopDraft[]) => StopDraft[]) =>
    onChange((before) => ({ paradas: next(before.paradas) }));
  const move = (from: number, to: number) => {
    if (to < 0 || to >= paradas.length) return;
    set((stops) => stops.toSpliced(from, 1).toSpliced(to, 0, stops[from]!));
    moved(from, to, paradas.length);
  };
  const remove = (index: number) => {
    set((stops) => stops.toSpliced(index, 1));
    removed(index);
  };
  return (
    <div ref={places}>
      <fieldset
        className={active === 'partida' ? 'place active' : 'place'}
        onFocus={() => onActivate('partida')}
      >
        <legend>{t('Coleta', 'Pickup')}</legend>
        <PlaceFields
          {...aids}
          place={partida}
          isPickup
          errors={errors}
          name={(field) => `partida.${field}`}
          onChange={(changes) => onPlace('partida', () => changes)}
        />
      </fieldset>
      {paradas.map((stop, index) => (
        <NewStopCard
          {...aids}
          key={stop.key}
          stop={stop}
          index={index}
          count={paradas.length}
          isActive={active === stop.key}
          isNew={added === stop.key}
          errors={errors}
          onChange={(changes) => onPlace(stop.key, () => changes)}
          onMove={(by) => move(index, index + by)}
          onRemove={() => remove(index)}
          onActivate={() => onActivate(stop.key)}
        />
      ))}
      {announcement}
      <p>
        <button type="button" data-add-stop disabled={paradas.length >= STOPS_MAX} onClick={onAdd}>
          {t('Adicionar parada', 'Add a stop')}
        </button>{' '}
        <span className="soft">
          {paradas.length}/{STOPS_MAX}
        </span>
      </p>
    </div>
  );
}
