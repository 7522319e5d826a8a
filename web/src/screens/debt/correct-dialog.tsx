import type { GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatPhone } from '../../format.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBT } from '../../texts/debt.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { correctionOf } from './changes.ts';
import styles from './debt.module.css';

/** Corrects a debt before its first payment. */
export function CorrectDialog({
  debt,
  onClose,
  onDone,
}: {
  readonly debt: GetDebtResult;
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}) {
  const submit = useSubmit(async (form) => {
    const body = correctionOf(debt, (name) => textOf(form, name));
    if (Object.keys(body).length === 0) {
      announce(DEBT.nothingChanged);
      return onClose();
    }
    await quita.correctDebt({ path: { id: debt.id }, body });
    await onDone(DEBT.corrected);
  });
  return (
    <Dialog title={DEBT.correct} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <p className={styles['muted']}>{DEBT.correctText}</p>
        <TextField
          label={DEBT.phone}
          name="debtorPhone"
          type="tel"
          autoComplete="off"
          required
          defaultValue={formatPhone(debt.debtorPhone)}
          error={submit.errorAt('/debtorPhone')}
        />
        <TextField
          label={DEBT.email}
          name="debtorEmail"
          type="email"
          autoComplete="off"
          defaultValue={debt.debtorEmail ?? ''}
          error={submit.errorAt('/debtorEmail')}
        />
        <TextField
          label={DEBT.due}
          name="dueDate"
          type="date"
          required
          defaultValue={debt.dueDate}
          error={submit.errorAt('/dueDate')}
        />
        <TextField
          label={DEBT.amount}
          hint={DEBT.amountHint(debt.originalAmount)}
          name="originalAmount"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={debt.originalAmount.toFixed(2).replace('.', ',')}
          error={submit.errorAt('/originalAmount')}
        />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {COMMON.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
