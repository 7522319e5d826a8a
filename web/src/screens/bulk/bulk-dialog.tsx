import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangeDebtsBody, ChangeDebtsResult } from '../../api/client.ts';
import { failedOf } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { BULK } from '../../texts/bulk.ts';
import { COMMON } from '../../texts/common.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { CheckboxField } from '../../ui/field.tsx';
import { textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import { NoteField, ReasonField, SnoozeFields, untilOf } from '../inbox/decision-fields.tsx';
import { type BulkAction, type Chosen, countNow, countOf, countUnanswered, usePossible } from './chosen.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** The longest call takes about ten minutes; a connection that stays away for half a minute is reported. */
const MAX_WAITS = 200;
const MAX_LOST = 10;
const WAIT_MS = 3_000;

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, WAIT_MS));

/**
 * Changes many debts. A call of thousands takes minutes: it goes on when its connection breaks, and its repetition then
 * asks for its answer instead of doing it again.
 */
async function changeMany(body: ChangeDebtsBody): Promise<ChangeDebtsResult> {
  let lost = 0;
  for (let waits = 1; ; waits += 1) {
    try {
      return await quita.changeDebts({ body }, { idempotencyKey: true, timeout: 0 });
    } catch (error) {
      const { code } = failedOf(error);
      if (code === 'offline') lost += 1;
      const mayGoOn = (code === 'offline' && lost <= MAX_LOST) || code === 'idempotency_running';
      if (!mayGoOn || waits > MAX_WAITS) throw error;
      await pause();
    }
  }
}

/** More debts than these take longer than a person expects. */
const LONG = 200;

function bodyOf(action: BulkAction, form: FormData, chosen: Chosen, expect: number): ChangeDebtsBody {
  const debts = chosen.kind === 'all' ? { search: chosen.search, expect } : { ids: [...chosen.ids], expect };
  const written = (name: string): string | null => textOf(form, name) || null;
  if (action === 'withdraw') return { action, reason: written('reason'), ...debts };
  if (action === 'snooze') return { action, until: untilOf(form), ...debts };
  return { action, note: written('note'), ...debts };
}

/**
 * Says how many debts an action is for and asks. When the list has changed since, the server refuses; the dialog then
 * names the new number and asks again.
 */
export default function BulkDialog({
  action,
  chosen,
  onDone,
  onClose,
}: {
  readonly action: BulkAction;
  readonly chosen: Chosen;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [expect, setExpect] = useState(countOf(chosen));
  const [before, setBefore] = useState<number | null>(null);
  const words = BULK.actions[action];
  const submit = useSubmit(async (form) => {
    try {
      const body = bodyOf(action, form, chosen, expect);
      onDone(outcomeOf(await changeMany(body), chosen.known));
    } catch (error) {
      if (failedOf(error).code !== 'selection_changed' || chosen.kind !== 'all') throw error;
      const now = await countNow(chosen.search);
      setBefore(expect);
      setExpect(now);
      announce(now === 0 ? BULK.changedToNone : BULK.changed(expect, now));
      void queries.invalidateQueries({ queryKey: ['debts'] });
    }
  });
  const possible = usePossible(action, chosen);
  if (expect === 0 || possible === 0) {
    return (
      <Dialog title={words.name} onClose={onClose}>
        <Note tone="warning">{expect === 0 ? BULK.changedToNone : words.impossible(expect)}</Note>
        <Button kind="primary" onClick={onClose}>
          {COMMON.close}
        </Button>
      </Dialog>
    );
  }
  const unanswered = action === 'resume' ? countUnanswered(chosen) : 0;
  return (
    <ConfirmDialog
      title={words.title(expect)}
      action={words.title(expect)}
      danger={action === 'withdraw'}
      busy={submit.busy}
      failed={submit.failed}
      onConfirm={(form) => void submit.run(form)}
      onClose={onClose}
    >
      {before !== null && <Note tone="warning">{BULK.changed(before, expect)}</Note>}
      <p>{words.text}</p>
      {possible !== null && possible < expect && <Note tone="warning">{BULK.onlyPossible(possible, expect)}</Note>}
      {unanswered > 0 && (
        <Note tone="warning">
          <p>{BULK.unanswered(unanswered)}</p>
          <CheckboxField label={BULK.anyway} name="anyway" required />
        </Note>
      )}
      {action === 'withdraw' && <ReasonField error={submit.errorAt('/reason')} />}
      {action === 'resume' && <NoteField hint={BULK.noteHint} error={submit.errorAt('/note')} />}
      {action === 'snooze' && <SnoozeFields error={submit.errorAt('/until')} />}
      {expect > LONG && <p>{BULK.working}</p>}
    </ConfirmDialog>
  );
}
