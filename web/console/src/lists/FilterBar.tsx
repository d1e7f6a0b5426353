import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import { withKey } from '../keys.ts';
import { go, usePlace, withQuery } from '../router.tsx';
import { DateField, isWholeDay } from '../ui/BrazilianFields.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { activeFilters, type ListFilter, type Option, PERIODS } from './list.ts';

const TYPING_MS = 350;

/** The filters of a list. Every change goes to the address, and the list follows the address. */
export function FilterBar({
  filters,
  textRef,
  children,
}: {
  filters: readonly ListFilter[];
  textRef: RefObject<HTMLInputElement | null>;
  children?: ReactNode;
}) {
  return (
    <div className="filters list-filters">
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} textRef={textRef} />
      ))}
      {children}
    </div>
  );
}

/** The order, for phones, where cards have no column headers to press. */
export function OrderField({ orders, order }: { orders: readonly Option[]; order: string }) {
  const t = useWords();
  return (
    <div className="order-field">
      <SelectField
        label={t('Ordenar por', 'Sort by')}
        value={order}
        onChange={({ currentTarget }) => change({ ordem: currentTarget.value })}
      >
        {orders.map(({ value, pt, en }) => (
          <option key={value} value={value}>
            {t(pt, en)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

const change = (changes: Record<string, string | null>) => go(withQuery({ ...changes, sel: null }));

function FilterField({
  filter,
  textRef,
}: {
  filter: ListFilter;
  textRef: RefObject<HTMLInputElement | null>;
}) {
  const t = useWords();
  const { query } = usePlace();
  const { name, kind, pt, en, options = [], isFeminine } = filter;
  const value = query.get(name) ?? '';
  if (kind === 'text') return <TextFilter filter={filter} textRef={textRef} />;
  if (kind === 'period') return <PeriodFilter label={t(pt, en)} />;
  if (kind === 'choices') return <ChoicesFilter filter={filter} />;
  return (
    <SelectField
      label={t(pt, en)}
      value={value}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    >
      <option value="">{t(isFeminine ? 'Todas' : 'Todos', 'All')}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {t(option.pt, option.en)}
        </option>
      ))}
    </SelectField>
  );
}

/** The filter is applied when typing pauses. */
function TextFilter({
  filter: { name, pt, en },
  textRef,
}: {
  filter: ListFilter;
  textRef: RefObject<HTMLInputElement | null>;
}) {
  const t = useWords();
  const known = usePlace().query.get(name) ?? '';
  const [typed, setTyped] = useState(known);
  const latest = useRef(known);
  useEffect(() => {
    // Changed elsewhere, by a removed chip, a saved view or the back button.
    if (known === latest.current) return;
    latest.current = known;
    setTyped(known);
  }, [known]);
  useEffect(() => {
    if (typed.trim() === latest.current) return;
    const wait = setTimeout(() => {
      latest.current = typed.trim();
      go(withQuery({ [name]: typed.trim(), sel: null }), { replace: true });
    }, TYPING_MS);
    return () => clearTimeout(wait);
  }, [name, typed]);
  return (
    <Field
      label={t(pt, en)}
      type="search"
      placeholder={withKey('', 'f')}
      className="text-filter"
      value={typed}
      maxLength={100}
      ref={textRef}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}

function PeriodFilter({ label }: { label: string }) {
  const t = useWords();
  const { query } = usePlace();
  const [de, ate] = [query.get('de') ?? '', query.get('ate') ?? ''];
  const [isChoosing, setChoosing] = useState(false);
  const areDaysShown = isChoosing || de !== '' || ate !== '';
  const choose = (value: string) => {
    setChoosing(value === 'dias');
    change({ periodo: value === 'dias' ? null : value, de: null, ate: null });
  };
  return (
    <>
      <SelectField
        label={label}
        value={areDaysShown ? 'dias' : (query.get('periodo') ?? '')}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{t('Sempre', 'Any time')}</option>
        {PERIODS.map(({ value, pt, en }) => (
          <option key={value} value={value}>
            {t(pt, en)}
          </option>
        ))}
        <option value="dias">{t('Escolher dias…', 'Choose days…')}</option>
      </SelectField>
      {areDaysShown && (
        <>
          <DateField
            label={t('De', 'From')}
            value={de}
            onValue={(day) => isWholeDay(day) && change({ de: day, periodo: null })}
          />
          <DateField
            label={t('Até', 'Until')}
            value={ate}
            onValue={(day) => isWholeDay(day) && change({ ate: day, periodo: null })}
          />
        </>
      )}
    </>
  );
}

/** A choice of several: checkboxes behind a button. Escape or a click elsewhere closes the list. */
function ChoicesFilter({ filter }: { filter: ListFilter }) {
  const t = useWords();
  const { name, pt, en, options = [], isFeminine } = filter;
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLFieldSetElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const chosen = usePlace().query.get(name)?.split(',').filter(Boolean) ?? [];
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target)) return;
      setOpen(false);
    };
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', leaveByKey);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', leaveByKey);
    };
  }, [isOpen]);
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    change({ [name]: next.join(',') });
  };
  const first = options.find(({ value }) => value === chosen[0]);
  const summary =
    chosen.length === 0
      ? t(isFeminine ? 'Todas' : 'Todos', 'All')
      : chosen.length === 1 && first
        ? t(first.pt, first.en)
        : `${chosen.length} ${t(isFeminine ? 'escolhidas' : 'escolhidos', 'chosen')}`;
  return (
    <fieldset className="field choices" ref={place}>
      <legend>{t(pt, en)}</legend>
      <button
        type="button"
        ref={button}
        aria-expanded={isOpen}
        aria-label={`${t(pt, en)}: ${summary}`}
        onClick={() => setOpen(!isOpen)}
      >
        {summary}
      </button>
      {isOpen && (
        <div className="choices-list">
          {options.map((option) => (
            <label key={option.value}>
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                onChange={() => toggle(option.value)}
              />
              {t(option.pt, option.en)}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ filters }: { filters: readonly ListFilter[] }) {
  const t = useWords();
  const { query } = usePlace();
  const active = activeFilters(filters, query, t);
  if (active.length === 0) return null;
  const nothing = Object.assign(
    {},
    ...active.flatMap(({ without }) => Object.keys(without)).map((name) => ({ [name]: null })),
  );
  return (
    <ul className="chips" aria-label={t('Filtros ativos', 'Active filters')}>
      {active.map(({ key, label, without }) => (
        <li key={key}>
          <button
            type="button"
            onClick={() => change(without)}
            aria-label={t(`Tirar o filtro ${label}`, `Remove the filter ${label}`)}
          >
            {label} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="plain" onClick={() => change(nothing)}>
          {t('Limpar filtros', 'Clear filters')}
        </button>
      </li>
    </ul>
  );
}
