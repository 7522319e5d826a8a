import type { SharedDeps } from '../../deps.ts';
import {
  CLIENTS_WITH_DEBTS_TO_PURGE,
  lockDebtsToPurge,
  type PurgePlace,
  purgeTimelines,
} from '../queries/ended-debts.ts';

/** Small enough that nothing waits long for a debt that a batch has locked. */
const DEBTS_PER_BATCH = 200;

/** A run ends after this time, and the next scheduled run goes on. */
const RUN_MS = 4 * 60_000;

/** The counts of one run. */
export interface PurgedDebts {
  readonly debts: number;
  readonly messages: number;
  readonly events: number;
  /** Debts whose retention has ended and about which something is still open. */
  readonly waiting: number;
}

interface Progress {
  readonly clientId: string;
  after: PurgePlace | null;
}

/**
 * Deletes timeline and messages of debts that ended longer ago than the retention of their client. The clients take
 * turns by batches, so that a large one does not keep the others from theirs. A batch is one transaction: what a killed
 * process has begun is done again, and what it has finished is not found any more.
 */
export const purgeEndedDebts =
  ({ db, now, note }: Pick<SharedDeps, 'db' | 'now' | 'note'>) =>
  async (alive: () => void = () => undefined): Promise<PurgedDebts> => {
    const endsAt = now().getTime() + RUN_MS;
    const total = { debts: 0, messages: 0, events: 0, waiting: 0 };

    /** Returns whether the client may have more debts to purge. */
    async function purgeBatch(progress: Progress): Promise<boolean> {
      const { clientId, after } = progress;
      return db.tenant(clientId).transactional(async (tx) => {
        const locked = await lockDebtsToPurge(tx, { clientId, after, limit: DEBTS_PER_BATCH });
        const ready = locked.filter(({ isReady }) => isReady).map(({ id }) => id);
        if (ready.length > 0) {
          const { messages, events } = await purgeTimelines(tx, ready);
          total.messages += messages;
          total.events += events;
        }
        total.debts += ready.length;
        total.waiting += locked.length - ready.length;
        const last = locked.at(-1);
        if (last?.retentionFrom != null) progress.after = { id: last.id, retentionFrom: last.retentionFrom };
        return locked.length === DEBTS_PER_BATCH;
      });
    }

    const clients = await db.readPrepared({}, CLIENTS_WITH_DEBTS_TO_PURGE, {});
    let left: Progress[] = clients.map(({ id }) => ({ clientId: id, after: null }));
    while (left.length > 0 && now().getTime() < endsAt) {
      const unfinished: Progress[] = [];
      for (const progress of left) {
        if (now().getTime() >= endsAt) break;
        alive();
        if (await purgeBatch(progress)) unfinished.push(progress);
      }
      left = unfinished;
    }
    if (total.debts > 0) {
      const { debts, messages, events, waiting } = total;
      note('timelines and messages of ended debts purged', {
        debts: String(debts),
        messages: String(messages),
        events: String(events),
        waiting: String(waiting),
      });
    }
    return total;
  };
