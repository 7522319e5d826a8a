import { useState } from 'react';
import { parseDay } from '../day.ts';
import { formatPlainDate } from '../format.ts';
import { COMMON } from '../texts/common.ts';
import { TextField } from './field.tsx';

const shown = (day: string): string => (day === '' ? '' : formatPlainDate(day));

/**
 * A day of a filter, written as in Brazil. A date field of the browser follows the browser's language, in which 05/10 may
 * be the tenth of May. `value` and `onDay` have `2026-11-20`, or nothing.
 */
export function DayField({
  label,
  value,
  required,
  onDay,
}: {
  readonly label: string;
  readonly value: string;
  readonly required?: true;
  readonly onDay: (day: string) => void;
}) {
  const [text, setText] = useState(shown(value));
  const [seen, setSeen] = useState(value);
  /** The last day that came from what was typed here. */
  const [given, setGiven] = useState(value);
  const [isWrong, setWrong] = useState(false);
  const take = (day: string): void => {
    setWrong(false);
    setGiven(day);
    if (day !== value) onDay(day);
  };
  if (seen !== value) {
    setSeen(value);
    // The filter was changed elsewhere, as by the button that clears all of them.
    if (value !== given) {
      setGiven(value);
      setText(shown(value));
      setWrong(false);
    }
  }
  return (
    <TextField
      label={label}
      placeholder={COMMON.dayHint}
      inputMode="numeric"
      required={required}
      autoComplete="off"
      maxLength={10}
      value={text}
      error={isWrong ? COMMON.dayWrong : undefined}
      onChange={({ target }) => {
        setText(target.value);
        const day = target.value.trim() === '' && !required ? '' : parseDay(target.value);
        if (day !== null) take(day);
      }}
      onBlur={() => {
        if (text.trim() === '') return setText(shown(value));
        const day = parseDay(text, { short: true });
        if (day === null) return setWrong(true);
        setText(shown(day));
        take(day);
      }}
    />
  );
}
