import { lazy, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { failedOfResponse } from '../../api/problem.ts';
import { challengeOfAddress, challengeOfProblem, forgetChallenge } from '../../session/challenge.ts';
import { signInByPasskey } from '../../session/passkey.ts';
import { expectSession, signIn } from '../../session/session.ts';
import { useSession } from '../../session/use-session.ts';
import { useConsole } from '../../shell/use-console.ts';
import { PASSKEYS } from '../../texts/passkeys.ts';
import { IDENTITY_TEXT, PROBLEM_TEXT } from '../../texts/problem-texts.ts';
import { SIGN_IN, SIGN_UP } from '../../texts/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, PasswordField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, Refused, textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { Wait, withoutSeconds } from './wait.tsx';

const AskCode = lazy(() => import('./ask-code.tsx'));

const IDENTITY_START = '/api/session/identity';

const isProblemCode = (code: string): code is keyof typeof PROBLEM_TEXT => Object.hasOwn(PROBLEM_TEXT, code);

const refusalText = (code: string): string =>
  (Object.hasOwn(IDENTITY_TEXT, code) ? IDENTITY_TEXT[code] : undefined) ??
  (isProblemCode(code) ? PROBLEM_TEXT[code] : PROBLEM_TEXT.unknown);

export default function SignIn() {
  const session = useSession();
  const [params] = useSearchParams();
  const refusedByProvider = params.get('erro');
  const facts = useConsole().data;
  const identity = facts?.identity ?? null;
  const [challenge, setChallenge] = useState(challengeOfAddress);
  const [hasEnded, setHasEnded] = useState(false);
  const [email, setEmail] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit(async (form) => {
    setEmail(textOf(form, 'email'));
    setHasEnded(false);
    const refused = await signIn({
      email: textOf(form, 'email'),
      password: String(form.get('password') ?? ''),
      remember: form.get('remember') === 'on',
    });
    if (refused === undefined) return;
    const failed = await failedOfResponse(refused);
    const begun = challengeOfProblem(failed.problem);
    if (begun === null) throw new Refused(failed);
    setChallenge(begun);
  });
  const enter = async (): Promise<void> => {
    const remember = form.current !== null && new FormData(form.current).get('remember') === 'on';
    const refused = await signInByPasskey({ remember });
    if (refused !== undefined) throw new Refused(await failedOfResponse(refused));
  };
  if (challenge !== null) {
    const beginAgain = (ended: boolean): void => {
      forgetChallenge();
      setChallenge(null);
      setHasEnded(ended);
    };
    return <AskCode challenge={challenge} onBeginAgain={beginAgain} />;
  }
  return (
    <Door
      title={SIGN_IN.title}
      lead={SIGN_IN.lead}
      after={
        <>
          <Link to="/esqueci">{SIGN_IN.forgot}</Link>
          {facts?.signupOpen !== false && <Link to="/criar-conta">{`${SIGN_IN.noAccount} ${SIGN_UP.title}`}</Link>}
        </>
      }
    >
      {session.kind === 'out' && session.reason === 'ended' && <Note>{SIGN_IN.ended}</Note>}
      {session.kind === 'out' && session.reason === 'unconfirmed' && <Note tone="warning">{SIGN_IN.unconfirmed}</Note>}
      {hasEnded && <Note>{SIGN_IN.codeEnded}</Note>}
      {refusedByProvider !== null && !hasEnded && submit.failed === null && (
        <Note tone="warning">{refusalText(refusedByProvider)}</Note>
      )}
      <form ref={form} onSubmit={submit.onSubmit}>
        <ProblemSummary failed={withoutSeconds(submit.failed)}>
          <Wait failed={submit.failed} />
        </ProblemSummary>
        <TextField
          label={SIGN_IN.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          error={submit.errorAt('/email')}
        />
        <PasswordField
          label={SIGN_IN.password}
          name="password"
          autoComplete="current-password"
          required
          error={submit.errorAt('/password')}
        />
        <CheckboxField label={SIGN_IN.remember} hint={SIGN_IN.rememberHint} name="remember" />
        <div className={styles['submit']}>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {SIGN_IN.submit}
          </Button>
        </div>
      </form>
      <div className={styles['submit']}>
        <PasskeyButton label={PASSKEYS.signIn} onUse={enter} />
      </div>
      {identity !== null && <IdentityButton />}
    </Door>
  );
}

function IdentityButton() {
  // The page may come back from the browser's memory by "back", so nothing here remembers that it was left.
  const leave = (): void => {
    expectSession();
    location.assign(IDENTITY_START);
  };
  return (
    <div className={styles['submit']}>
      <p className={styles['or']}>{SIGN_IN.or}</p>
      <Button icon="key" onClick={leave}>
        {SIGN_IN.identity}
      </Button>
    </div>
  );
}
