import { useEffect, useRef } from 'react';
import type { Failed } from '../../api/problem.ts';
import { formatMoment } from '../../format.ts';
import { INBOX } from '../../texts/inbox.ts';
import { whyNotAlone } from '../../texts/words.ts';
import { Button } from '../../ui/button.tsx';
import { FailedNote } from '../../ui/failure.tsx';
import { Note } from '../../ui/page.tsx';
import { refusalOf } from './answer-state.ts';
import styles from './case.module.css';

/** Why an answer was not sent, and what its writer may do about it. */
export function Refused({
  failed,
  zone,
  busy,
  onConfirm,
  onCorrect,
}: {
  readonly failed: Failed;
  readonly zone: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onCorrect: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  const refusal = refusalOf(failed);
  if (refusal.kind === 'other') return <FailedNote failed={failed} />;
  if (refusal.kind === 'blocked') {
    return (
      <div ref={box} tabIndex={-1} role="alert">
        <Note tone="warning">
          <strong>{INBOX.blockedTitle}</strong>
          <ul>
            {refusal.rules.map((rule) => (
              <li key={rule}>{whyNotAlone(rule)}</li>
            ))}
          </ul>
          <p>
            {refusal.notBefore === null
              ? INBOX.blockedNoNext
              : INBOX.blockedNext(formatMoment(refusal.notBefore, zone))}
          </p>
        </Note>
      </div>
    );
  }
  const isWarning = refusal.kind === 'confirm';
  return (
    <div ref={box} tabIndex={-1} role="alert">
      <Note tone="warning">
        <strong>{isWarning ? INBOX.warningTitle : INBOX.forbiddenTitle}</strong>
        <ul>
          {refusal.codes.map((code) => (
            <li key={code}>{INBOX.problem(code)}</li>
          ))}
        </ul>
        <span className={styles['buttons']}>
          <Button onClick={onCorrect}>{INBOX.correct}</Button>
          {isWarning && (
            <Button kind="primary" busy={busy} onClick={onConfirm}>
              {INBOX.sendAnyway}
            </Button>
          )}
        </span>
      </Note>
    </div>
  );
}
