import { type ComponentProps, useRef, useState } from 'react';
import { readDate, readTime, readWhole, showDate, showDecimal, typedAmount } from '../formats.ts';
import { useWords } from '../words.ts';
import { Field } from './Field.tsx';

/* Dates, hours, amounts and numbers are typed and shown as people write them in Brazil, whatever the browser's language. */

type Around = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type' | 'defaultValue'>;

interface TypedField extends Around {
  /** As the interfaces write it; empty: nothing. */
  value: string;
  onValue: (value: string) => void;
}

/** What is typed stays as it is typed; it follows the value when that changes from elsewhere. */
function useTyped(
  value: string,
  onValue: (value: string) => void,
  show: (value: string) => string,
  read: (text: string) => string,
  isSame: (typed: string, value: string) => boolean = (typed, given) => typed === given,
) {
  // A filter takes no half-typed day, so the value may stay as it was before the typing.
  const [{ text, before }, setTyped] = useState(() => ({ text: show(value), before: value }));
  const shown = isSame(read(text), value) || before === value ? text : show(value);
  const setText = (typed: string) => setTyped({ text: typed, before: value });
  return {
    value: shown,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setText(currentTarget.value);
      onValue(read(currentTarget.value));
    },
    onBlur: () => setText(show(read(shown))),
  };
}

const isSameNumber = (typed: string, value: string): boolean =>
  typed === value || (typed !== '' && value !== '' && Number(typed) === Number(value));

/** An amount of money, a rate or a percentage: 1.234,56. What is no number is passed on, for the server to say so. */
export function DecimalField({ value, onValue, ...around }: TypedField) {
  const typed = useTyped(value, onValue, showDecimal, typedAmount, isSameNumber);
  return <Field inputMode="decimal" autoComplete="off" {...around} {...typed} />;
}

/** A whole number: 12.000. */
export function WholeField({ value, onValue, ...around }: TypedField) {
  const typed = useTyped(value, onValue, showDecimal, readWhole);
  return <Field inputMode="numeric" autoComplete="off" {...around} {...typed} />;
}

/** For filters, which search by a whole day or by none. */
export const isWholeDay = (day: string): boolean => day === '' || /^\d{4}-\d{2}-\d{2}$/.test(day);

/** A day as dd/mm/aaaa; its value is AAAA-MM-DD. The button opens the browser's calendar. */
export function DateField({ value, onValue, className = '', ...around }: TypedField) {
  const t = useWords();
  const calendar = useRef<HTMLInputElement>(null);
  const typed = useTyped(value, onValue, showDate, readDate);
  return (
    <div className={`with-calendar ${className}`}>
      <Field
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dd/mm/aaaa', 'dd/mm/yyyy')}
        maxLength={10}
        {...around}
        {...typed}
      />
      <button
        type="button"
        className="plain"
        aria-label={t('Abrir calendário', 'Open calendar')}
        onClick={() => calendar.current?.showPicker()}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path
            d="M2 3.5h12v10H2zM2 6.5h12M5 2v3M11 2v3"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.3"
          />
        </svg>
      </button>
      <input
        ref={calendar}
        type="date"
        className="unseen"
        tabIndex={-1}
        aria-hidden="true"
        value={/^\d{4}-\d{2}-\d{2}$/.test(value) ? value : ''}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </div>
  );
}

/** An hour of the day, 24 hours: 18:30. */
export function TimeField({ value, onValue, ...around }: TypedField) {
  const typed = useTyped(value, onValue, (time) => time, readTime);
  return (
    <Field
      inputMode="numeric"
      autoComplete="off"
      placeholder="00:00"
      maxLength={5}
      className="hour"
      {...around}
      {...typed}
    />
  );
}

/** A day and an hour; its value is AAAA-MM-DDTHH:MM. */
export function MomentField({ value, onValue, label, hint, error, required }: TypedField) {
  const t = useWords();
  const [date = '', time = ''] = value.split('T');
  const set = (day: string, hour: string) => onValue(day === '' && hour === '' ? '' : `${day}T${hour}`);
  return (
    <div className="moment-fields">
      <DateField
        label={label}
        hint={hint}
        error={error}
        required={required}
        value={date}
        onValue={(day) => set(day, time || (day ? '00:00' : ''))}
      />
      <TimeField
        label={t('Hora', 'Time')}
        required={required}
        value={time}
        onValue={(hour) => set(date, hour)}
      />
    </div>
  );
}
