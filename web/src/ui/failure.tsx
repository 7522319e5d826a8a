import type { Failed } from '../api/problem.ts';
import { failedOf, isOurs } from '../api/problem.ts';
import { COMMON } from '../texts/common.ts';
import { PROBLEM_TEXT } from '../texts/problem-texts.ts';
import { Button } from './button.tsx';
import styles from './failure.module.css';
import { Icon } from './icon.tsx';

/** What went wrong, in words, with the code that support asks for. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return <FailedNote failed={failedOf(error)} {...(onRetry && { onRetry })} />;
}

export function FailedNote({ failed, onRetry }: { readonly failed: Failed; readonly onRetry?: () => void }) {
  return (
    <div className={styles['failure']} role="alert">
      <Icon name="danger" />
      <div>
        <p>{PROBLEM_TEXT[failed.code] ?? PROBLEM_TEXT.unknown}</p>
        {failed.retryAfterSeconds !== null && <p>{COMMON.retryIn(failed.retryAfterSeconds)}</p>}
        {isOurs(failed) && <p className={styles['id']}>{COMMON.requestId(failed.requestId ?? '')}</p>}
      </div>
      {onRetry !== undefined && (
        <Button small icon="refresh" onClick={onRetry}>
          {COMMON.retry}
        </Button>
      )}
    </div>
  );
}
