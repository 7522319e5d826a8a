import { failedOfResponse } from '../../api/problem.ts';
import { CodeField, codeProblem } from '../../second-factor/code-field.tsx';
import { PasskeyFailed, signInByPasskey } from '../../session/passkey.ts';
import { signIn } from '../../session/session.ts';
import { PASSKEYS } from '../../texts/passkeys.ts';
import { SIGN_IN } from '../../texts/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemSummary, Refused, textOf, useSubmit } from '../../ui/form.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { Wait, withoutSeconds } from './wait.tsx';

/** The second half of a sign-in: the code of the app, a recovery code or a passkey. */
export default function AskCode({
  challenge,
  onBeginAgain,
}: {
  readonly challenge: string;
  /** `ended`: the time or the tries of the challenge are over. */
  readonly onBeginAgain: (ended: boolean) => void;
}) {
  const submit = useSubmit(async (form) => {
    const refused = await signIn({ challenge, code: textOf(form, 'code') });
    if (refused === undefined) return;
    const failed = await failedOfResponse(refused);
    if (failed.code !== 'token_invalid') throw new Refused(failed);
    onBeginAgain(true);
  });
  const enter = async (): Promise<void> => {
    try {
      const refused = await signInByPasskey({ login: challenge });
      if (refused !== undefined) throw new Refused(await failedOfResponse(refused));
    } catch (error) {
      if (!(error instanceof PasskeyFailed && error.reason === 'ended')) throw error;
      onBeginAgain(true);
    }
  };
  return (
    <Door title={SIGN_IN.codeTitle} lead={SIGN_IN.codeLead}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={withoutSeconds(submit.failed)} text={codeProblem(submit.failed)}>
          <Wait failed={submit.failed} />
        </ProblemSummary>
        <CodeField error={submit.errorAt('/code')} />
        <div className={styles['submit']}>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {SIGN_IN.submit}
          </Button>
          <Button onClick={() => onBeginAgain(false)}>{SIGN_IN.codeBack}</Button>
        </div>
      </form>
      <div className={styles['submit']}>
        <PasskeyButton label={PASSKEYS.use} onUse={enter} />
      </div>
    </Door>
  );
}
