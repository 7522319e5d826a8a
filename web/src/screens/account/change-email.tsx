import { useRef } from 'react';
import { quita } from '../../api/quita.ts';
import { sessionState } from '../../session/session.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Panel } from '../../ui/page.tsx';
import styles from './account.module.css';

interface Props {
  readonly of: 'member' | 'company';
  readonly email: string;
}

/** Both addresses are asked by mail, so nothing on the page changes yet. */
function ChangeEmail({ of, email }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit(async (data) => {
    await quita.askForEmailChange({ body: { email: textOf(data, 'email'), of } }, { idempotencyKey: true });
    form.current?.reset();
    announce(ACCOUNT.emailAsked);
  });
  return (
    <Panel title={ACCOUNT.emailOf[of]}>
      <form ref={form} onSubmit={submit.onSubmit}>
        <p className={styles['muted']}>{ACCOUNT.emailHint[of]}</p>
        <ProblemSummary failed={submit.failed} />
        <div className={styles['fields']}>
          <TextField label={ACCOUNT.emailNow} value={email} readOnly required />
          <TextField
            label={ACCOUNT.emailNext}
            name="email"
            type="email"
            autoComplete="off"
            maxLength={254}
            required
            error={submit.errorAt('/email')}
          />
        </div>
        <Button type="submit" busy={submit.busy}>
          {ACCOUNT.changeEmail}
        </Button>
      </form>
    </Panel>
  );
}

export function OwnEmail() {
  const session = sessionState();
  return session.kind === 'in' ? <ChangeEmail of="member" email={session.member.email} /> : null;
}

export const CompanyEmail = ({ email }: { readonly email: string }) => <ChangeEmail of="company" email={email} />;
