import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GetDebtResult, SettleDebtBody } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment, formatMoney } from '../../format.ts';
import { inReais, parseReais } from '../../reais.ts';
import { COMMON } from '../../texts/common.ts';
import { INBOX } from '../../texts/inbox.ts';
import { METHOD_NAMES } from '../../texts/server-names.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Refused, textOf, useSubmit } from '../../ui/form.tsx';
import caseStyles from './case.module.css';
import { type ChangedDebt, showChanged } from './changed-debt.ts';
import { NoteField, ReasonField, SnoozeFields, untilOf } from './decision-fields.tsx';
import { FormDialog } from './form-dialog.tsx';
import styles from './inbox.module.css';
import { handsBack } from './resumable.ts';
import { dayAt } from './snooze.ts';

export type Asked = 'resume' | 'withdraw' | 'snooze' | 'note' | 'settle';

/** What a dialog has done: the debt as it is now, and the sentence about it. */
export interface Done {
  readonly debt: ChangedDebt | null;
  readonly said: string;
  /** Whether the person goes on to the next case. */
  readonly decided: boolean;
}

interface DialogProps {
  readonly debt: GetDebtResult;
  readonly onClose: () => void;
  readonly onDone: (done: Done) => Promise<void>;
}

/** A person who disputes a debt, or says to have paid it, is written to again only after the team has checked it. */
function ResumeDialog({ debt, onClose, onDone }: DialogProps) {
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    if (handsBack(debt)) showChanged(queries, await quita.handBack({ path: { id: debt.id } }));
    const changed = await quita.resumeDebt({ path: { id: debt.id }, body: { note: textOf(form, 'note') } });
    await onDone({ debt: changed, said: INBOX.resumed, decided: true });
  });
  return (
    <FormDialog title={INBOX.resume} action={INBOX.resume} submit={submit} onClose={onClose}>
      <NoteField hint={INBOX.resumeNoteHint} required error={submit.errorAt('/note')} />
    </FormDialog>
  );
}

function WithdrawDialog({ debt, onClose, onDone }: DialogProps) {
  const submit = useSubmit(async (form) => {
    const reason = textOf(form, 'reason');
    const body = { reason: reason === '' ? null : reason };
    const changed = await quita.withdrawDebt({ path: { id: debt.id }, body });
    await onDone({ debt: changed, said: INBOX.withdrawn, decided: true });
  });
  return (
    <FormDialog title={INBOX.withdraw} action={INBOX.withdraw} danger submit={submit} onClose={onClose}>
      <p className={caseStyles['dialogText']}>{INBOX.withdrawText(inWrittenOrder(debt.debtorName))}</p>
      <ReasonField error={submit.errorAt('/reason')} />
    </FormDialog>
  );
}

function SnoozeDialog({ debt, onClose, onDone }: DialogProps) {
  const submit = useSubmit(async (form) => {
    const until = untilOf(form);
    const changed = await quita.snoozeDebt({ path: { id: debt.id }, body: { until } });
    await onDone({ debt: changed, said: INBOX.snoozedTill(formatMoment(until)), decided: true });
  });
  return (
    <FormDialog title={INBOX.snooze} action={INBOX.snooze} submit={submit} onClose={onClose}>
      <p className={caseStyles['dialogText']}>{INBOX.snoozeText}</p>
      <SnoozeFields error={submit.errorAt('/until')} />
    </FormDialog>
  );
}

function NoteDialog({ debt, onClose, onDone }: DialogProps) {
  const submit = useSubmit(async (form) => {
    await quita.addNote({ path: { id: debt.id }, body: { text: textOf(form, 'text') } }, { idempotencyKey: true });
    await onDone({ debt: null, said: INBOX.noted, decided: false });
  });
  return (
    <FormDialog title={INBOX.note} action={COMMON.save} submit={submit} onClose={onClose}>
      <TextAreaField
        label={INBOX.noteText}
        hint={INBOX.noteHint}
        name="text"
        maxLength={4_000}
        required
        error={submit.errorAt('/text')}
      />
    </FormDialog>
  );
}

type Method = SettleDebtBody['method'];
const METHODS = Object.entries(METHOD_NAMES).map(([value, label]) => ({ value, label }));

const wrongAmount = (): Refused =>
  new Refused({
    code: 'validation_failed',
    requestId: null,
    retryAfterSeconds: null,
    errors: [{ pointer: '/amount', code: 'amount_invalid', message: INBOX.settleAmountWrong }],
    problem: null,
  });

function SettleDialog({ debt, onClose, onDone }: DialogProps) {
  const [today] = useState(() => dayAt(Date.now()));
  const submit = useSubmit(async (form) => {
    const amount = parseReais(textOf(form, 'amount'));
    if (amount === null) throw wrongAmount();
    const note = textOf(form, 'note');
    const body = {
      amount,
      paidAt: textOf(form, 'day'),
      method: textOf(form, 'method') as Method,
      note: note === '' ? null : note,
    };
    const changed = await quita.settleDebt({ path: { id: debt.id }, body }, { idempotencyKey: true });
    await onDone({ debt: changed, said: INBOX.settled, decided: true });
  });
  return (
    <FormDialog
      title={INBOX.settleTitle(inWrittenOrder(debt.debtorName), formatMoney(debt.originalAmount))}
      action={INBOX.settle}
      submit={submit}
      onClose={onClose}
    >
      <p className={caseStyles['dialogText']}>{INBOX.settleText}</p>
      <TextField
        label={INBOX.settleAmount}
        hint={INBOX.settleAmountHint}
        name="amount"
        defaultValue={inReais(debt.originalAmount)}
        inputMode="decimal"
        autoComplete="off"
        required
        error={submit.errorAt('/amount')}
      />
      <TextField
        label={INBOX.settleDay}
        name="day"
        type="date"
        max={today}
        defaultValue={today}
        required
        error={submit.errorAt('/paidAt')}
      />
      <SelectField
        label={INBOX.settleMethod}
        name="method"
        options={METHODS}
        defaultValue={'cash' satisfies Method}
        error={submit.errorAt('/method')}
      />
      <TextField
        label={INBOX.settleNote}
        name="note"
        maxLength={1_000}
        autoComplete="off"
        error={submit.errorAt('/note')}
      />
    </FormDialog>
  );
}

const DIALOGS = {
  resume: ResumeDialog,
  withdraw: WithdrawDialog,
  snooze: SnoozeDialog,
  note: NoteDialog,
  settle: SettleDialog,
} as const;

export function DecisionDialog({ asked, ...props }: DialogProps & { readonly asked: Asked }) {
  const Asking = DIALOGS[asked];
  return <Asking {...props} />;
}

/** Lists the keys of the screen. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={INBOX.keys} onClose={onClose}>
      <dl className={styles['keys']}>
        {INBOX.keyList.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className={caseStyles['outlook']}>{INBOX.keysOff}</p>
    </Dialog>
  );
}
