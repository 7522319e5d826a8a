import { useQuery } from '@tanstack/react-query';
import { quita } from '../api/quita.ts';
import { stepUpByPasskey } from '../session/passkey.ts';
import { PASSKEYS } from '../texts/passkeys.ts';
import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { Button } from '../ui/button.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import { PasskeyButton } from '../ui/passkey-button.tsx';
import { CodeField, codeProblem } from './code-field.tsx';
import styles from './second-factor.module.css';
import { FACTORS } from './use-factors.ts';

/** Asks for the code or a passkey again, over whatever the person was doing. */
export default function StepUpDialog({ settle }: { readonly settle: (proved: boolean) => void }) {
  const submit = useSubmit(async (form) => {
    await quita.stepUp({ body: { code: textOf(form, 'code') } });
    settle(true);
  });
  const { passkeys = 0 } = useQuery(FACTORS).data ?? {};
  return (
    <Dialog title={TEXT.stepUp} onClose={() => settle(false)}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} text={codeProblem(submit.failed)} />
        <p className={styles['lead']}>{TEXT.stepUpText}</p>
        {passkeys > 0 && (
          <PasskeyButton label={PASSKEYS.use} onUse={() => stepUpByPasskey().then(() => settle(true))} />
        )}
        <CodeField error={submit.errorAt('/code')} />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {TEXT.continue}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
