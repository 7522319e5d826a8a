import { useState } from 'react';
import { failedOfResponse } from '../api/problem.ts';
import { countdownText, useCountdown } from '../screens/sign-in/countdown.ts';
import styles from '../screens/sign-in/door.module.css';
import { Door } from '../screens/sign-in/door.tsx';
import { withoutSeconds } from '../screens/sign-in/wait.tsx';
import { CodeField } from '../second-factor/code-field.tsx';
import { OPERATORS } from '../texts/operators.ts';
import { SIGN_IN } from '../texts/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField, TextField } from '../ui/field.tsx';
import { ProblemSummary, Refused, textOf, useSubmit } from '../ui/form.tsx';
import { Note } from '../ui/page.tsx';
import { signIn } from './session.ts';

/** E-mail, password and code go out together: the answer does not tell which of them is wrong. */
export function SignIn({ reason }: { readonly reason: 'none' | 'ended' | 'unconfirmed' }) {
  const [email, setEmail] = useState('');
  const { failed, ...submit } = useSubmit(async (form) => {
    setEmail(textOf(form, 'email'));
    const refused = await signIn({
      email: textOf(form, 'email'),
      password: String(form.get('password') ?? ''),
      code: textOf(form, 'code'),
    });
    if (refused !== undefined) throw new Refused(await failedOfResponse(refused));
  });
  const left = useCountdown(failed?.retryAfterSeconds ?? null);
  return (
    <Door title={OPERATORS.signIn} lead={OPERATORS.signInLead}>
      {reason === 'ended' && <Note>{OPERATORS.ended}</Note>}
      {reason === 'unconfirmed' && <Note tone="warning">{OPERATORS.unconfirmed}</Note>}
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary
          failed={withoutSeconds(failed)}
          text={failed?.code === 'invalid_credentials' ? OPERATORS.wrong : undefined}
        >
          {left > 0 && <p>{SIGN_IN.tooMany(countdownText(left))}</p>}
        </ProblemSummary>
        <TextField
          label={OPERATORS.email}
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
        <CodeField recovery={false} error={submit.errorAt('/code')} />
        <div className={styles['submit']}>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {SIGN_IN.submit}
          </Button>
        </div>
      </form>
    </Door>
  );
}
