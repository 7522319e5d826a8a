import { useState } from 'react';
import { mayUsePasskeys, PasskeyFailed } from '../session/passkey.ts';
import { PASSKEYS } from '../texts/passkeys.ts';
import { Button } from './button.tsx';
import { ProblemSummary, type Submit, useSubmit } from './form.tsx';
import { Note } from './page.tsx';

/** Runs what uses a passkey. `reason` is the sentence that says why it was not used, which is no failure of a form. */
export function usePasskey(action: (form: FormData) => Promise<unknown>): Submit & { readonly reason: string | null } {
  const [reason, setReason] = useState<string | null>(null);
  const submit = useSubmit(async (form) => {
    setReason(null);
    try {
      await action(form);
    } catch (error) {
      if (!(error instanceof PasskeyFailed)) throw error;
      setReason(PASSKEYS.reason[error.reason]);
    }
  });
  return { ...submit, reason };
}

export const PasskeyNote = ({ reason }: { readonly reason: string | null }) => (
  <div role="status">{reason !== null && <Note tone="warning">{reason}</Note>}</div>
);

/** A way to go on by a passkey; nothing where the browser or the address has none. */
export function PasskeyButton({
  label,
  onUse,
}: {
  readonly label: string;
  /** Throws `Refused` or what the API throws. */
  readonly onUse: () => Promise<unknown>;
}) {
  const { busy, failed, reason, run } = usePasskey(onUse);
  if (!mayUsePasskeys()) return null;
  return (
    <>
      <ProblemSummary failed={failed} />
      <PasskeyNote reason={reason} />
      <Button icon="key" busy={busy} onClick={() => void run()}>
        {label}
      </Button>
    </>
  );
}
