import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Offers } from '../../agreements/offers.tsx';
import { useOffers } from '../../agreements/use-agreements.ts';
import type { GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatAgo, formatCnpj, formatMoment, formatMoney, formatPhone, formatPlainDate } from '../../format.ts';
import { may } from '../../session/may.ts';
import { COMMON } from '../../texts/common.ts';
import { INBOX } from '../../texts/inbox.ts';
import { INBOX_REASON, whyNot } from '../../texts/words.ts';
import { placeOfPhone } from '../../timeline/zone.ts';
import { Button } from '../../ui/button.tsx';
import { FailedNote } from '../../ui/failure.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { HiddenCpf } from '../../ui/hidden-cpf.tsx';
import { Facts } from '../../ui/page.tsx';
import styles from './case.module.css';
import type { Case } from './cases.ts';
import { showChanged } from './changed-debt.ts';
import type { Asked, Done } from './dialogs.tsx';
import { handsBack, isResumable, needsNote, resumesAgreement } from './resumable.ts';
import { RightsRequests } from './rights-requests.tsx';
import { useNow } from './use-now.ts';
import { useRefreshWhenTaken } from './use-refresh-when-taken.ts';

/** What can be offered to a person who wants other terms, so that one press closes the case. */
function StandingOffers({ debt }: { readonly debt: GetDebtResult }) {
  const { data } = useOffers(debt);
  if (data === undefined) return null;
  return (
    <section className={styles['offers']} aria-label={INBOX.offers}>
      <h3>{INBOX.offers}</h3>
      <Offers debt={debt} offers={data} />
    </section>
  );
}

/** Why a debt cannot be withdrawn; undefined when it can. A debt that was stopped may still wait for this decision. */
export function whyNotWithdraw({ status }: GetDebtResult, waits: boolean): string | undefined {
  if (status === 'AGREEMENT') return INBOX.withdrawAgreement;
  return status === 'PAID' || (status === 'STOPPED' && !waits) ? INBOX.withdrawNotNow : undefined;
}

/** From when the policy would allow a contact, told before the decision. */
function NextMoment({ debt }: { readonly debt: GetDebtResult }) {
  const { data } = useQuery({
    queryKey: ['debt', debt.id, 'eligibility', 'resumed'],
    queryFn: () => quita.getContactEligibility({ path: { id: debt.id }, query: { resumed: 'true' } }),
    placeholderData: () => undefined,
  });
  if (data === undefined) return null;
  const rules = data.rules.map(whyNot).join(', ');
  const text = data.allowed
    ? INBOX.resumeNow
    : data.notBefore === null
      ? INBOX.resumeNever(rules)
      : INBOX.resumeFrom(formatMoment(data.notBefore, placeOfPhone(debt.debtorPhone).zone));
  return text;
}

/** What the person at the company can decide about a case. */
export function Decision({
  debt,
  one,
  onAsk,
  onAnswer,
  onDone,
}: {
  readonly debt: GetDebtResult;
  /** The case in the queue; absent for a debt that was opened by its address and waits for nothing. */
  readonly one: Case | undefined;
  readonly onAsk: (asked: Asked) => void;
  readonly onAnswer: () => void;
  readonly onDone: (done: Done) => Promise<void>;
}) {
  const now = useNow();
  const queries = useQueryClient();
  const resume = useSubmit(async () => {
    // What was handed back stays so when the rest fails, and is not asked for again.
    if (handsBack(debt)) showChanged(queries, await quita.handBack({ path: { id: debt.id } }));
    const changed = await quita.resumeDebt({ path: { id: debt.id } });
    await onDone({ debt: changed, said: INBOX.resumed, decided: true });
  });
  const unsnooze = useSubmit(async () => {
    const changed = await quita.snoozeDebt({ path: { id: debt.id }, body: { until: null } });
    await onDone({ debt: changed, said: INBOX.unsnoozed, decided: true });
  });
  const waits = one !== undefined && !one.solved;
  const mayResume = isResumable(debt) || resumesAgreement(debt, waits);
  const asksForNote = needsNote(
    debt,
    one?.reasons.map(({ reason }) => reason),
  );
  // After a dispute or a question an answer helps more than going on, so it comes first.
  const answerFirst = debt.status === 'DISPUTED' && debt.staffAnswersUntil === null;
  const { failed } = resume.failed === null ? unsnooze : resume;
  useRefreshWhenTaken(failed);
  return (
    <>
      {waits && (
        <>
          <h3>{INBOX.waits}</h3>
          <ul className={styles['reasons']}>
            {one.reasons.map(({ reason, since, dueAt }) => (
              <li key={reason}>
                <strong>{INBOX_REASON[reason]}</strong>
                <span className={styles['outlook']}>{` ${INBOX.since(formatAgo(since, now))}`}</span>
                <p>{INBOX.hint(reason)}</p>
                {dueAt !== undefined && <p>{INBOX.term(reason, formatMoment(dueAt))}</p>}
              </li>
            ))}
          </ul>
        </>
      )}
      {waits && one.reasons.some(({ reason }) => reason === 'negotiate') && <StandingOffers debt={debt} />}
      {waits && <RightsRequests debt={debt} one={one} onDone={onDone} />}
      {failed !== null && <FailedNote failed={failed} />}
      {may('work') && (
        <div className={styles['actions']}>
          {answerFirst && (
            <>
              <Button kind="primary" icon="send" onClick={onAnswer}>
                {INBOX.answer}
              </Button>
              <p className={styles['outlook']}>{INBOX.answerText}</p>
            </>
          )}
          <Button
            kind={answerFirst ? 'default' : 'primary'}
            icon="play"
            busy={resume.busy}
            disabledBecause={mayResume ? undefined : INBOX.resumeNotNow}
            onClick={() => (asksForNote ? onAsk('resume') : void resume.run())}
          >
            {handsBack(debt) ? INBOX.handBackAndResume : INBOX.resume}
          </Button>
          {mayResume && (
            <p className={styles['outlook']}>
              {debt.status === 'AGREEMENT' ? (
                INBOX.resumeAgreementText
              ) : (
                <>
                  {handsBack(debt) ? INBOX.handBackAndResumeText : INBOX.resumeText} <NextMoment debt={debt} />
                </>
              )}
            </p>
          )}
          <Button icon="money" onClick={() => onAsk('settle')}>
            {INBOX.settle}
          </Button>
          <Button icon="note" onClick={() => onAsk('note')}>
            {INBOX.note}
          </Button>
          {one?.snoozedUntil == null ? (
            <Button
              icon="snooze"
              disabledBecause={waits ? undefined : INBOX.snoozeNotNow}
              onClick={() => onAsk('snooze')}
            >
              {INBOX.snooze}
            </Button>
          ) : (
            <Button icon="inbox" busy={unsnooze.busy} onClick={() => void unsnooze.run()}>
              {INBOX.unsnooze}
            </Button>
          )}
          <Button
            kind="danger"
            icon="stop"
            disabledBecause={whyNotWithdraw(debt, waits)}
            onClick={() => onAsk('withdraw')}
          >
            {INBOX.withdraw}
          </Button>
        </div>
      )}
      <Facts
        items={[
          [INBOX.amount, formatMoney(debt.originalAmount)],
          [INBOX.due, formatPlainDate(debt.dueDate)],
          [INBOX.phone, formatPhone(debt.debtorPhone)],
          debt.debtorCpf === null
            ? [INBOX.cnpj, debt.debtorCnpj === null ? COMMON.none : formatCnpj(debt.debtorCnpj)]
            : [INBOX.cpf, <HiddenCpf key={debt.id} cpf={debt.debtorCpf} />],
          ...(debt.invoiceId === null ? [] : ([[INBOX.invoice, <bdi key="invoice">{debt.invoiceId}</bdi>]] as const)),
        ]}
      />
      <p className={styles['openDebt']}>
        <Link to={`/dividas/${debt.id}`}>{INBOX.openDebt}</Link>
      </p>
    </>
  );
}
