import { COMMON } from '../../texts/common.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './account.module.css';

/** Shows a secret this once. */
export function SecretDialog({
  title,
  text,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p className={styles['muted']}>{text}</p>
      <code className={styles['secret']}>{secret}</code>
      <div className={styles['buttons']}>
        <CopyButton text={secret} />
        <Button kind="primary" onClick={onClose}>
          {COMMON.close}
        </Button>
      </div>
    </Dialog>
  );
}
