import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { FACTORS } from '../../second-factor/use-factors.ts';
import { makePasskey, mayUsePasskeys } from '../../session/passkey.ts';
import { PASSKEYS } from '../../texts/passkeys.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Loaded, Note, Panel } from '../../ui/page.tsx';
import { PasskeyNote, usePasskey } from '../../ui/passkey-button.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';
import { SecretDialog } from './secret-dialog.tsx';

const KEY = ['passkeys'] as const;

/** The member's passkeys: to add one by the browser, and to remove one. */
export function Passkeys() {
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const query = useQuery({ queryKey: KEY, queryFn: () => quita.listPasskeys() });
  // A first or a last passkey changes which factors the member has.
  const reload = () => Promise.all([KEY, FACTORS.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const added = async (name: string, given: readonly string[] | undefined): Promise<void> => {
    await reload();
    setAdding(false);
    setCodes(given ?? null);
    announce(PASSKEYS.added(name));
  };
  const canAdd = mayUsePasskeys();
  return (
    <Panel
      title={PASSKEYS.title}
      actions={
        canAdd && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {PASSKEYS.add}
          </Button>
        )
      }
    >
      <p className={styles['muted']}>{PASSKEYS.lead}</p>
      {!canAdd && <Note>{PASSKEYS.unsupported}</Note>}
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? <p>{PASSKEYS.none}</p> : <PasskeyTable items={items} onRemove={setRemoving} />
        }
      </Loaded>
      {isAdding && <AddDialog onClose={() => setAdding(false)} onAdded={added} />}
      {removing !== null && <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} onRemoved={reload} />}
      {codes !== null && (
        <SecretDialog
          title={PASSKEYS.codesTitle}
          text={PASSKEYS.codesText}
          secret={codes.join('\n')}
          onClose={() => setCodes(null)}
        />
      )}
    </Panel>
  );
}

function PasskeyTable({
  items,
  onRemove,
}: {
  readonly items: readonly Passkey[];
  readonly onRemove: (passkey: Passkey) => void;
}) {
  const columns: readonly Column<Passkey>[] = [
    {
      key: 'name',
      label: PASSKEYS.name,
      cell: ({ name, synced }) => (
        <>
          {name} {synced && <span className={styles['muted']}>{PASSKEYS.synced}</span>}
        </>
      ),
    },
    { key: 'added', label: PASSKEYS.addedAt, short: true, cell: ({ createdAt }) => formatMoment(createdAt) },
    {
      key: 'used',
      label: PASSKEYS.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? PASSKEYS.never : formatMoment(lastUsedAt)),
    },
    {
      key: 'remove',
      label: '',
      cell: (passkey) => (
        <Button small aria-label={PASSKEYS.removeNamed(passkey.name)} onClick={() => onRemove(passkey)}>
          {PASSKEYS.remove}
        </Button>
      ),
    },
  ];
  return <Table caption={PASSKEYS.title} columns={columns} rows={items} rowKey={({ id }) => id} />;
}

function AddDialog({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void;
  readonly onAdded: (name: string, codes: readonly string[] | undefined) => Promise<void>;
}) {
  const submit = usePasskey(async (form) => {
    const { name, recoveryCodes } = await makePasskey(textOf(form, 'name'));
    await onAdded(name, recoveryCodes);
  });
  return (
    <Dialog title={PASSKEYS.add} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <PasskeyNote reason={submit.reason} />
        <TextField
          label={PASSKEYS.name}
          hint={PASSKEYS.nameHint}
          name="name"
          autoComplete="off"
          maxLength={60}
          required
          error={submit.errorAt('/name')}
        />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" icon="key" busy={submit.busy}>
            {PASSKEYS.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function RemoveDialog({
  passkey: { id, name },
  onClose,
  onRemoved,
}: {
  readonly passkey: Passkey;
  readonly onClose: () => void;
  readonly onRemoved: () => Promise<unknown>;
}) {
  const submit = useSubmit(async () => {
    await quita.removePasskey({ path: { id } });
    await onRemoved();
    onClose();
    announce(PASSKEYS.removed);
  });
  return (
    <ConfirmDialog
      title={PASSKEYS.removeTitle}
      action={PASSKEYS.remove}
      danger
      busy={submit.busy}
      failed={submit.failed}
      onConfirm={() => void submit.run()}
      onClose={onClose}
    >
      <p>{PASSKEYS.removeText(name)}</p>
    </ConfirmDialog>
  );
}
