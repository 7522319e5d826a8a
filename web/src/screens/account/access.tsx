import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Session } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { SecondFactor } from '../../second-factor/second-factor.tsx';
import { signOutEverywhere } from '../../session/session.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { deviceOf } from '../../texts/devices.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { NewPasswordField, PasswordField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';
import { OwnEmail } from './change-email.tsx';
import { Passkeys } from './passkeys.tsx';

const KEY = ['sessions'] as const;

/** The second factor, the passkeys, the password, the address of the login, and who is signed in. */
export default function Access() {
  return (
    <>
      <SecondFactor />
      <Passkeys />
      <Sessions />
      <Password />
      <OwnEmail />
    </>
  );
}

function Password() {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit(async (data) => {
    const [current, password] = [String(data.get('current') ?? ''), String(data.get('password') ?? '')];
    await quita.changePassword({ body: { current, password } });
    form.current?.reset();
    announce(ACCOUNT.changedPassword);
  });
  return (
    <Panel title={ACCOUNT.password}>
      <form ref={form} onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <div className={styles['fields']}>
          <PasswordField
            label={ACCOUNT.current}
            name="current"
            autoComplete="current-password"
            required
            error={submit.errorAt('/current')}
          />
          <NewPasswordField
            label={ACCOUNT.next}
            hint={ACCOUNT.passwordHint}
            name="password"
            error={submit.errorAt('/password')}
          />
        </div>
        <Button type="submit" busy={submit.busy}>
          {ACCOUNT.changePassword}
        </Button>
      </form>
    </Panel>
  );
}

function Sessions() {
  const queries = useQueryClient();
  const [isAsking, ask] = useState(false);
  const query = useQuery({ queryKey: KEY, queryFn: () => quita.listSessions({ query: { limit: 100 } }) });
  const end = async (id: string): Promise<void> => {
    await quita.endSession({ path: { id } });
    await queries.invalidateQueries({ queryKey: KEY });
    announce(ACCOUNT.endedOne);
  };
  const endAll = useSubmit(signOutEverywhere);
  const columns: readonly Column<Session>[] = [
    {
      key: 'kind',
      label: ACCOUNT.kind,
      cell: ({ kind, userAgent, current }) => (
        <>
          {deviceOf(userAgent) ?? ACCOUNT.sessionKind[kind]} {current && <Badge tone="paid" label={ACCOUNT.here} />}
        </>
      ),
    },
    { key: 'began', label: ACCOUNT.began, short: true, cell: ({ createdAt }) => formatMoment(createdAt) },
    { key: 'used', label: ACCOUNT.lastUsed, cell: ({ lastUsedAt }) => formatMoment(lastUsedAt) },
    { key: 'address', label: ACCOUNT.usedFrom, cell: ({ ip }) => ip ?? '–' },
    { key: 'ends', label: ACCOUNT.ends, cell: ({ expiresAt }) => formatMoment(expiresAt) },
    {
      key: 'end',
      label: ACCOUNT.endActions,
      cell: ({ id, kind, userAgent, current }) =>
        !current && (
          <Button small onClick={() => void end(id)}>
            {ACCOUNT.endOne}
            <span className="visually-hidden">{`: ${deviceOf(userAgent) ?? ACCOUNT.sessionKind[kind]}`}</span>
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title={ACCOUNT.sessions}
      actions={
        <Button kind="danger" onClick={() => ask(true)}>
          {ACCOUNT.endAll}
        </Button>
      }
    >
      <p className={styles['muted']}>{ACCOUNT.sessionsText}</p>
      <Loaded query={query}>
        {({ items }) => <Table caption={ACCOUNT.sessions} columns={columns} rows={items} rowKey={({ id }) => id} />}
      </Loaded>
      {isAsking && (
        <ConfirmDialog
          title={ACCOUNT.endAll}
          action={ACCOUNT.endAll}
          danger
          busy={endAll.busy}
          failed={endAll.failed}
          onConfirm={() => void endAll.run()}
          onClose={() => ask(false)}
        >
          <p>{ACCOUNT.endAllText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
