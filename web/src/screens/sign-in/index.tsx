import { Link, useSearchParams } from 'wouter';
import type { Failed } from '../../api/problem.ts';
import { failedOfResponse } from '../../api/problem.ts';
import { expectSession, signIn } from '../../session/session.ts';
import { useSession } from '../../session/use-session.ts';
import { useConsole } from '../../shell/use-console.ts';
import { IDENTITY_TEXT, PROBLEM_TEXT } from '../../texts/problem-texts.ts';
import { SIGN_IN, SIGN_UP } from '../../texts/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, PasswordField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, Refused, textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import { countdownText, useCountdown } from './countdown.ts';
import styles from './door.module.css';
import { Door } from './door.tsx';

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
  const submit = useSubmit(async (form) => {
    const refused = await signIn({
      email: textOf(form, 'email'),
      password: String(form.get('password') ?? ''),
      remember: form.get('remember') === 'on',
    });
    if (refused !== undefined) throw new Refused(await failedOfResponse(refused));
  });
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
      {refusedByProvider !== null && submit.failed === null && (
        <Note tone="warning">{refusalText(refusedByProvider)}</Note>
      )}
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={withoutSeconds(submit.failed)}>
          <Wait failed={submit.failed} />
        </ProblemSummary>
        <TextField
          label={SIGN_IN.email}
          name="email"
          type="email"
          autoComplete="username"
          required
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
      {identity !== null && <IdentityButton />}
    </Door>
  );
}

/** The time runs down on the screen instead of standing still as the server wrote it. */
const withoutSeconds = (failed: Failed | null): Failed | null =>
  failed === null ? null : { ...failed, retryAfterSeconds: null };

function Wait({ failed }: { readonly failed: Failed | null }) {
  const left = useCountdown(failed?.retryAfterSeconds ?? null);
  if (left === 0) return null;
  const text = countdownText(left);
  return <p>{failed?.code === 'account_locked' ? SIGN_IN.locked(text) : SIGN_IN.tooMany(text)}</p>;
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
