import { useState } from 'react';
import styles from '../screens/account/account.module.css';
import { makePasskey } from '../session/passkey.ts';
import { PASSKEYS } from '../texts/passkeys.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { ProblemSummary, textOf } from '../ui/form.tsx';
import { PasskeyNote, usePasskey } from '../ui/passkey-button.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Adds a passkey by the browser, and shows the recovery codes that come with the first second factor. */
export function AddPasskey({
  onAdded,
  onClose,
}: {
  readonly onAdded: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const submit = usePasskey(async (form) => {
    const { name, recoveryCodes } = await makePasskey(textOf(form, 'name'));
    // They are in this answer alone, so they are on the screen before anything else is asked.
    if (recoveryCodes !== undefined) setCodes(recoveryCodes);
    announce(PASSKEYS.added(name));
    await onAdded();
    if (recoveryCodes === undefined) onClose();
  });
  if (codes !== null) {
    return (
      <Dialog title={PASSKEYS.add} onClose={onClose}>
        <RecoveryCodes codes={codes} explanation={PASSKEYS.codesText} heading="h3" onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={PASSKEYS.add} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <PasskeyNote reason={submit.reason} />
        <TextField
          label={PASSKEYS.name}
          hint={PASSKEYS.nameHint}
          name="name"
          autoComplete="off"
          maxLength={60}
          required
          error={submit.errorAt('/name')}
        />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" icon="key" busy={submit.busy}>
            {PASSKEYS.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
