import { useState } from 'react';
import type { ChangeDebtsBody, ChangeDebtsResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { COMMON } from '../../texts/common.ts';
import { INBOX } from '../../texts/inbox.ts';
import { PROBLEM_TEXT } from '../../texts/problems.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../ui/field.tsx';
import { textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import type { Case } from './cases.ts';
import { FormDialog } from './form-dialog.tsx';
import styles from './inbox.module.css';
import { SnoozeFields, untilOf } from './snooze-fields.tsx';

type Action = ChangeDebtsBody['action'];

const LABEL: Readonly<Record<Action, string>> = {
  resume: INBOX.resume,
  withdraw: INBOX.withdraw,
  snooze: INBOX.snooze,
};

function bodyOf(action: Action, ids: string[], form: FormData): ChangeDebtsBody {
  const common = { ids, expect: ids.length };
  const note = textOf(form, 'note');
  if (action === 'resume') return { action, note: note === '' ? null : note, ...common };
  if (action === 'snooze') return { action, until: untilOf(form), ...common };
  const reason = textOf(form, 'reason');
  return { action, reason: reason === '' ? null : reason, ...common };
}

function Confirm({
  action,
  cases,
  onClose,
  onDone,
}: {
  readonly action: Action;
  readonly cases: readonly Case[];
  readonly onClose: () => void;
  readonly onDone: (result: ChangeDebtsResult) => Promise<void>;
}) {
  const submit = useSubmit(async (form) => {
    await onDone(await quita.changeDebts({ body: bodyOf(action, ids, form) }, { idempotencyKey: true }));
  });
  const ids = cases.map(({ id }) => id);
  const unanswered = cases.filter(({ reasons }) => reasons.some(({ reason }) => WANTS_ANSWER.has(reason))).length;
  const title = INBOX.bulkTitle[action](ids.length);
  return (
    <FormDialog title={title} action={title} danger={action === 'withdraw'} submit={submit} onClose={onClose}>
      <p className={styles['dialogText']}>{INBOX.bulkText[action]}</p>
      {action === 'resume' && unanswered > 0 && (
        <Note tone="warning">
          <p>{INBOX.bulkUnanswered(unanswered)}</p>
          <CheckboxField label={INBOX.bulkAnyway} name="anyway" required />
        </Note>
      )}
      {action === 'snooze' && <SnoozeFields error={submit.errorAt('/until')} />}
      {action === 'resume' && (
        <TextAreaField
          label={INBOX.resumeNote}
          hint={INBOX.resumeNoteSome}
          name="note"
          maxLength={1_000}
          error={submit.errorAt('/note')}
        />
      )}
      {action === 'withdraw' && (
        <TextField
          label={INBOX.withdrawReason}
          hint={INBOX.withdrawReasonHint}
          name="reason"
          maxLength={500}
          autoComplete="off"
          error={submit.errorAt('/reason')}
        />
      )}
    </FormDialog>
  );
}

/** Who asked for these has had no answer, and would get a reminder in its place. */
const WANTS_ANSWER: ReadonlySet<string> = new Set([
  'disputed',
  'negotiate',
  'hardship',
  'human',
  'said_paid',
  'question',
]);

/** Says which cases were left as they were, and why. */
function Skipped({
  result,
  names,
  onClose,
}: {
  readonly result: ChangeDebtsResult;
  readonly names: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={INBOX.bulkDone(result.done)} onClose={onClose}>
      <p>{INBOX.bulkSkipped(result.skipped.length)}</p>
      <ul className={styles['skipped']}>
        {result.skipped.map(({ id, code }) => (
          <li key={id}>
            {INBOX.skippedOne(
              names.get(id) ?? COMMON.none,
              code === 'note_required' ? INBOX.noteRequired : PROBLEM_TEXT[code],
            )}
          </li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        <Button kind="primary" onClick={onClose}>
          {COMMON.close}
        </Button>
      </div>
    </Dialog>
  );
}

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
  const [action, setAction] = useState<Action | null>(null);
  const [result, setResult] = useState<ChangeDebtsResult | null>(null);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const ids = cases.map(({ id }) => id);
  const done = async (answer: ChangeDebtsResult): Promise<void> => {
    setNames(new Map(cases.map(({ id, debt }) => [id, inWrittenOrder(debt.debtorName)])));
    setAction(null);
    if (answer.skipped.length > 0) setResult(answer);
    const skipped = new Set(answer.skipped.map(({ id }) => id));
    await onDone(
      ids.filter((id) => !skipped.has(id)),
      INBOX.bulkDone(answer.done),
    );
  };
  return (
    <>
      {cases.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: A toolbar is no group of form fields.
        <div className={styles['bulk']} role="group" aria-label={INBOX.bulkLabel}>
          <strong>{INBOX.marked(cases.length)}</strong>
          {(['resume', 'withdraw', 'snooze'] as const).map((one) => (
            <Button key={one} small onClick={() => setAction(one)}>
              {LABEL[one]}
            </Button>
          ))}
          <Button small kind="quiet" onClick={onUnmark}>
            {INBOX.unmark}
          </Button>
        </div>
      )}
      {action !== null && <Confirm action={action} cases={cases} onClose={() => setAction(null)} onDone={done} />}
      {result !== null && (
        <Skipped
          result={result}
          names={names}
          onClose={() => {
            setResult(null);
            onRead();
          }}
        />
      )}
    </>
  );
}
