import { useState } from 'react';
import { Link } from 'wouter';
import { publicQuita } from '../../api/quita.ts';
import { useConsole } from '../../shell/use-console.ts';
import { FORGOT, SIGN_IN } from '../../texts/sign-in.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import styles from '../sign-in/door.module.css';
import { Door } from '../sign-in/door.tsx';

export default function Forgot() {
  const [sent, setSent] = useState(false);
  const sandboxOnly = useConsole().data?.sandboxOnly;
  const submit = useSubmit(async (form) => {
    await publicQuita.forgetPassword({ body: { email: textOf(form, 'email') } });
    setSent(true);
    announce(FORGOT.sent);
  });
  return (
    <Door title={FORGOT.title} lead={FORGOT.lead} after={<Link to="/entrar">{FORGOT.back}</Link>}>
      {sent ? (
        <>
          <Note tone="good">{FORGOT.sent}</Note>
          {sandboxOnly === true && <Note>{FORGOT.terminal}</Note>}
        </>
      ) : (
        <form onSubmit={submit.onSubmit}>
          <ProblemSummary failed={submit.failed} />
          <TextField
            label={SIGN_IN.email}
            name="email"
            type="email"
            autoComplete="username"
            required
            error={submit.errorAt('/email')}
          />
          <div className={styles['submit']}>
            <Button type="submit" kind="primary" busy={submit.busy}>
              {FORGOT.submit}
            </Button>
          </div>
        </form>
      )}
    </Door>
  );
}
