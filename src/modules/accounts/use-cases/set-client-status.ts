import { AppError } from '../../../kernel/errors.ts';
import type { AccountWorkflows } from '../../../kernel/ports/account-workflows.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type AuditEntry, addAudit } from '../queries/add-audit.ts';
import { lockClient, setStatus } from '../queries/clients.ts';
import { waitForGates } from '../queries/pause-locks.ts';
import type { ClientStatus } from '../tables/client.ts';

export type StatusChange = 'pause' | 'resume' | 'cancel';

const TARGET: Readonly<Record<StatusChange, ClientStatus>> = { pause: 'PAUSED', resume: 'ACTIVE', cancel: 'CANCELLED' };

/** The statuses from which each change may start. A cancelled account stays cancelled. */
const FROM: Readonly<Record<StatusChange, readonly ClientStatus[]>> = {
  pause: ['ONBOARDING', 'ACTIVE'],
  resume: ['PAUSED'],
  cancel: ['ONBOARDING', 'ACTIVE', 'PAUSED'],
};

export interface ChangedStatus {
  readonly from: ClientStatus;
  readonly to: ClientStatus;
  /** False when the change is not allowed from the present status, which then stays. */
  readonly possible: boolean;
}

interface SetStatusDeps {
  readonly db: Pick<Database, 'tenant'>;
  readonly workflows: AccountWorkflows;
  readonly now: () => Date;
}

/** Takes effect with the next request and the next contact, and wakes the client's workflows. Throws `not_found`. */
export const setClientStatus =
  ({ db, workflows, now }: SetStatusDeps) =>
  ({
    clientId,
    change,
    by = {},
    also = async () => undefined,
  }: {
    readonly clientId: string;
    readonly change: StatusChange;
    /** What the audit log says of the operator; by default that it was a command. */
    readonly by?: Pick<AuditEntry, 'ip' | 'details'>;
    /** Writes in the same transaction. */
    readonly also?: (tx: Tx, changed: { readonly from: ClientStatus; readonly to: ClientStatus }) => Promise<unknown>;
  }): Promise<ChangedStatus> =>
    db.tenant(clientId).transactional(async (tx) => {
      if (change !== 'resume') await waitForGates(tx, clientId);
      const client = await lockClient(tx, clientId);
      if (client === undefined) throw new AppError('not_found');
      const from = client.status;
      const to = TARGET[change];
      if (from === to) return { from, to, possible: true };
      if (!FROM[change].includes(from)) return { from, to, possible: false };
      await setStatus(tx, clientId, to);
      const details = { from, to, ...by.details };
      await addAudit(tx, { clientId, actor: 'operator', action: 'status_changed', ip: by.ip ?? null, details });
      await also(tx, { from, to });
      await addOutboxRows(tx, workflows.wakeCollections(clientId, now()));
      return { from, to, possible: true };
    });
