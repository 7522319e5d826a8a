import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Failed } from '../api/problem.ts';
import { COMMON } from '../texts/common.ts';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { TextField } from './field.tsx';
import { ProblemSummary } from './form.tsx';

/** A native modal dialog: Escape closes it, and the focus returns to what opened it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    // The first field is what the person came for; the dialog itself would begin with its closing button.
    opened?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} className={styles['dialog']} aria-labelledby={id} onClose={onClose} onCancel={onClose}>
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={COMMON.close} onClick={onClose} />
      </div>
      {children}
    </dialog>
  );
}

/**
 * Asks before something that cannot be undone. With `typed` the person writes that text first, so that nobody confirms by
 * habit.
 */
export function ConfirmDialog({
  title,
  children,
  action,
  danger,
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
            autoComplete="off"
            required
            onChange={(event) => setWritten(event.target.value)}
          />
        )}
        <div className={styles['buttons']}>
          <Button onClick={onClose}>{COMMON.cancel}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy} disabledBecause={missing}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
