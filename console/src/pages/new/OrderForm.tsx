import { type ReactNode, useState } from 'react';
import { cornersOf, useMapAreas, useOptions } from '../../data/registers.ts';
import { type FieldErrors, fieldErrors } from '../../form.ts';
import { useSession } from '../../session.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { MapView } from '../../ui/map/MapView.tsx';
import type { MapPoint, Position } from '../../ui/map/mapPoint.ts';
import { useWords } from '../../words.ts';
import { EstimatePanel, useDraftRoute } from './EstimatePanel.tsx';
import { HowFields, PaymentField, PlaceFields, WhenFields, WhoFields } from './OrderFields.tsx';
import { newStop, type OrderDraft, positionOf, STOPS_MAX, type StopDraft } from './order.ts';
import { StopCard } from './StopCard.tsx';
import './new.css';

interface OrderFormProps {
  title: string;
  draft: OrderDraft;
  onChange: (changes: Partial<OrderDraft>) => void;
  /** An edit of a scheduled delivery: customer, category, return, coupon and note stay as they are (contract 4.3). */
  isReplacement?: boolean;
  /** The words of the button that sends the order. */
  send: string;
  isSending: boolean;
  error: Error | null;
  onSend: () => void;
  /** The words of the button that empties the form or undoes the changes. */
  reset: string;
  onReset: () => void;
  /** What the user should know before sending. */
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
  const isManager = useSession().perfil === 'gerente';
  /** Where a click on the map goes: the pickup, or a stop by its key. */
  const [active, setActive] = useState('partida');
  const errors = fieldErrors(error);
  const shared = { draft, errors, onChange };
  return (
    <form
      className="new-delivery"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <h1>{title}</h1>
      <div className="new-columns">
        <div>
          {!isManager && !isReplacement && <WhoFields {...shared} />}
          <Places {...shared} active={active} onActivate={setActive} />
          {isReplacement ? (
            <fieldset>
              <legend>{t('Como', 'How')}</legend>
              <PaymentField {...shared} />
            </fieldset>
          ) : (
            <HowFields {...shared} />
          )}
          <WhenFields {...shared} isAlwaysLater={isReplacement} />
        </div>
        <div className="new-side">
          <PlacingMap draft={draft} active={active} onActivate={setActive} onChange={onChange} />
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
              onClick={() => {
                onReset();
                setActive('partida');
              }}
            >
              {reset}
            </button>
          </div>
          {note && <p className="soft">{note}</p>}
        </div>
      </div>
    </form>
  );
}

interface PlacesProps {
  draft: OrderDraft;
  errors: FieldErrors;
  onChange: (changes: Partial<OrderDraft>) => void;
  active: string;
  onActivate: (place: string) => void;
}

/** The pickup, and the stops in their order. */
function Places({ draft, errors, onChange, active, onActivate }: PlacesProps) {
  const t = useWords();
  const [added, setAdded] = useState<string | null>(null);
  const { partida, paradas } = draft;
  const set = (stops: StopDraft[]) => onChange({ paradas: stops });
  const move = (index: number, by: number) => {
    const stops = [...paradas];
    const [stop] = stops.splice(index, 1);
    stops.splice(index + by, 0, stop!);
    set(stops);
  };
  const add = () => {
    const stop = newStop(partida);
    set([...paradas, stop]);
    setAdded(stop.key);
    onActivate(stop.key);
  };
  return (
    <>
      <fieldset
        className={active === 'partida' ? 'place active' : 'place'}
        onFocus={() => onActivate('partida')}
      >
        <legend>{t('Partida', 'Pickup')}</legend>
        <PlaceFields
          place={partida}
          errors={errors}
          name={(field) => `partida.${field}`}
          onChange={(changes) => onChange({ partida: { ...partida, ...changes } })}
        />
      </fieldset>
      {paradas.map((stop, index) => (
        <StopCard
          key={stop.key}
          stop={stop}
          index={index}
          count={paradas.length}
          isActive={active === stop.key}
          isNew={added === stop.key}
          errors={errors}
          onChange={(changes) =>
            set(paradas.map((each) => (each.key === stop.key ? { ...each, ...changes } : each)))
          }
          onMove={(by) => move(index, by)}
          onRemove={() => set(paradas.filter(({ key }) => key !== stop.key))}
          onActivate={() => onActivate(stop.key)}
        />
      ))}
      <p>
        <button type="button" disabled={paradas.length >= STOPS_MAX} onClick={add}>
          {t('Adicionar parada', 'Add a stop')}
        </button>{' '}
        <span className="soft">
          {paradas.length}/{STOPS_MAX}
        </span>
      </p>
    </>
  );
}

/** A click gives the active place its coordinates, and goes on to the next one that has none. */
function PlacingMap({
  draft,
  active,
  onActivate,
  onChange,
}: {
  draft: OrderDraft;
  active: string;
  onActivate: (place: string) => void;
  onChange: (changes: Partial<OrderDraft>) => void;
}) {
  const t = useWords();
  const { data: options } = useOptions();
  const { data: route } = useDraftRoute(draft);
  const areas = useMapAreas();
  const places = [{ key: 'partida', ...draft.partida }, ...draft.paradas];
  const points = places.flatMap((place, index): MapPoint[] => {
    const position = positionOf(place);
    return position
      ? [
          {
            ...position,
            id: place.key,
            shape: index === 0 ? 'pickup' : 'stop',
            letter: index === 0 ? t('P', 'P') : String(index),
            label:
              place.endereco || (index === 0 ? t('Partida', 'Pickup') : `${t('Parada', 'Stop')} ${index}`),
            selected: place.key === active,
          },
        ]
      : [];
  });
  const put = ({ lat, lng }: Position) => {
    const where = { lat: lat.toFixed(6), lng: lng.toFixed(6) };
    if (active === 'partida') onChange({ partida: { ...draft.partida, ...where } });
    else
      onChange({
        paradas: draft.paradas.map((stop) => (stop.key === active ? { ...stop, ...where } : stop)),
      });
    const next = places.find((place) => place.key !== active && !positionOf(place));
    const wasPlaced = places.some((place) => place.key === active && positionOf(place));
    if (next && !wasPlaced) onActivate(next.key);
  };
  const index = places.findIndex(({ key }) => key === active);
  const name = index <= 0 ? t('a partida', 'the pickup') : `${t('a parada', 'stop')} ${index}`;
  return (
    <div className="placing">
      <MapView
        label={t('Mapa: clique para dar lugar', 'Map: click to give a place')}
        points={points}
        lines={route && points.length > 1 ? [{ id: 'route', line: route.linha }] : []}
        areas={areas}
        around={points.length > 1 ? points : cornersOf(options?.limites)}
        aroundKey={points.length > 1 ? 'points' : 'area'}
        onClick={put}
        onSelect={onActivate}
      />
      <p className="hint">
        {t('Clique no mapa para marcar ', 'Click on the map to mark ')}
        <strong>{name}</strong>.
      </p>
    </div>
  );
}
