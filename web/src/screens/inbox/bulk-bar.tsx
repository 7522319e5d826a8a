import { useState } from 'react';
import { BULK } from '../../texts/bulk.ts';
import { COMMON } from '../../texts/common.ts';
import { INBOX } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import BulkDialog from '../bulk/bulk-dialog.tsx';
import { BULK_ACTIONS, type BulkAction, type Chosen } from '../bulk/chosen.ts';
import type { Outcome } from '../bulk/outcome.ts';
import { OutcomeReport } from '../bulk/outcome-report.tsx';
import caseStyles from './case.module.css';
import type { Case } from './cases.ts';
import styles from './inbox.module.css';

const chosenOf = (cases: readonly Case[]): Extract<Chosen, { kind: 'some' }> => ({
  kind: 'some',
  ids: cases.map(({ id }) => id),
  known: new Map(
    cases.map(({ id, debt: { debtorName, status }, reasons }) => [
      id,
      { debtorName, status, reasons: reasons.map(({ reason }) => reason) },
    ]),
  ),
});

/** One decision about several cases. */
export function BulkBar({
  cases,
  onUnmark,
  onDone,
  onRead,
}: {
  readonly cases: readonly Case[];
  readonly onUnmark: () => void;
  readonly onDone: (ids: readonly string[], said: string) => Promise<void>;
  /** What was skipped has been read. */
  readonly onRead: () => void;
}) {
  const [asked, ask] = useState<{ action: BulkAction; chosen: ReturnType<typeof chosenOf> } | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const finish = (ids: readonly string[], answer: Outcome): void => {
    ask(null);
    if (answer.skipped.length > 0) setOutcome(answer);
    const skipped = new Set(answer.skipped.map(({ id }) => id));
    void onDone(
      ids.filter((id) => !skipped.has(id)),
      answer.text,
    );
  };
  const read = (): void => {
    setOutcome(null);
    onRead();
  };
  return (
    <>
      {cases.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: A toolbar is no group of form fields.
        <div className={styles['bulk']} role="group" aria-label={INBOX.bulkLabel}>
          <strong>{INBOX.marked(cases.length)}</strong>
          {BULK_ACTIONS.map((action) => (
            <Button
              key={action}
              small
              {...(action === 'withdraw' && { kind: 'danger' as const })}
              onClick={() => ask({ action, chosen: chosenOf(cases) })}
            >
              {BULK.actions[action].name}
            </Button>
          ))}
          <Button small kind="quiet" onClick={onUnmark}>
            {INBOX.unmark}
          </Button>
        </div>
      )}
      {asked !== null && (
        <BulkDialog {...asked} onDone={(answer) => finish(asked.chosen.ids, answer)} onClose={() => ask(null)} />
      )}
      {outcome !== null && (
        <Dialog title={INBOX.bulkOutcome} onClose={read}>
          <OutcomeReport outcome={outcome} />
          <div className={caseStyles['buttons']}>
            <Button kind="primary" onClick={read}>
              {COMMON.close}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
