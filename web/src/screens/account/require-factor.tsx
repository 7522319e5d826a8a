import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { quita } from '../../api/quita.ts';
import { FACTORS } from '../../second-factor/use-factors.ts';
import { SECOND_FACTOR as TEXT } from '../../texts/second-factor.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import styles from './account.module.css';

/** Whether the company asks every member for a second factor. An owner asks others only for what the owner has. */
export function RequireFactor() {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({ queryKey: ['account'], queryFn: () => quita.readAccount() });
  const { totp = false, passkeys = 0 } = useQuery(FACTORS).data ?? {};
  const hasOwn = totp || passkeys > 0;
  const isOn = query.data?.requireSecondFactor === true;
  const change = useSubmit(async () => {
    queries.setQueryData(['account'], await quita.changeAccount({ body: { requireSecondFactor: !isOn } }));
    setAsking(false);
    announce(TEXT.ruleChanged);
  });
  const close = (): void => {
    change.reset();
    setAsking(false);
  };
  const action = isOn ? TEXT.stopAsking : TEXT.ask;
  return (
    <Panel title={TEXT.rule}>
      <Loaded query={query} lines={3}>
        {() => (
          <>
            <p>
              <Badge tone={isOn ? 'paid' : 'ended'} label={isOn ? TEXT.ruleOn : TEXT.ruleOff} />
            </p>
            <p className={styles['muted']}>{TEXT.ruleText}</p>
            <Button disabledBecause={isOn || hasOwn ? undefined : TEXT.ruleOwnFirst} onClick={() => setAsking(true)}>
              {action}
            </Button>
            {!isOn && !hasOwn && <p className={styles['muted']}>{`${TEXT.ruleOwnFirst}.`}</p>}
          </>
        )}
      </Loaded>
      {isAsking && (
        <ConfirmDialog
          title={action}
          action={action}
          busy={change.busy}
          failed={change.failed}
          onConfirm={() => void change.run()}
          onClose={close}
        >
          <p>{isOn ? TEXT.stopConfirm : TEXT.askConfirm}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
