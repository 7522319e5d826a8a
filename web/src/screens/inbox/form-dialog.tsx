import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { ProblemSummary, type Submit } from '../../ui/form.tsx';
import styles from './case.module.css';
import { useRefreshWhenTaken } from './use-refresh-when-taken.ts';

/** A short form of one action. */
export function FormDialog({
  title,
  action,
  danger,
  submit,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly submit: Submit;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  useRefreshWhenTaken(submit.failed);
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        {children}
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={submit.busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
