import { type ReactNode, useRef } from 'react';
import type { Position } from '../../../../shared/map/mapPoint.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type KnownAddress, type KnownAddresses, locateAddress } from '../../data/addresses.ts';
import { type FieldErrors, useAction } from '../../form.ts';
import { Field } from '../../ui/Field.tsx';
import { AddressField, type AddressOption } from './AddressField.tsx';
import {
  addressLine,
  BY_HAND,
  fromFound,
  fromKnown,
  type PlaceDraft,
  positionOf,
  readPair,
  type StopDraft,
} from './order.ts';
import './new.css';

/** The sources of suggestions for all places of an order. */
export interface PlaceAids {
  known: KnownAddresses | undefined;
  /** Among equally good suggestions, those near this position come first. */
  near: Position | undefined;
  companyId: string | null;
}

type PlaceChanges = Partial<StopDraft>;
type TextKey =
  | 'endereco'
  | 'numero'
  | 'bairro'
  | 'complemento'
  | 'referencia'
  | 'cidade'
  | 'estado'
  | 'lat'
  | 'lng';

interface PlaceFieldsProps extends PlaceAids {
  place: PlaceDraft;
  isPickup: boolean;
  errors: FieldErrors;
  /** Returns the interface's name of a field. */
  name: (field: string) => string;
  onChange: (changes: PlaceChanges) => void;
  /** Shown beside the place's own buttons. */
  children?: ReactNode;
}

/** The address of a pickup or a stop: a field with suggestions, the number, and the other parts of the address. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { place, isPickup, errors, name, onChange, known, near, companyId, children } = props;
  const t = useWords();
  const numberField = useRef<HTMLInputElement>(null);
  const complementField = useRef<HTMLInputElement>(null);
  const latest = useRef(place);
  latest.current = place;

  /** Locates a changed address again, unless the pin was set by hand. */
  const locate = async () => {
    const asked = latest.current;
    const line = addressLine(asked);
    if (line === '' || line === asked.localizado || asked.precisao === BY_HAND) return;
    const { bairro, cidade, estado } = asked;
    const found = await locateAddress({ endereco: line, bairro, cidade, estado }, near);
    // The address was changed, or the pin was set by hand, before the answer arrived.
    if (addressLine(latest.current) !== line || latest.current.precisao === BY_HAND) return;
    if (found?.rua) onChange(fromFound(found, latest.current));
  };
  const choose = (option: AddressOption) => {
    if (option.kind === 'known') {
      onChange(fromKnown(option.known, isPickup));
      complementField.current?.focus();
      return;
    }
    const changes = fromFound(option.found, place);
    onChange(changes);
    (changes.numero ? complementField : numberField).current?.focus();
  };
  /** Drops the position of the earlier text, because it must not be sent with a new address. */
  const retype = (changes: PlaceChanges) =>
    onChange(
      place.localizado !== '' && place.precisao !== BY_HAND
        ? { ...changes, lat: '', lng: '', precisao: '', localizado: '' }
        : changes,
    );

  const field = (key: TextKey) => ({
    value: place[key],
    error: errors.of(name(key)),
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ [key]: currentTarget.value }),
    autoComplete: 'off',
  });
  /** A change of the town drops the position too, because the same street exists in other towns. */
  const town = (key: 'cidade' | 'estado') => ({
    ...field(key),
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      retype({ [key]: currentTarget.value }),
    onBlur: () => void locate(),
  });
  const coordinate = (key: 'lat' | 'lng') => ({
    ...field(key),
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ ...(readPair(value) ?? { [key]: value }), precisao: BY_HAND }),
    inputMode: 'decimal' as const,
  });
  const missing = errors.of(name('lat')) ?? errors.of(name('lng'));
  return (
    <>
      <div className="place-fields">
        <AddressField
          label={t('Endereço', 'Address')}
          value={place.endereco}
          known={knownOptions(known, isPickup)}
          near={near}
          hint={usePrecision(place)}
          error={
            errors.of(name('endereco')) ??
            (missing && t('Marque o lugar no mapa.', 'Mark the place on the map.'))
          }
          onType={(endereco) => retype({ endereco })}
          onChoose={choose}
          onLeave={() => void locate()}
        />
        <Field
          ref={numberField}
          className="span-2"
          label={t('Número', 'Number')}
          {...field('numero')}
          inputMode="numeric"
          onChange={({ currentTarget }) => retype({ numero: currentTarget.value })}
          onBlur={() => void locate()}
        />
        <Field
          ref={complementField}
          className="span-4"
          label={t('Complemento', 'Complement')}
          {...field('complemento')}
        />
        <Field className="span-4" label={t('Bairro', 'District')} {...field('bairro')} />
        <Field className="span-3" label={t('Cidade', 'City')} {...town('cidade')} />
        <Field className="span-1" label={t('UF', 'State')} {...town('estado')} maxLength={2} />
        <Field className="span-4" label={t('Referência', 'Landmark')} {...field('referencia')} />
      </div>
      <div className="place-more">
        <details>
          <summary>{t('Mostrar coordenadas', 'Show coordinates')}</summary>
          <div className="place-fields">
            <Field className="span-3" label="Latitude" {...coordinate('lat')} />
            <Field className="span-3" label="Longitude" {...coordinate('lng')} />
          </div>
        </details>
        <KeepButton place={place} isPickup={isPickup} companyId={companyId} known={known} />
        {children}
      </div>
    </>
  );
}

/** Favourites and recent destinations for a stop, the company's own pickups for the pickup. */
function knownOptions(known: KnownAddresses | undefined, isPickup: boolean): AddressOption[] {
  if (!known) return [];
  const pickups = known.partidas.map(
    (each): AddressOption => ({ kind: 'known', group: 'pickup', name: each.nome, known: each }),
  );
  const favourites = known.favoritos.map(
    (each): AddressOption => ({ kind: 'known', group: 'favourite', name: each.nome, known: each }),
  );
  const recent = known.recentes
    .filter((each) => !known.favoritos.some((kept) => isSameDoor(kept, each)))
    .map((each): AddressOption => ({ kind: 'known', group: 'recent', name: null, known: each }));
  return isPickup ? [...pickups, ...favourites] : [...favourites, ...recent, ...pickups];
}

const isSameDoor = (a: KnownAddress, b: KnownAddress): boolean =>
  a.endereco === b.endereco && (a.complemento ?? '') === (b.complemento ?? '');

/** A hint about the precision of the position. */
function usePrecision(place: PlaceDraft): string | undefined {
  const t = useWords();
  if (!positionOf(place)) return undefined;
  switch (place.precisao) {
    case 'numero':
      return t('Encontrado no número.', 'Found at its number.');
    case 'numero_aproximado':
      return t(
        'Perto deste número: confira o ponto no mapa, e arraste-o se for preciso.',
        'Near this number: check the pin on the map, and drag it if necessary.',
      );
    case 'rua':
      return t(
        'Só a rua foi encontrada: complete o número, ou arraste o ponto no mapa.',
        'Only the street was found: add the number, or drag the pin on the map.',
      );
    case 'cep':
    case 'bairro':
    case 'municipio':
      return t(
        'Só a região foi encontrada: arraste o ponto no mapa até a porta.',
        'Only the area was found: drag the pin on the map to the door.',
      );
    case BY_HAND:
      return t('Ponto marcado no mapa.', 'Marked on the map.');
    default:
      return undefined;
  }
}

/** A button that keeps the address for the company's next orders. */
function KeepButton({
  place,
  isPickup,
  companyId,
  known,
}: {
  place: PlaceDraft & Partial<Pick<StopDraft, 'nome_cliente' | 'telefone_cliente'>>;
  isPickup: boolean;
  companyId: string | null;
  known: KnownAddresses | undefined;
}) {
  const t = useWords();
  const position = positionOf(place);
  const line = addressLine(place);
  const keep = useAction(
    () =>
      call('operacao', 'POST /empresas/{id}/enderecos', {
        id: companyId!,
        body: {
          tipo: isPickup ? 'partida' : 'favorito',
          nome: (place.nome_cliente?.trim() || line).slice(0, 100),
          endereco: line,
          complemento: place.complemento,
          referencia: place.referencia,
          bairro: place.bairro,
          cidade: place.cidade,
          estado: place.estado,
          ...position!,
          nome_destinatario: place.nome_cliente ?? null,
          telefone_destinatario: place.telefone_cliente ?? null,
          padrao: isPickup && known?.partidas.length === 0,
        },
      }),
    {
      done: isPickup
        ? t('Guardado nas coletas da empresa.', 'Kept among the company’s pickups.')
        : t('Guardado nos favoritos da empresa.', 'Kept among the company’s favourites.'),
      refresh: ['known-addresses', 'company-addresses'],
      toastsFailure: true,
    },
  );
  const kept = [...(known?.partidas ?? []), ...(known?.favoritos ?? [])];
  const isKept = kept.some(
    ({ endereco, complemento }) => endereco === line && (complemento ?? '') === place.complemento.trim(),
  );
  if (companyId === null || !known || !position || line === '' || !place.bairro.trim() || isKept) return null;
  return (
    <button type="button" className="quiet" disabled={keep.isPending} onClick={() => keep.mutate()}>
      {isPickup
        ? t('Guardar como coleta da empresa', 'Keep as the company’s pickup')
        : t('Guardar nos favoritos', 'Keep as a favourite')}
    </button>
  );
}
