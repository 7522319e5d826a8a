import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Failed } from '../api/problem.ts';
import { failedOf, isOurs } from '../api/problem.ts';
import { COMMON } from '../texts/common.ts';
import { fieldText, PROBLEM_TEXT } from '../texts/problem-texts.ts';
import styles from './form.module.css';

export interface Submit {
  readonly busy: boolean;
  readonly failed: Failed | null;
  /** The sentence of the problem at this pointer, as the server names it (`/address/city`). */
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Runs the action without a form, or with the one that a dialog has read. */
  readonly run: (form?: FormData) => Promise<void>;
  readonly reset: () => void;
}

/**
 * Runs an action once at a time and keeps its failure. The browser checks what it can before; every other problem is the
 * server's, and stands beside its field.
 */
export function useSubmit(action: (form: FormData) => Promise<unknown>): Submit {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Failed | null>(null);
  const running = useRef(false);

  async function submit(form: FormData): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFailed(null);
    try {
      await action(form);
    } catch (error) {
      setFailed(error instanceof Refused ? error.failed : failedOf(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return {
    busy,
    failed,
    errorAt: (pointer) => {
      const found = failed?.errors.find((one) => one.pointer === pointer);
      return found === undefined ? undefined : fieldText(found.code);
    },
    onSubmit: (event) => {
      event.preventDefault();
      void submit(new FormData(event.currentTarget));
    },
    run: (form = new FormData()) => submit(form),
    reset: () => setFailed(null),
  };
}

/** An action throws it when it has read the problem by itself. */
export class Refused extends Error {
  readonly failed: Failed;
  constructor(failed: Failed) {
    super(failed.code);
    this.failed = failed;
  }
}

/** The text of a field, trimmed. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** What is wrong with a form, above it. It takes the focus when it appears. */
export function ProblemSummary({
  failed,
  text,
  children,
}: {
  readonly failed: Failed | null;
  /** What the code means here, where it is not what it means elsewhere. */
  readonly text?: string | undefined;
  readonly children?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failed !== null) box.current?.focus();
  }, [failed]);
  if (failed === null) return null;
  return (
    <div ref={box} className={styles['summary']} role="alert" tabIndex={-1}>
      <h2>{COMMON.summary}</h2>
      <p>{text ?? PROBLEM_TEXT[failed.code] ?? PROBLEM_TEXT.unknown}</p>
      {failed.retryAfterSeconds !== null && <p>{COMMON.retryIn(failed.retryAfterSeconds)}</p>}
      {children}
      {isOurs(failed) && <p className={styles['id']}>{COMMON.requestId(failed.requestId ?? '')}</p>}
    </div>
  );
}
