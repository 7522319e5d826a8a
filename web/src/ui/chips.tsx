import styles from './chips.module.css';
import { classNames } from './class-names.ts';

/** A row of choices, one of which holds: filters and the views of a screen. */
export function Chips<Key extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly { readonly key: Key; readonly label: string; readonly count?: number }[];
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}) {
  return (
    <fieldset className={styles['chips']}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(({ key, label: text, count }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === chosen}
          className={classNames(styles['chip'], key === chosen && styles['chosen'])}
          onClick={() => onChoose(key)}
        >
          {text}
          {count !== undefined && <span className={styles['count']}>{` ${count}`}</span>}
        </button>
      ))}
    </fieldset>
  );
}
