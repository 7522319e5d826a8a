import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { SetUpTotpResult } from '../api/client.ts';
import { quita } from '../api/quita.ts';
import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { PasswordField } from '../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../ui/form.tsx';
import { Loaded, Panel, Skeleton } from '../ui/page.tsx';
import { Badge } from '../ui/status.tsx';
import { CodeField, codeProblem } from './code-field.tsx';
import styles from './second-factor.module.css';
import { FACTORS } from './use-factors.ts';

const SetUp = lazy(() => import('./set-up.tsx'));

/** The own second factor: whether there is one, setting it up, and removing it. */
export function SecondFactor() {
  const queries = useQueryClient();
  const query = useQuery(FACTORS);
  const [app, setApp] = useState<SetUpTotpResult | null>(null);
  const [removing, setRemoving] = useState(false);
  const begin = useSubmit(async () => setApp(await quita.setUpTotp()));
  const refresh = () => queries.invalidateQueries({ queryKey: FACTORS.queryKey });
  const done = async (): Promise<void> => {
    await refresh();
    setApp(null);
    announce(TEXT.isSetUp);
  };
  if (app !== null) {
    return (
      <Panel title={TEXT.title}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <SetUp app={app} heading="h3" onCancel={() => setApp(null)} onDone={() => void done()} />
        </Suspense>
      </Panel>
    );
  }
  return (
    <Panel title={TEXT.title}>
      <p className={styles['lead']}>{TEXT.lead}</p>
      <ProblemSummary failed={begin.failed} />
      <Loaded query={query} lines={3}>
        {({ totp, passkeys, recoveryCodesLeft }) => (
          <>
            <p>
              <Badge
                tone={totp || passkeys > 0 ? 'paid' : 'waiting'}
                label={totp ? TEXT.on : passkeys > 0 ? TEXT.onByPasskey : TEXT.off}
              />
            </p>
            {(totp || passkeys > 0) && <p className={styles['lead']}>{TEXT.left(recoveryCodesLeft)}</p>}
            <div className={styles['after']}>
              <Button kind={totp ? 'default' : 'primary'} icon="key" busy={begin.busy} onClick={() => void begin.run()}>
                {totp ? TEXT.setUpAgain : TEXT.setUp}
              </Button>
              {totp && (
                <Button kind="danger" onClick={() => setRemoving(true)}>
                  {TEXT.remove}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {removing && <RemoveDialog onClose={() => setRemoving(false)} onDone={refresh} />}
    </Panel>
  );
}

function RemoveDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => Promise<unknown> }) {
  const submit = useSubmit(async (form) => {
    const password = String(form.get('password') ?? '');
    await quita.removeTotp({ body: { code: textOf(form, 'code'), ...(password !== '' && { password }) } });
    await onDone();
    onClose();
    announce(TEXT.removed);
  });
  return (
    <Dialog title={TEXT.remove} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} text={codeProblem(submit.failed)} />
        <p className={styles['lead']}>{TEXT.removeText}</p>
        <PasswordField
          label={TEXT.password}
          hint={TEXT.passwordHint}
          name="password"
          autoComplete="current-password"
          error={submit.errorAt('/password')}
        />
        <CodeField error={submit.errorAt('/code')} />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="danger" busy={submit.busy}>
            {TEXT.remove}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
