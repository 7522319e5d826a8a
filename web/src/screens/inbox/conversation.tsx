import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment, formatMoney, formatPhone } from '../../format.ts';
import { may } from '../../session/may.ts';
import { INBOX } from '../../texts/inbox.ts';
import { TIMELINE } from '../../texts/timeline-texts.ts';
import { CHANNEL, wordOf } from '../../texts/words.ts';
import { type Entry, entriesOf, topicOf } from '../../timeline/entries.ts';
import { PlainText } from '../../timeline/message-bubble.tsx';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Timeline } from '../../timeline/timeline.tsx';
import { placeOfPhone } from '../../timeline/zone.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { FailedNote } from '../../ui/failure.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import { DebtStatusBadge, TestBadge } from '../../ui/status.tsx';
import { Answer, type Draft, type Written } from './answer.tsx';
import styles from './case.module.css';
import { showChanged } from './changed-debt.ts';
import { isResumable } from './resumable.ts';

const isOfConversation = (entry: Entry): boolean => topicOf(entry) !== 'work' && entry.kind !== 'charge_created';

const hasMessage = (entries: readonly Entry[], id: string): boolean =>
  entries.some((entry) => entry.kind === 'message_sent' && entry.messageId === id);

/** The heading that takes the focus where the queue is not on the screen. */
export const OPEN_CASE = 'caso-aberto';

const SLOW_MS = 30_000;
/** From this distance to its end a conversation is being read further up, and is not moved. */
const AT_END_PX = 120;

function Silence({ debt, zone }: { readonly debt: GetDebtResult; readonly zone: string }) {
  const queries = useQueryClient();
  const handBack = useSubmit(async () => {
    showChanged(queries, await quita.handBack({ path: { id: debt.id } }));
    announce(INBOX.handedBack);
    void queries.invalidateQueries({ queryKey: ['debt', debt.id] });
    void queries.invalidateQueries({ queryKey: ['inbox'] });
  });
  if (debt.staffAnswersUntil === null) return null;
  return (
    <Note>
      <p>{INBOX.silence(formatMoment(debt.staffAnswersUntil, zone))}</p>
      {handBack.failed !== null && <FailedNote failed={handBack.failed} />}
      {/* A debt that is held is handed back and resumed at once, among the decisions. */}
      {!isResumable(debt) && (
        <Button right="work" small icon="left" busy={handBack.busy} onClick={() => void handBack.run()}>
          {INBOX.handBack}
        </Button>
      )}
    </Note>
  );
}

/** A message that is on its way stands at the end until the timeline has it. */
function OnItsWay({ written }: { readonly written: Written }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles['onItsWay']}>
      <strong>{TIMELINE.staff}</strong>
      <PlainText text={written.text} />
      <p className={styles['outlook']}>{`${wordOf(CHANNEL, written.channel)} · ${INBOX.sending}`}</p>
      {slow && <p className={styles['outlook']}>{INBOX.slow}</p>}
    </div>
  );
}

/** What was said, decided and paid, and the field to answer. */
export function Conversation({
  debt,
  sandbox,
  drafts,
  field,
  written,
  onWritten,
}: {
  readonly debt: GetDebtResult;
  /** Null for a debt that is not in the queue. */
  readonly sandbox: boolean | null;
  readonly drafts: Map<string, Draft>;
  readonly field: RefObject<HTMLFormElement | null>;
  readonly written: Written | null;
  readonly onWritten: (written: Written | null) => void;
}) {
  const queries = useQueryClient();
  const scroller = useRef<HTMLElement>(null);
  const entries = entriesOf(debt.timeline);
  const place = placeOfPhone(debt.debtorPhone);
  const isOnItsWay = written !== null && !hasMessage(entries, written.id);
  const arrived = written !== null && !isOnItsWay;
  useEffect(() => {
    if (!arrived) return;
    onWritten(null);
    // The item of a request for a person ends when the message leaves.
    void queries.invalidateQueries({ queryKey: ['inbox'] });
  }, [arrived, onWritten, queries]);

  const count = entries.length;
  const opened = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: A new entry or message moves the conversation to its end.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const left = box.scrollHeight - box.scrollTop - box.clientHeight;
    const last = box.querySelector('ol > li:last-child ol > li:last-child')?.getBoundingClientRect().height ?? 0;
    if (!opened.current || isOnItsWay || left < AT_END_PX + last) box.scrollTop = box.scrollHeight;
    opened.current = true;
  }, [count, isOnItsWay]);

  return (
    <>
      <header className={styles['caseHead']}>
        <h2 id={OPEN_CASE} tabIndex={-1}>
          <bdi>{inWrittenOrder(debt.debtorName)}</bdi>
        </h2>
        <span className={styles['badges']}>
          <a className={styles['phone']} href={`tel:${debt.debtorPhone}`}>
            {formatPhone(debt.debtorPhone)}
          </a>
          <strong>{formatMoney(debt.originalAmount)}</strong>
          <DebtStatusBadge status={debt.status} />
          {sandbox === true && <TestBadge />}
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls has to be reached by the keyboard. */}
      <section ref={scroller} className={styles['talk']} aria-label={INBOX.history} tabIndex={0}>
        <Timeline entries={entries.filter(isOfConversation)} place={place} debtId={debt.id} />
        {isOnItsWay && <OnItsWay written={written} />}
      </section>
      <Silence debt={debt} zone={place.zone} />
      {may('work') && (
        <Answer
          debt={debt}
          entries={entries}
          zone={place.zone}
          sandbox={sandbox}
          drafts={drafts}
          field={field}
          onSent={(sent) => {
            onWritten(sent);
            void queries.invalidateQueries({ queryKey: ['debt', debt.id] });
          }}
        />
      )}
    </>
  );
}
