import { createContext, type FormEvent, type ReactNode, use, useEffect, useId, useRef, useState } from 'react';
import type { Failed } from '../api/problem.ts';
import { COMMON } from '../texts/common.ts';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { TextField } from './field.tsx';
import { ProblemSummary } from './form.tsx';

/** Closes the dialog around a component, after a question where text would be lost. */
const Closing = createContext<() => void>(() => undefined);

/**
 * A native modal dialog: Escape closes it, and the focus returns to what opened it. Where something was written in it,
 * closing asks first, because the text would be lost. `isUnsaved` says it for a dialog that stays open when it has saved.
 */
export function Dialog({
  title,
  onClose,
  isUnsaved,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly isUnsaved?: () => boolean;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const written = useRef(false);
  const [asking, setAsking] = useState(false);
  const id = useId();
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    // What has to be read comes first, and else the first field, which is what the person came for; the dialog itself
    // would begin with its closing button.
    const first = opened?.querySelector<HTMLElement>('[data-read-first]');
    (first ?? opened?.querySelector<HTMLElement>('input, select, textarea'))?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = (): void => {
    if (isUnsaved?.() ?? written.current) setAsking(true);
    else onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onInput={({ target }) => {
        written.current ||= isWriting(target);
      }}
    >
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={COMMON.close} onClick={close} />
      </div>
      {asking && <LosesText onDiscard={onClose} onStay={() => setAsking(false)} />}
      <Closing value={close}>{children}</Closing>
    </dialog>
  );
}

/** Text that somebody has written. A word that is typed to confirm is no loss. */
const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type === 'text' && target.dataset['passing'] === undefined);

function LosesText({ onDiscard, onStay }: { readonly onDiscard: () => void; readonly onStay: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="alert" className={styles['loses']}>
      <p>{COMMON.losesText}</p>
      <div className={styles['buttons']}>
        <Button onClick={onStay}>{COMMON.keepWriting}</Button>
        <Button kind="danger" onClick={onDiscard}>
          {COMMON.discard}
        </Button>
      </div>
    </div>
  );
}

/** Leaves a dialog without doing what it is for. */
export const CancelButton = ({ label = COMMON.cancel }: { readonly label?: string }) => (
  <Button onClick={use(Closing)}>{label}</Button>
);

/**
 * Asks before something that cannot be undone. With `typed` the person writes that text first, so that nobody confirms by
 * habit.
 */
export function ConfirmDialog({
  title,
  children,
  action,
  danger,
  stay,
  typed,
  busy,
  failed = null,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** What leaving the dialog is called where the action itself cancels something. */
  readonly stay?: string;
  readonly typed?: string;
  readonly busy: boolean;
  readonly failed?: Failed | null;
  readonly onConfirm: (form: FormData) => void;
  readonly onClose: () => void;
}) {
  const [written, setWritten] = useState('');
  const missing = typed !== undefined && written.trim() !== typed.trim() ? COMMON.typeToConfirm(typed) : undefined;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (missing === undefined && !busy) onConfirm(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <ProblemSummary failed={failed} />
        <div className={styles['body']}>{children}</div>
        {typed !== undefined && (
          <TextField
            label={COMMON.typeToConfirm(typed)}
            value={written}
            data-passing
            autoComplete="off"
            required
            onChange={(event) => setWritten(event.target.value)}
          />
        )}
        <div className={styles['buttons']}>
          <CancelButton {...(stay !== undefined && { label: stay })} />
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy} disabledBecause={missing}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
