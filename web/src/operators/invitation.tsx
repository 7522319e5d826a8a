import { useState } from 'react';
import { Link } from 'wouter';
import type { OpenOperatorInvitationResult } from '../api/client.ts';
import styles from '../screens/sign-in/door.module.css';
import { Door } from '../screens/sign-in/door.tsx';
import { AppSecret } from '../second-factor/app-secret.tsx';
import { CodeField, codeProblem } from '../second-factor/code-field.tsx';
import { StepTitle } from '../second-factor/step-title.tsx';
import { OPERATORS } from '../texts/operators.ts';
import { SIGN_IN, SIGN_UP } from '../texts/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { NewPasswordField, TextField } from '../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import { operatorApi } from './api.ts';

/**
 * The part of a link behind `#` reaches no server. It leaves the address at once, and so the history. It is read when
 * this file is loaded, because React may begin a first picture twice and would find the address empty.
 */
const tokenOfLink = location.hash.slice(1);
if (tokenOfLink !== '') history.replaceState(history.state, '', location.pathname);

interface Begun {
  readonly token: string;
  readonly app: OpenOperatorInvitationResult;
}

/** Makes the invited person an operator: the app first, then a password and the first code in one call. */
export default function Invitation() {
  const [token, setToken] = useState(tokenOfLink);
  const [begun, begin] = useState<Begun | null>(null);
  const [isDone, setDone] = useState(false);
  const submit = useSubmit(async (form) => {
    const given = textOf(form, 'token');
    setToken(given);
    begin({ token: given, app: await operatorApi.openOperatorInvitation({ body: { token: given } }) });
  });
  if (isDone) {
    return (
      <Door title={OPERATORS.joined} lead={OPERATORS.joinedText} after={<Link to="/">{OPERATORS.signIn}</Link>}>
        {null}
      </Door>
    );
  }
  if (begun !== null) return <Join {...begun} onDone={() => setDone(true)} />;
  return (
    <Door title={OPERATORS.invitation} lead={OPERATORS.invitationLead}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary
          failed={submit.failed}
          text={submit.failed?.code === 'token_invalid' ? OPERATORS.invitationEnded : undefined}
        />
        <TextField
          label={OPERATORS.token}
          hint={OPERATORS.tokenHint}
          name="token"
          autoComplete="off"
          maxLength={100}
          required
          defaultValue={token}
          error={submit.errorAt('/token')}
        />
        <div className={styles['submit']}>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {OPERATORS.begin}
          </Button>
        </div>
      </form>
    </Door>
  );
}

function Join({ token, app, onDone }: Begun & { readonly onDone: () => void }) {
  const { failed, ...submit } = useSubmit(async (form) => {
    await operatorApi.acceptOperatorInvitation({
      body: { token, password: String(form.get('password') ?? ''), code: textOf(form, 'code') },
    });
    onDone();
  });
  return (
    <Door title={OPERATORS.invitation} lead={OPERATORS.invitedAs(app.email)}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary
          failed={failed}
          text={failed?.code === 'token_invalid' ? OPERATORS.invitationEnded : codeProblem(failed)}
        />
        <StepTitle as="h2">{OPERATORS.appTitle}</StepTitle>
        <AppSecret app={app} />
        <input type="email" autoComplete="username" value={app.email} readOnly hidden />
        <NewPasswordField
          label={SIGN_IN.password}
          hint={SIGN_UP.passwordHint}
          name="password"
          error={submit.errorAt('/password')}
        />
        <CodeField recovery={false} error={submit.errorAt('/code')} />
        <div className={styles['submit']}>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {OPERATORS.accept}
          </Button>
        </div>
      </form>
    </Door>
  );
}
