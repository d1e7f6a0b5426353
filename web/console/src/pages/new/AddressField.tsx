import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { counted } from '../../../../shared/formats.ts';
import type { Position } from '../../../../shared/map/mapPoint.ts';
import { useWords } from '../../../../shared/words.ts';
import { type FoundAddress, type KnownAddress, useAddressSearch } from '../../data/addresses.ts';
import { plainText } from '../../plainText.ts';

/** A suggested address: found by the server, or used by the company. */
export type AddressOption =
  | { kind: 'found'; found: FoundAddress }
  | { kind: 'known'; group: 'pickup' | 'favourite' | 'recent'; name: string | null; known: KnownAddress };

interface AddressFieldProps {
  label: string;
  value: string;
  /** The company's addresses, suggested before typing and above those that the server finds. */
  known: readonly AddressOption[];
  near: Position | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  onType: (text: string) => void;
  onChoose: (option: AddressOption) => void;
  onLeave: () => void;
}

const PAUSE_MS = 120;
const TYPED_MIN = 3;
/** The maximum number of the company's addresses beside the server's suggestions. */
const KNOWN_BESIDE_MAX = 3;
const KNOWN_ALONE_MAX = 8;
const POSTCODE = /^\s*\d{5}-?\d{3}\s*$/;

/**
 * A field for an address, with suggestions during typing (the ARIA combobox pattern). The focus stays in the field; the
 * arrows move among the options, Enter takes the marked one, Escape closes the list.
 */
export function AddressField(props: AddressFieldProps) {
  const { label, value, known, near, hint, error, onType, onChoose, onLeave } = props;
  const t = useWords();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const text = usePaused(value.trim());
  const isLongEnough = text.length >= TYPED_MIN;
  const search = useAddressSearch(text, near, isOpen && isLongEnough);
  const found = (isLongEnough && search.data?.enderecos) || [];
  const options = optionsOf(value, known, found);
  const isTyped = value.trim().length >= TYPED_MIN;
  // After typing, the first option is marked, because it is the most probable. Before typing, none is.
  const marked = active >= 0 && active < options.length ? active : isTyped && options.length ? 0 : -1;
  const isShown = isOpen && options.length > 0;
  // During typing the list still belongs to an older text, so Enter waits for the list of the current one.
  const isCurrent =
    value.trim() === text && (!isLongEnough || (!search.isFetching && !search.isPlaceholderData));
  const [isWaiting, setWaiting] = useState(false);

  const choose = (option: AddressOption) => {
    setOpen(false);
    setActive(-1);
    setWaiting(false);
    onChoose(option);
  };
  useEffect(() => {
    if (!isWaiting || !isCurrent) return;
    setWaiting(false);
    const [first] = options;
    if (isOpen && first) choose(first);
    else onLeave();
  });

  // A complete postcode with only one street is chosen at once.
  const chosenPostcode = useRef('');
  const [only, ...others] = found;
  const isOnlyStreet = isOpen && isCurrent && POSTCODE.test(value) && others.length === 0;
  useEffect(() => {
    if (!isOnlyStreet || !only?.rua || chosenPostcode.current === text) return;
    chosenPostcode.current = text;
    choose({ kind: 'found', found: only });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const move = (to: number) => {
      event.preventDefault();
      setOpen(true);
      setActive((to + options.length) % Math.max(1, options.length));
    };
    if (event.key === 'ArrowDown') move(isShown ? marked + 1 : 0);
    else if (event.key === 'ArrowUp') move(isShown ? marked - 1 : options.length - 1);
    else if (event.key === 'Enter' && isOpen && (marked >= 0 || isTyped)) {
      event.preventDefault();
      event.stopPropagation();
      if (marked >= 0 && (isCurrent || active >= 0)) choose(options[marked]!);
      else setWaiting(true);
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };

  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field span-6 address-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && marked >= 0 ? `${id}-${marked}` : undefined}
        aria-describedby={described || undefined}
        aria-invalid={error ? true : undefined}
        autoComplete="off"
        value={value}
        placeholder={t('Rua e número, ou CEP', 'Street and number, or postcode')}
        onChange={({ currentTarget }) => {
          setOpen(true);
          setActive(-1);
          setWaiting(false);
          onType(currentTarget.value);
        }}
        onFocus={() => value.trim() === '' && setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          setWaiting(false);
          onLeave();
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <div
          id={`${id}-list`}
          role="listbox"
          className="address-options"
          aria-label={t('Sugestões', 'Suggestions')}
        >
          {options.map((option, index) => (
            <div
              key={keyOf(option)}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === marked}
              className={index === marked ? 'marked' : undefined}
              // On pointerdown, because the click comes after the field has lost the focus and closed the list.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(option);
              }}
            >
              <OptionText option={option} />
            </div>
          ))}
        </div>
      )}
      <span className="unseen" role="status">
        {isShown
          ? t(
              counted(options.length, 'sugestão', 'sugestões'),
              counted(options.length, 'suggestion', 'suggestions'),
            )
          : ''}
      </span>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

function OptionText({ option }: { option: AddressOption }) {
  const t = useWords();
  if (option.kind === 'found') {
    const { rua, numero, bairro, cidade, estado } = option.found;
    const [first, ...rest] = [
      rua && (numero ? `${rua}, ${numero}` : rua),
      bairro,
      `${cidade}/${estado}`,
    ].filter(Boolean);
    return (
      <>
        <span>{first}</span> <span className="soft">{rest.join(', ')}</span>
      </>
    );
  }
  const { known, name, group } = option;
  const groups = {
    pickup: t('coleta da empresa', 'company’s pickup'),
    favourite: t('favorito', 'favourite'),
    recent: t('recente', 'recent'),
  };
  return (
    <>
      <span>{name ?? known.nome_destinatario ?? known.endereco}</span>{' '}
      <span className="soft">
        {[(name ?? known.nome_destinatario) ? known.endereco : null, known.bairro].filter(Boolean).join(', ')}
      </span>
      <span className="address-kind">{groups[group]}</span>
    </>
  );
}

function optionsOf(
  typed: string,
  known: readonly AddressOption[],
  found: readonly FoundAddress[],
): AddressOption[] {
  const wanted = plainText(typed);
  if (wanted === '') return known.slice(0, KNOWN_ALONE_MAX);
  const words = wanted.split(/[\s,]+/).filter(Boolean);
  const used = known
    .filter((option) => words.every((word) => plainText(textOf(option)).includes(word)))
    .slice(0, KNOWN_BESIDE_MAX);
  return [...used, ...found.map((each): AddressOption => ({ kind: 'found', found: each }))];
}

const textOf = (option: AddressOption): string =>
  option.kind === 'known'
    ? [option.name, option.known.nome_destinatario, option.known.endereco, option.known.bairro].join(' ')
    : '';

const keyOf = (option: AddressOption): string =>
  option.kind === 'known'
    ? `${option.group}|${option.name}|${option.known.endereco}|${option.known.complemento}`
    : `${option.found.rua}|${option.found.numero}|${option.found.bairro}|${option.found.cidade}|${option.found.fonte}`;

/** The text, once typing has paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
