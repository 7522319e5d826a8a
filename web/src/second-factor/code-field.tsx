import { useEffect, useRef, useState } from 'react';
import type { Failed } from '../api/problem.ts';
import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import styles from './second-factor.module.css';

/** A refused code, in place of the words for a refused password. */
export const codeProblem = (failed: Failed | null): string | undefined =>
  failed?.code === 'invalid_credentials' ? TEXT.wrongCode : undefined;

const OF_APP = { label: TEXT.code, hint: TEXT.codeHint, inputMode: 'numeric', autoComplete: 'one-time-code' } as const;
const RECOVERY = { label: TEXT.recoveryCode, hint: TEXT.recoveryCodeHint, autoComplete: 'off' } as const;

/** The field `code`: six digits of the app or, where `recovery` allows it, a recovery code in their place. */
export function CodeField({
  recovery = true,
  error,
}: {
  readonly recovery?: boolean;
  readonly error: string | undefined;
}) {
  const [isRecovery, setRecovery] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other kind of code has another field, which the person goes on in.
  useEffect(() => {
    if (!isFirst.current) box.current?.querySelector('input')?.focus();
    isFirst.current = false;
  }, [isRecovery]);
  return (
    <div ref={box} className={styles['code']}>
      <TextField
        key={isRecovery ? 'recovery' : 'app'}
        {...(isRecovery ? RECOVERY : OF_APP)}
        name="code"
        maxLength={64}
        required
        spellCheck={false}
        autoCapitalize="off"
        data-passing
        error={error}
      />
      {recovery && (
        <Button small kind="quiet" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? TEXT.useApp : TEXT.useRecovery}
        </Button>
      )}
    </div>
  );
}
