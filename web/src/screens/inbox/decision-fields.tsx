import { useState } from 'react';
import { formatDay } from '../../format.ts';
import { INBOX } from '../../texts/inbox.ts';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { textOf } from '../../ui/form.tsx';
import styles from './case.module.css';
import { inDays, nextMonday, nineOf, tomorrow } from './snooze.ts';

const OTHER = 'other';
/** The days that the server allows. */
const MAX_DAYS = 365;
/** A hardship takes longer than a few days. */
const FURTHER = [7, 15, 30];

interface FieldProps {
  readonly error: string | undefined;
}

/** Why a debt is withdrawn, which only the staff read. */
export const ReasonField = ({ error }: FieldProps) => (
  <TextField
    label={INBOX.withdrawReason}
    hint={INBOX.withdrawReasonHint}
    name="reason"
    maxLength={500}
    autoComplete="off"
    error={error}
  />
);

/** What the staff have found out before a person is written to again. */
export const NoteField = ({
  error,
  hint,
  required,
}: FieldProps & { readonly hint: string; readonly required?: true }) => (
  <TextAreaField
    label={INBOX.resumeNote}
    hint={hint}
    name="note"
    minLength={10}
    maxLength={1_000}
    required={required}
    error={error}
  />
);

/** The moment that the form names. */
export const untilOf = (form: FormData): string => {
  const chosen = textOf(form, 'until');
  return nineOf(chosen === OTHER ? textOf(form, 'day') : chosen);
};

const inWords = (day: string): string => `${formatDay(nineOf(day))}, 9h`;

/** Tomorrow, next Monday, in some days or on a day, always at nine o’clock. */
export function SnoozeFields({ error }: FieldProps) {
  const [now] = useState(() => Date.now());
  const [chosen, setChosen] = useState(() => tomorrow(now));
  const choices = [
    { value: tomorrow(now), label: INBOX.tomorrow(inWords(tomorrow(now))) },
    { value: nextMonday(now), label: INBOX.nextMonday(inWords(nextMonday(now))) },
    ...FURTHER.map((days) => ({ value: inDays(now, days), label: INBOX.inDays(days, inWords(inDays(now, days))) })),
    { value: OTHER, label: INBOX.otherDay },
  ].filter(({ value }, index, all) => all.findIndex((one) => one.value === value) === index);
  return (
    <>
      <fieldset className={styles['choices']}>
        <legend>{INBOX.snoozeUntil}</legend>
        {choices.map(({ value, label }) => (
          <label key={value} className={styles['choice']}>
            <input
              type="radio"
              name="until"
              value={value}
              checked={chosen === value}
              onChange={() => setChosen(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {chosen === OTHER && (
        <TextField
          label={INBOX.day}
          name="day"
          type="date"
          min={tomorrow(now)}
          max={inDays(now, MAX_DAYS)}
          required
          error={error}
        />
      )}
    </>
  );
}
