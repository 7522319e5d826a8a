import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { AddPasskey } from '../../second-factor/add-passkey.tsx';
import { FACTORS } from '../../second-factor/use-factors.ts';
import { mayUsePasskeys } from '../../session/passkey.ts';
import { PASSKEYS } from '../../texts/passkeys.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Loaded, Note, Panel } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';

const KEY = ['passkeys'] as const;

/** The member's passkeys: to add one by the browser, and to remove one. */
export function Passkeys() {
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const query = useQuery({ queryKey: KEY, queryFn: () => quita.listPasskeys() });
  // A first or a last passkey changes which factors the member has.
  const reload = () => Promise.all([KEY, FACTORS.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
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
      {isAdding && <AddPasskey onClose={() => setAdding(false)} onAdded={reload} />}
      {removing !== null && <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} onRemoved={reload} />}
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
