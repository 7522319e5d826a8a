import { useState } from 'react';
import type { Member } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { type Role, signOut } from '../../session/session.ts';
import { COMMON } from '../../texts/common.ts';
import { ROLE_NAMES } from '../../texts/roles.ts';
import { TEAM } from '../../texts/team.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import styles from './account.module.css';

const ROLES = Object.keys(ROLE_NAMES) as Role[];
const OPTIONS = ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }));

/** The choice of a role, with what it may do. */
function RoleField({ given, error }: { readonly given: Role; readonly error: string | undefined }) {
  const [role, setRole] = useState(given);
  return (
    <SelectField
      label={TEAM.role}
      hint={TEAM.roleText(role)}
      name="role"
      options={OPTIONS}
      value={role}
      error={error}
      onChange={({ target }) => setRole(ROLES.find((one) => one === target.value) ?? role)}
    />
  );
}

const roleOf = (form: FormData, otherwise: Role): Role =>
  ROLES.find((role) => role === textOf(form, 'role')) ?? otherwise;

interface Closable {
  readonly onClose: () => void;
  /** Called when the list has changed. */
  readonly onDone: () => Promise<unknown>;
}

export function InviteDialog({ onClose, onDone }: Closable) {
  const submit = useSubmit(async (form) => {
    const body = { email: textOf(form, 'email'), name: textOf(form, 'name'), role: roleOf(form, 'agent') };
    const { email } = await quita.inviteMember({ body }, { idempotencyKey: true });
    await onDone();
    onClose();
    announce(TEAM.invited(email));
  });
  const taken = submit.failed?.code === 'email_taken' ? TEAM.emailTaken : undefined;
  return (
    <Dialog title={TEAM.invite} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <p className={styles['muted']}>{TEAM.inviteText}</p>
        <TextField
          label={TEAM.email}
          hint={TEAM.emailHint}
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          required
          error={submit.errorAt('/email') ?? taken}
        />
        <TextField
          label={TEAM.name}
          name="name"
          autoComplete="off"
          maxLength={200}
          required
          error={submit.errorAt('/name')}
        />
        <RoleField given="agent" error={submit.errorAt('/role')} />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" icon="send" busy={submit.busy}>
            {TEAM.invite}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function RoleDialog({ member: { id, name, role }, onClose, onDone }: Closable & { readonly member: Member }) {
  const submit = useSubmit(async (form) => {
    await quita.changeMember({ path: { id }, body: { role: roleOf(form, role) } });
    await onDone();
    onClose();
    announce(TEAM.changed);
  });
  return (
    <Dialog title={TEAM.changeRoleOf(name)} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <p className={styles['muted']}>{TEAM.changeRoleText}</p>
        <RoleField given={role} error={submit.errorAt('/role')} />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {COMMON.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Removes a member, or takes an invitation back. */
export function RemoveDialog({
  member: { id, name, email, state },
  onClose,
  onDone,
}: Closable & { readonly member: Member }) {
  const isInvited = state === 'invited';
  const submit = useSubmit(async () => {
    await quita.removeMember({ path: { id } });
    await onDone();
    onClose();
    announce(isInvited ? TEAM.takenBack : TEAM.removed);
  });
  return (
    <ConfirmDialog
      title={isInvited ? TEAM.takeBack : TEAM.removeTitle(name)}
      action={isInvited ? TEAM.takeBack : TEAM.remove}
      stay={TEAM.keep}
      danger
      busy={submit.busy}
      failed={submit.failed}
      onConfirm={() => void submit.run()}
      onClose={onClose}
    >
      <p>{isInvited ? TEAM.takeBackText(email) : TEAM.removeText}</p>
      {!isInvited && <p>{TEAM.removeKept}</p>}
    </ConfirmDialog>
  );
}

/** Leaves the company. The session has ended with it, so the page closes too. */
export function LeaveDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const submit = useSubmit(async () => {
    await quita.removeMember({ path: { id } });
    await signOut();
  });
  return (
    <ConfirmDialog
      title={TEAM.leave}
      action={TEAM.leave}
      danger
      busy={submit.busy}
      failed={submit.failed}
      onConfirm={() => void submit.run()}
      onClose={onClose}
    >
      <p>{TEAM.leaveText}</p>
    </ConfirmDialog>
  );
}
