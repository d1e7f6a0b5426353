import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react';
import { serverNow } from '../../../shared/clock.ts';
import {
  completeDate,
  completeTime,
  isDay,
  localInputs,
  readDate,
  readTime,
  readWhole,
  showDate,
  showDecimal,
  typedAmount,
} from '../../../shared/formats.ts';
import { useWords } from '../../../shared/words.ts';
import { useSession } from '../session.tsx';
import { Field } from './Field.tsx';

/* Dates, times, amounts and numbers are typed and shown as is usual in Brazil, whatever the browser's language. */

type Around = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type' | 'defaultValue'>;

interface TypedField extends Around {
  /** In the format of the interfaces; empty if there is none. */
  value: string;
  onValue: (value: string) => void;
}

interface Reading {
  show: (value: string) => string;
  read: (text: string) => string;
  /** Completes the text after typing has ended; by default it is only read. */
  complete?: (text: string) => string;
  isSame?: (typed: string, value: string) => boolean;
}

/** Keeps the text as it is typed, and follows the value when that changes from elsewhere. */
function useTyped(
  value: string,
  onValue: (value: string) => void,
  { show, read, complete = read, isSame = (typed, given) => typed === given }: Reading,
) {
  // A filter ignores a half-typed day, so the value may stay as it was before the typing.
  const [{ text, before }, setTyped] = useState(() => ({ text: show(value), before: value }));
  const [isTyping, setTyping] = useState(false);
  const shown = isSame(read(text), value) || before === value ? text : show(value);
  const setText = (typed: string) => setTyped({ text: typed, before: value });
  const finish = () => {
    const meant = complete(shown);
    setText(show(meant));
    setTyping(false);
    if (meant !== read(shown)) onValue(meant);
  };
  return {
    isTyping,
    input: {
      value: shown,
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
        setText(currentTarget.value);
        setTyping(true);
        onValue(read(currentTarget.value));
      },
      onBlur: finish,
      // Completes the text before Enter submits the form.
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Enter') finish();
      },
    },
  };
}

const isSameNumber = (typed: string, value: string): boolean =>
  typed === value || (typed !== '' && value !== '' && Number(typed) === Number(value));

/** An amount of money, a rate or a percentage: 1.234,56. Other texts are passed on, for the server to refuse. */
export function DecimalField({ value, onValue, ...around }: TypedField) {
  const { input } = useTyped(value, onValue, { show: showDecimal, read: typedAmount, isSame: isSameNumber });
  return <Field inputMode="decimal" autoComplete="off" {...around} {...input} />;
}

/** A whole number: 12.000. */
export function WholeField({ value, onValue, ...around }: TypedField) {
  const { input } = useTyped(value, onValue, { show: showDecimal, read: readWhole });
  return <Field inputMode="numeric" autoComplete="off" {...around} {...input} />;
}

/** Whether a filter can use the text: it is a complete day, or empty. */
export const isWholeDay = (day: string): boolean => day === '' || isDay(day);

/**
 * A day as dd/mm/yyyy; its value is YYYY-MM-DD. The button opens the browser's calendar. The field itself reports an
 * invalid day when it is left, because a filter would ignore it.
 */
export function DateField({ value, onValue, className = '', error, ...around }: TypedField) {
  const t = useWords();
  const { fuso_horario: zone } = useSession().central;
  const calendar = useRef<HTMLInputElement>(null);
  const { input, isTyping } = useTyped(value, onValue, {
    show: showDate,
    read: readDate,
    complete: (text) => completeDate(text, localInputs(serverNow(), zone).date),
  });
  const isWrong = !isTyping && !isWholeDay(readDate(input.value));
  return (
    <div className={`with-calendar ${className}`}>
      <Field
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dd/mm/aaaa', 'dd/mm/yyyy')}
        maxLength={10}
        {...around}
        error={
          error ??
          (isWrong ? t('Escreva um dia como 31/12/2026.', 'Write a day like 31/12/2026.') : undefined)
        }
        {...input}
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
        value={isDay(value) ? value : ''}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </div>
  );
}

/** A time of day in 24-hour format: 18:30. */
export function TimeField({ value, onValue, ...around }: TypedField) {
  const { input } = useTyped(value, onValue, {
    show: (time) => time,
    read: readTime,
    complete: completeTime,
  });
  return (
    <Field
      inputMode="numeric"
      autoComplete="off"
      placeholder="00:00"
      maxLength={5}
      className="hour"
      {...around}
      {...input}
    />
  );
}

/** A day and a time; its value is YYYY-MM-DDTHH:MM. */
export function MomentField({
  value,
  onValue,
  label,
  hint,
  error,
  required,
  usualTime = '00:00',
}: TypedField & {
  /** The time for a day that is entered without one. */
  usualTime?: string;
}) {
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
        onValue={(day) => set(day, time || (day ? usualTime : ''))}
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
