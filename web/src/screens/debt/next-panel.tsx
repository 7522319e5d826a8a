import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { GetContactEligibilityResult, GetDebtResult } from '../../api/client.ts';
import { failedOf } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment, formatPhone } from '../../format.ts';
import { showsDebts } from '../../live/stale.ts';
import { may } from '../../session/may.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBT } from '../../texts/debt.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { type Asked, DecisionDialog } from '../inbox/dialogs.tsx';
import { isResumable, needsNote } from '../inbox/resumable.ts';
import { correctionOf, whyNotCorrect } from './changes.ts';
import styles from './debt.module.css';
import { isCertain, nextStep, WAITS } from './next-step.ts';

/** Corrects a debt before its first payment. */
function CorrectDialog({
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

/** What happens next, and what the company can decide about it. */
export function NextPanel({
  debt,
  eligibility,
  zone,
  isTest,
}: {
  readonly debt: GetDebtResult;
  readonly eligibility: GetContactEligibilityResult | undefined;
  readonly zone: string;
  readonly isTest: boolean;
}) {
  const { id, status } = debt;
  const queries = useQueryClient();
  const [asked, ask] = useState<Asked | 'correct' | null>(null);
  const [decided, setDecided] = useState(0);
  const sentence = useRef<HTMLParagraphElement>(null);
  const waits = WAITS.has(status);
  const finish = async (said: string): Promise<void> => {
    await queries.invalidateQueries({ predicate: showsDebts });
    ask(null);
    setDecided((before) => before + 1);
    announce(said);
  };
  // A decision may take away the button that had the focus; then what happens now is read.
  useEffect(() => {
    if (decided > 0 && document.activeElement === document.body) sentence.current?.focus();
  }, [decided]);
  const resume = useSubmit(async () => {
    try {
      await quita.resumeDebt({ path: { id } });
    } catch (error) {
      // The debtor says to have paid: what was checked is asked for.
      if (failedOf(error).errors.some(({ pointer }) => pointer === '/note')) return ask('resume');
      throw error;
    }
    await finish(DEBT.resumed);
  });
  const handBack = useSubmit(async () => {
    await quita.handBack({ path: { id } });
    await finish(DEBT.handedBack);
  });
  return (
    <Panel title={DEBT.next}>
      <p ref={sentence} tabIndex={-1} className={styles['sentence']}>
        {nextStep(status, eligibility, zone)}
      </p>
      {!isCertain(status) && may('review') && (
        <p>
          <Link to="/regras">{DEBT.rules}</Link>
        </p>
      )}
      {debt.staffAnswersUntil !== null && (
        <Note>
          <p>{DEBT.staffUntil(formatMoment(debt.staffAnswersUntil, zone))}</p>
          <Button right="work" small icon="left" busy={handBack.busy} onClick={() => void handBack.run()}>
            {DEBT.handBack}
          </Button>
        </Note>
      )}
      <ProblemSummary failed={resume.failed ?? handBack.failed} />
      <div className={styles['actions']}>
        {waits && (
          <>
            <Button
              right="work"
              kind="primary"
              icon="play"
              busy={resume.busy}
              onClick={() => (needsNote(debt) ? ask('resume') : void resume.run())}
            >
              {DEBT.resume}
            </Button>
            <Button right="work" icon="snooze" onClick={() => ask('snooze')}>
              {DEBT.snooze}
            </Button>
          </>
        )}
        {!waits && isResumable(debt) && (
          <Button right="work" icon="play" busy={resume.busy} onClick={() => void resume.run()}>
            {DEBT.restart}
          </Button>
        )}
        {status !== 'IMPORTED' && (
          <ButtonLink to={`/atendimento/${id}`} icon="chat">
            {DEBT.answer}
          </ButtonLink>
        )}
        <Button right="work" icon="note" onClick={() => ask('note')}>
          {DEBT.note}
        </Button>
        {status !== 'PAID' && (
          <Button right="work" icon="money" onClick={() => ask('settle')}>
            {DEBT.settle}
          </Button>
        )}
        {isTest && (
          <ButtonLink to={`/simulador/${id}`} icon="simulator">
            {DEBT.simulator}
          </ButtonLink>
        )}
        <Button right="manage" icon="debts" disabledBecause={whyNotCorrect(debt)} onClick={() => ask('correct')}>
          {DEBT.correct}
        </Button>
        {status !== 'PAID' && status !== 'STOPPED' && (
          <Button
            right="work"
            kind="danger"
            icon="stop"
            disabledBecause={status === 'AGREEMENT' ? DEBT.cancelFirst : undefined}
            onClick={() => ask('withdraw')}
          >
            {DEBT.withdraw}
          </Button>
        )}
      </div>
      {asked === 'correct' && <CorrectDialog debt={debt} onClose={() => ask(null)} onDone={finish} />}
      {asked !== null && asked !== 'correct' && (
        <DecisionDialog asked={asked} debt={debt} onClose={() => ask(null)} onDone={({ said }) => finish(said)} />
      )}
    </Panel>
  );
}
