import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { GetDebtResult } from '../../api/client.ts';
import { failedOf, mayBeDone } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { insert, type Place } from '../../saved-answers/insert.ts';
import { INBOX } from '../../texts/inbox.ts';
import { whyNot } from '../../texts/words.ts';
import type { Entry } from '../../timeline/entries.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Refused } from './answer-refused.tsx';
import { lengthOf, MAX_CHARACTERS, mayReply } from './answer-state.ts';
import styles from './case.module.css';

/** Remembers where the cursor of the answer was, and puts it where it has to be after words came in. */
function useCaret(field: RefObject<HTMLFormElement | null>) {
  const left = useRef<Place | null>(null);
  const [wanted, setWanted] = useState<{ readonly at: number } | null>(null);
  // A dialog gives the focus back to its button when it closes, which is before this.
  useEffect(() => {
    const area = field.current?.querySelector('textarea');
    if (wanted === null || area == null) return;
    area.focus();
    area.setSelectionRange(wanted.at, wanted.at);
  }, [wanted, field]);
  return {
    onBlur: ({ target }: FocusEvent<HTMLTextAreaElement>): void => {
      left.current = { from: target.selectionStart, to: target.selectionEnd };
    },
    /** Where words come in. Before the field had the focus that is the end. */
    placeIn: (text: string): Place => left.current ?? { from: text.length, to: text.length },
    moveTo: (at: number): void => setWanted({ at }),
  };
}

const SavedAnswerPicker = lazy(() => import('../../saved-answers/picker.tsx'));
const SavedAnswerDialog = lazy(() => import('../../saved-answers/answer-dialog.tsx'));

/** An answer that is being written. */
export interface Draft {
  readonly text: string;
  /** Whether the person wants to send it in spite of its warnings. */
  readonly confirmed: boolean;
}

export interface Written {
  readonly id: string;
  readonly text: string;
  readonly at: string;
  readonly channel: string;
}

const rulesInWords = (rules: readonly string[]): string => rules.map(whyNot).join(', ');

/** Says before the writing what would become of a message. */
function Outlook({
  debt,
  entries,
  zone,
  sandbox,
}: {
  readonly debt: GetDebtResult;
  readonly entries: readonly Entry[];
  readonly zone: string;
  /** Null for a debt that is not in the queue. */
  readonly sandbox: boolean | null;
}) {
  // After an opt-out nobody may write, whoever waits.
  const reply = debt.status === 'OPTED_OUT' ? 'no' : mayReply(entries, sandbox === false ? Date.now() : null);
  const eligibility = useQuery({
    queryKey: ['debt', debt.id, 'eligibility'],
    queryFn: () => quita.getContactEligibility({ path: { id: debt.id } }),
    enabled: reply === 'no',
    placeholderData: () => undefined,
  }).data;
  if (reply === 'waits') return <p className={styles['outlook']}>{INBOX.mayReply}</p>;
  if (reply === 'recent') return <p className={styles['outlook']}>{INBOX.mayReplyRecent}</p>;
  if (reply === null || eligibility === undefined) return null;
  // Staff do not wait for themselves.
  const rules = eligibility.rules.filter((rule) => rule !== 'person_answering');
  if (eligibility.allowed || rules.length === 0) return <p className={styles['outlook']}>{INBOX.countsAsContact}</p>;
  return (
    <p className={styles['outlook']}>
      {INBOX.contactBlocked(rulesInWords(rules))}
      {eligibility.notBefore !== null && ` ${INBOX.blockedNext(formatMoment(eligibility.notBefore, zone))}`}
    </p>
  );
}

/** Writes to the debtor as a person. A text is kept for its case until it is sent. */
export function Answer({
  debt,
  entries,
  zone,
  sandbox,
  drafts,
  field,
  onSent,
}: {
  readonly debt: GetDebtResult;
  readonly entries: readonly Entry[];
  readonly zone: string;
  /** Null for a debt that is not in the queue. */
  readonly sandbox: boolean | null;
  readonly drafts: Map<string, Draft>;
  readonly field: RefObject<HTMLFormElement | null>;
  readonly onSent: (written: Written) => void;
}) {
  const [text, setText] = useState(drafts.get(debt.id)?.text ?? '');
  const submit = useSubmit(async () => {
    const body = { text: text.trim(), confirm: drafts.get(debt.id)?.confirmed ?? false };
    const { id, at, channel } = await quita
      .writeToDebtor({ path: { id: debt.id }, body }, { idempotencyKey: true })
      .catch((error: unknown) => {
        // A message that may have been sent is repeated as it was. After a refusal its warnings are asked about again.
        const draft = drafts.get(debt.id);
        if (draft !== undefined && !mayBeDone(failedOf(error))) drafts.set(debt.id, { ...draft, confirmed: false });
        throw error;
      });
    change('');
    announce(INBOX.sent);
    onSent({ id, text: body.text, at, channel });
  });
  const change = (next: string): void => {
    setText(next);
    if (next === '') drafts.delete(debt.id);
    else drafts.set(debt.id, { text: next, confirmed: false });
  };
  const [asked, setAsked] = useState<'choose' | 'save' | null>(null);
  const close = (): void => setAsked(null);
  const caret = useCaret(field);
  const focus = (): void => field.current?.querySelector('textarea')?.focus();
  const { failed, busy } = submit;
  const write = (next: string): void => {
    change(next);
    if (failed !== null) submit.reset();
  };
  const choose = (words: string): void => {
    const inserted = insert(text, caret.placeIn(text), words);
    write(inserted.text);
    caret.moveTo(inserted.caret);
    close();
  };
  const length = lengthOf(text);
  return (
    <>
      <form ref={field} className={styles['answer']} onSubmit={submit.onSubmit}>
        <Outlook debt={debt} entries={entries} zone={zone} sandbox={sandbox} />
        {failed !== null && !busy && (
          <Refused
            failed={failed}
            zone={zone}
            busy={busy}
            onCorrect={() => {
              submit.reset();
              focus();
            }}
            onConfirm={() => {
              drafts.set(debt.id, { text, confirmed: true });
              void submit.run();
            }}
          />
        )}
        <TextAreaField
          label={INBOX.answer}
          name="text"
          rows={2}
          required
          value={text}
          error={length > MAX_CHARACTERS ? INBOX.problem('too_long') : undefined}
          onChange={(event) => write(event.target.value)}
          onBlur={caret.onBlur}
        />
        <div className={styles['sendLine']}>
          <span className={styles['counter']}>{INBOX.counter(length, MAX_CHARACTERS)}</span>
          <span className={styles['sendButtons']}>
            <Button small icon="note" onClick={() => setAsked('choose')}>
              {INBOX.savedAnswers}
            </Button>
            <Button
              type="submit"
              kind="primary"
              icon="send"
              busy={busy}
              disabledBecause={length > MAX_CHARACTERS ? INBOX.problem('too_long') : undefined}
            >
              {INBOX.send}
            </Button>
          </span>
        </div>
        {debt.staffAnswersUntil === null && <p className={styles['outlook']}>{INBOX.willBeSilent}</p>}
      </form>
      {/* Outside the form: these have forms of their own. */}
      <Suspense fallback={null}>
        {asked === 'choose' && (
          <SavedAnswerPicker
            debtId={debt.id}
            written={text}
            onChoose={choose}
            onSave={() => setAsked('save')}
            onClose={close}
          />
        )}
        {asked === 'save' && <SavedAnswerDialog text={text.trim()} onClose={close} />}
      </Suspense>
    </>
  );
}
