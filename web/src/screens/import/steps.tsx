import { type ReactNode, useEffect, useRef } from 'react';
import { IMPORT } from '../../texts/import.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './import.module.css';
import { STEPS, type Step, type Work } from './wizard-state.ts';

/** Where the person is. */
export function Steps({ now }: { readonly now: Step }) {
  const at = STEPS.indexOf(now);
  return (
    <ol className={styles['steps']} aria-label={IMPORT.steps}>
      {STEPS.map((step, index) => (
        <li
          key={step}
          className={classNames(styles['step'], index === at && styles['now'], index < at && styles['past'])}
          aria-current={index === at ? 'step' : undefined}
        >
          <span className={styles['number']} aria-hidden="true">
            {index < at ? '✓' : `${index + 1}`}
          </span>
          {IMPORT.stepNames[step]}
          {index < at && <span className="visually-hidden">{` ${IMPORT.stepDone}`}</span>}
        </li>
      ))}
    </ol>
  );
}

/** The heading of a step. It takes the focus when the step appears, but not when the screen does. */
export function StepHeading({ focus, children }: { readonly focus: boolean; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useRef(focus);
  useEffect(() => {
    if (wanted.current) heading.current?.focus();
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
      {children}
    </h2>
  );
}

const TEXTS = { read: IMPORT.reading, check: IMPORT.checking, download: IMPORT.checking, import: IMPORT.importing };

/** What is going on while the file is sent and the server works. */
export function Progress({ work }: { readonly work: Work }) {
  const isSending = work.sent > 0 && work.sent < 1;
  return (
    <div className={styles['work']}>
      <p role="status">{TEXTS[work.kind]}</p>
      {isSending && <p className={styles['muted']}>{IMPORT.sending(Math.floor(work.sent * 100))}</p>}
      <progress
        className={styles['bar']}
        aria-label={TEXTS[work.kind]}
        {...(isSending && { value: work.sent, max: 1 })}
      />
      <p className={styles['muted']}>{work.kind === 'import' ? IMPORT.slowImport : IMPORT.slow}</p>
    </div>
  );
}
