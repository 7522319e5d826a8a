import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate, formatMoment } from '../../format.ts';
import { may } from '../../session/may.ts';
import { useSession } from '../../session/use-session.ts';
import { COMMON } from '../../texts/common.ts';
import { ROLE_NAMES } from '../../texts/roles.ts';
import { TEAM } from '../../texts/team.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { FailedNote } from '../../ui/failure.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Panel } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Badge } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import styles from './account.module.css';
import { RequireFactor } from './require-factor.tsx';
import { InviteDialog, LeaveDialog, RemoveDialog, RoleDialog } from './team-dialogs.tsx';

const KEY = ['members'] as const;

/** Who works for the company. Owners see everybody; the others see what their own role may do. */
export default function Team() {
  return (
    <>
      {may('administer') && (
        <>
          <Members />
          <RequireFactor />
        </>
      )}
      <Own />
    </>
  );
}

function State({ member: { state, expiresAt } }: { readonly member: Member }) {
  if (state === 'active' || expiresAt === null) return <Badge tone="paid" label={TEAM.active} />;
  const until = formatDate(expiresAt);
  return Date.parse(expiresAt) > Date.now() ? (
    <Badge tone="waiting" label={TEAM.invitedUntil(until)} />
  ) : (
    <Badge tone="ended" label={TEAM.invitationEnded(until)} />
  );
}

type Asked = { readonly what: 'role' | 'remove'; readonly member: Member };

function Members() {
  const queries = useQueryClient();
  const session = useSession();
  const ownId = session.kind === 'in' ? session.member.id : '';
  const [inviting, setInviting] = useState(false);
  const [asked, ask] = useState<Asked | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: KEY });
  const again = useSubmit(async (form) => {
    await quita.sendInvitationAgain({ path: { id: String(form.get('id')) } }, { idempotencyKey: true });
    await refresh();
    announce(TEAM.sentAgain);
  });
  const sendAgain = (id: string): void => {
    const form = new FormData();
    form.set('id', id);
    void again.run(form);
  };
  const columns: readonly Column<Member>[] = [
    {
      key: 'name',
      label: TEAM.name,
      cell: ({ id, name }) => (
        <>
          {name} {id === ownId && <Badge tone="paid" label={TEAM.you} />}
        </>
      ),
    },
    {
      key: 'email',
      label: TEAM.email,
      wide: true,
      cell: ({ email }) => <span className={styles['email']}>{email}</span>,
    },
    { key: 'role', label: TEAM.role, short: true, cell: ({ role }) => ROLE_NAMES[role] },
    { key: 'state', label: TEAM.state, cell: (member) => <State member={member} /> },
    {
      key: 'factor',
      label: TEAM.factor,
      cell: ({ secondFactor }) => (secondFactor === undefined ? COMMON.none : TEAM.hasFactor(secondFactor)),
    },
    {
      key: 'seen',
      label: TEAM.lastSeen,
      short: true,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? TEAM.never : formatMoment(lastSeenAt)),
    },
    {
      key: 'actions',
      label: TEAM.actions,
      cell: (member) => (
        <fieldset className={styles['rowButtons']} aria-label={TEAM.actionsOf(member.name)}>
          {member.state === 'invited' && (
            <Button small icon="send" onClick={() => sendAgain(member.id)}>
              {TEAM.again}
            </Button>
          )}
          <Button small onClick={() => ask({ what: 'role', member })}>
            {TEAM.changeRole}
          </Button>
          {member.id !== ownId && (
            <Button small kind="danger" onClick={() => ask({ what: 'remove', member })}>
              {member.state === 'invited' ? TEAM.takeBack : TEAM.remove}
            </Button>
          )}
        </fieldset>
      ),
    },
  ];
  const close = { onClose: () => ask(null), onDone: refresh };
  return (
    <Panel
      title={TEAM.title}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
          {TEAM.invite}
        </Button>
      }
    >
      <p className={styles['muted']}>{TEAM.lead}</p>
      {again.failed !== null && <FailedNote failed={again.failed} />}
      <PagedTable
        queryKey={KEY}
        read={(page) => quita.listMembers({ query: page })}
        caption={TEAM.title}
        columns={columns}
        rowKey={({ id }) => id}
      />
      {inviting && <InviteDialog onClose={() => setInviting(false)} onDone={refresh} />}
      {asked?.what === 'role' && <RoleDialog member={asked.member} {...close} />}
      {asked?.what === 'remove' && <RemoveDialog member={asked.member} {...close} />}
    </Panel>
  );
}

/** The own role in words, and the way out. */
function Own() {
  const session = useSession();
  const [leaving, setLeaving] = useState(false);
  if (session.kind !== 'in') return null;
  const { id, role } = session.member;
  return (
    <Panel title={TEAM.own}>
      <p>
        <strong>{ROLE_NAMES[role]}</strong>
        {`. ${TEAM.roleText(role)}`}
      </p>
      <div className={styles['buttons']}>
        <Button kind="danger" onClick={() => setLeaving(true)}>
          {TEAM.leave}
        </Button>
      </div>
      {leaving && <LeaveDialog id={id} onClose={() => setLeaving(false)} />}
    </Panel>
  );
}
