import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ChangeDebtsBody } from '../../api/client.ts';
import { failedOf } from '../../api/problem.ts';
import { COMPANY_ZONE } from '../../format.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBTS } from '../../texts/debts.ts';
import { INBOX } from '../../texts/inbox.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import { changeMany } from './change-many.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { usePossible } from './possible.ts';
import { type DebtSearch, filterOf } from './search.ts';
import { countOf, type Selection } from './selection.ts';
import { countNow } from './use-debt-pages.ts';

export type DebtAction = ChangeDebtsBody['action'];

const MAX_REASON_LENGTH = 500;
const DAY_MS = 86_400_000;
const dayAhead = (days: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: COMPANY_ZONE }).format(new Date(Date.now() + days * DAY_MS));

interface ActionDialogProps {
  readonly action: DebtAction;
  readonly search: DebtSearch;
  readonly selection: Selection;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/**
 * Says how many debts an action is for and asks. When the list has changed since, the server refuses; the dialog then
 * names the new number and asks again.
 */
export default function ActionDialog({ action, search, selection, onDone, onClose }: ActionDialogProps) {
  const queries = useQueryClient();
  const [expect, setExpect] = useState(countOf(selection));
  const [before, setBefore] = useState<number | null>(null);
  const key = useRef({ body: '', key: '' });
  const words = DEBTS.actions[action];
  const submit = useSubmit(async (form) => {
    const chosen =
      selection.kind === 'all'
        ? { search: filterOf(search), expect }
        : { ids: [...selection.ids], expect: selection.ids.size };
    try {
      const body = bodyOf(action, form, chosen);
      const text = JSON.stringify(body);
      // A repetition of the same body after a lost answer is the same call; another body is another one.
      if (key.current.body !== text) key.current = { body: text, key: crypto.randomUUID() };
      const result = await changeMany(body, key.current.key);
      const outcome = outcomeOf(result);
      announce(outcome.text);
      void queries.invalidateQueries({
        predicate: ({ queryKey: [topic] }) => CHANGED.includes(String(topic)),
      });
      onDone(outcome);
    } catch (error) {
      if (failedOf(error).code !== 'selection_changed' || selection.kind !== 'all') throw error;
      const now = await countNow(search);
      setBefore(expect);
      setExpect(now);
      announce(now === 0 ? DEBTS.changedToNone : DEBTS.changed(expect, now));
      void queries.invalidateQueries({ queryKey: ['debts'] });
    }
  });
  const possible = usePossible(action, search, selection);
  if (expect === 0 || possible === 0) {
    return (
      <Dialog title={words.name} onClose={onClose}>
        <Note tone="warning">{expect === 0 ? DEBTS.changedToNone : words.impossible(expect)}</Note>
        <Button kind="primary" onClick={onClose}>
          {COMMON.close}
        </Button>
      </Dialog>
    );
  }
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
      {before !== null && <Note tone="warning">{DEBTS.changed(before, expect)}</Note>}
      <p>{words.text}</p>
      {possible !== null && possible < expect && <Note tone="warning">{DEBTS.onlyPossible(possible, expect)}</Note>}
      {action === 'withdraw' && (
        <TextAreaField
          label={DEBTS.reason}
          hint={DEBTS.reasonHint}
          name="reason"
          maxLength={MAX_REASON_LENGTH}
          required
          error={submit.errorAt('/reason')}
        />
      )}
      {action === 'resume' && (
        <TextAreaField
          label={INBOX.resumeNote}
          hint={INBOX.resumeNoteSome}
          name="note"
          maxLength={1_000}
          error={submit.errorAt('/note')}
        />
      )}
      {action === 'snooze' && (
        <TextField
          label={DEBTS.until}
          hint={DEBTS.untilHint}
          name="until"
          type="date"
          required
          min={dayAhead(1)}
          max={dayAhead(365)}
          defaultValue={dayAhead(7)}
          error={submit.errorAt('/until')}
        />
      )}
      {expect > LONG && <p>{DEBTS.working}</p>}
    </ConfirmDialog>
  );
}

/** More debts than these take longer than a person expects. */
const LONG = 200;
const CHANGED = ['debts', 'debt', 'statistics', 'campaign', 'campaigns', 'dashboard', 'inbox'];

function bodyOf(
  action: DebtAction,
  form: FormData,
  chosen: Pick<ChangeDebtsBody, 'ids' | 'search' | 'expect'>,
): ChangeDebtsBody {
  if (action === 'withdraw') return { action, reason: textOf(form, 'reason'), ...chosen };
  if (action === 'snooze') return { action, until: `${textOf(form, 'until')}T09:00:00-03:00`, ...chosen };
  const note = textOf(form, 'note');
  return { action, note: note === '' ? null : note, ...chosen };
}
