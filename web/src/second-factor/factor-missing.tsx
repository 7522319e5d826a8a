import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SetUpTotpResult } from '../api/client.ts';
import { quita } from '../api/quita.ts';
import { Door } from '../screens/sign-in/door.tsx';
import { mayUsePasskeys } from '../session/passkey.ts';
import { noteFactor, signOut } from '../session/session.ts';
import { PASSKEYS } from '../texts/passkeys.ts';
import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemSummary, useSubmit } from '../ui/form.tsx';
import { AddPasskey } from './add-passkey.tsx';
import styles from './second-factor.module.css';
import SetUp from './set-up.tsx';

const ASK_AGAIN_MS = 15_000;

/** All that a member sees whose company asks for a second factor, until there is one. */
export default function FactorMissing() {
  const [app, setApp] = useState<SetUpTotpResult | null>(null);
  const [isAdding, setAdding] = useState(false);
  const begin = useSubmit(async () => setApp(await quita.setUpTotp()));
  // The owner may change the rule, and the member may set the app up in another tab. Once it is begun here nothing is
  // asked, because the answer would take the recovery codes from the screen.
  const isIdle = app === null && !begin.busy && !isAdding;
  const { isSuccess } = useQuery({
    queryKey: ['factor-missing'],
    queryFn: () => quita.readAccount(),
    enabled: isIdle,
    refetchInterval: ASK_AGAIN_MS,
    gcTime: 0,
  });
  useEffect(() => {
    if (isIdle && isSuccess) noteFactor(false);
  }, [isIdle, isSuccess]);
  const done = (): void => {
    noteFactor(false);
    announce(TEXT.isSetUp);
  };
  return (
    <Door
      title={TEXT.missingTitle}
      lead={TEXT.missingText}
      after={<Button onClick={() => void signOut()}>{SHELL.signOut}</Button>}
    >
      {app === null ? (
        <>
          <ProblemSummary failed={begin.failed} />
          <p className={styles['lead']}>{TEXT.lead}</p>
          <Button kind="primary" icon="key" busy={begin.busy} onClick={() => void begin.run()}>
            {TEXT.setUp}
          </Button>
          {mayUsePasskeys() && (
            <Button icon="key" onClick={() => setAdding(true)}>
              {PASSKEYS.add}
            </Button>
          )}
          {/* Once it is closed, the question above finds out whether there is a passkey now. */}
          {isAdding && <AddPasskey onAdded={async () => undefined} onClose={() => setAdding(false)} />}
        </>
      ) : (
        <SetUp app={app} heading="h2" onDone={done} />
      )}
    </Door>
  );
}
