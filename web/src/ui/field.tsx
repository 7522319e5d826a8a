import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { COMMON } from '../texts/common.ts';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The sentence of a problem, from `useSubmit(...).errorAt(pointer)`. */
  readonly error?: string | undefined;
}

interface Ids {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** A label, an optional hint and an error around one control. */
function Field({
  label,
  hint,
  error,
  note,
  children,
}: FieldProps & { readonly note?: string | undefined; readonly children: (ids: Ids) => ReactNode }) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>
        {label}
        {note !== undefined && <span className={styles['optional']}>{` ${note}`}</span>}
      </label>
      {hint !== undefined && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': classNames(hintId, errorId) || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p id={errorId} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'>;

export function TextField({
  label,
  hint,
  error,
  neededLater,
  ...input
}: FieldProps &
  InputProps & {
    /** What an empty field does not allow yet, in place of saying that it may stay empty. */
    readonly neededLater?: string;
  }) {
  const note = input.required === true || input.type === 'search' ? undefined : (neededLater ?? COMMON.optional);
  return (
    <Field label={label} hint={hint} error={error} note={note}>
      {(ids) => <input type="text" {...input} {...ids} className={styles['control']} />}
    </Field>
  );
}

export function PasswordField({ label, hint, error, ...input }: FieldProps & InputProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <span className={styles['password']}>
          <input {...input} {...ids} type={shown ? 'text' : 'password'} className={styles['control']} />
          <button type="button" className={styles['show']} aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? COMMON.hide : COMMON.show}
            <span className="visually-hidden">{` ${label}`}</span>
          </button>
        </span>
      )}
    </Field>
  );
}

/** A password that is chosen, with the bounds of the server. */
export const NewPasswordField = (props: FieldProps & Pick<InputProps, 'name'>) => (
  <PasswordField autoComplete="new-password" minLength={8} maxLength={256} required {...props} />
);

export function SelectField({
  label,
  hint,
  error,
  options,
  optional,
  ...select
}: FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'className' | 'children'> & {
    /** Nothing has to be chosen. */
    readonly optional?: true;
    readonly options: readonly { readonly value: string; readonly label: string }[];
  }) {
  return (
    <Field label={label} hint={hint} error={error} note={optional && COMMON.optional}>
      {(ids) => (
        <select {...select} {...ids} className={styles['control']}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  ...area
}: FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <textarea rows={4} {...area} {...ids} className={styles['control']} />}
    </Field>
  );
}

export function CheckboxField({ label, hint, error, ...input }: FieldProps & InputProps) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <span className={styles['check']}>
        <input
          {...input}
          type="checkbox"
          id={id}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          aria-invalid={error === undefined ? undefined : true}
        />
        <label htmlFor={id}>{label}</label>
      </span>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error !== undefined && <p className={styles['error']}>{error}</p>}
    </div>
  );
}
