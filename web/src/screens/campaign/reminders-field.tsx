import { SETTINGS } from '../../texts/campaign-settings.ts';
import { SelectField } from '../../ui/field.tsx';
import { type Submit, textOf } from '../../ui/form.tsx';
import styles from './settings.module.css';

const PLACES = [0, 1, 2];
const DAYS = Array.from({ length: 11 }, (_, days) => days);
const OPTIONS = [
  { value: '', label: SETTINGS.noReminder },
  ...DAYS.map((days) => ({ value: String(days), label: SETTINGS.daysBefore(days) })),
];
const nameOf = (place: number): string => `reminder-${place}`;

/** The chosen days, the earliest reminder first, as the server keeps them. */
export const daysOf = (form: FormData): number[] =>
  PLACES.map((place) => textOf(form, nameOf(place)))
    .filter((days) => days !== '')
    .map(Number)
    .sort((one, other) => other - one);

/** The days before the due date on which people are reminded of a bill. */
export function RemindersField({
  daysBefore,
  submit,
}: {
  readonly daysBefore: readonly number[];
  readonly submit: Submit;
}) {
  return (
    <fieldset className={styles['group']}>
      <legend>{SETTINGS.reminders}</legend>
      <p className={styles['lead']}>{SETTINGS.remindersLead}</p>
      <div className={styles['days']}>
        {PLACES.map((place) => (
          <SelectField
            key={place}
            label={SETTINGS.reminderOf(place + 1)}
            name={nameOf(place)}
            options={OPTIONS}
            defaultValue={daysBefore[place] ?? ''}
            error={submit.errorAt(`/reminders/daysBefore/${place}`)}
          />
        ))}
      </div>
    </fieldset>
  );
}
