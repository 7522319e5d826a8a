import { randomUUID } from 'node:crypto';
import type { OutboxRow, OutboxStore } from '../../../src/kernel/ports/outbox-store.ts';

interface Stored {
  readonly row: Omit<OutboxRow, 'attempts'>;
  attempts: number;
  availableAt: number;
  delivered: boolean;
  lastError: string | null;
}

export interface MemoryOutbox extends OutboxStore {
  add(row: Partial<OutboxRow> & Pick<OutboxRow, 'workflow' | 'workflowId'>): string;
  find(id: string): Readonly<Stored>;
  undelivered(): number;
}

/** A store with the rules of the real one (leases, marks, retry moments) without a database and with a short lease. */
export function createMemoryOutbox({ leaseMs = 30_000 } = {}): MemoryOutbox {
  const rows = new Map<string, Stored>();
  const waiting = () => [...rows.values()].filter((stored) => !stored.delivered);
  return {
    add(row) {
      const id = randomUUID();
      rows.set(id, {
        row: { kind: 'start', signal: null, payload: {}, requests: 1, dueAt: new Date(), ...row, id },
        attempts: 0,
        availableAt: 0,
        delivered: false,
        lastError: null,
      });
      return id;
    },
    find(id) {
      const stored = rows.get(id);
      if (stored === undefined) throw new Error('no such row');
      return stored;
    },
    undelivered: () => waiting().length,
    async lease(limit) {
      const due = waiting().filter((stored) => stored.availableAt <= Date.now());
      return due.slice(0, limit).map((stored) => {
        stored.availableAt = Date.now() + leaseMs;
        stored.attempts += 1;
        return { ...stored.row, attempts: stored.attempts };
      });
    },
    async delivered(done) {
      for (const { id } of done) rows.get(id)!.delivered = true;
      return done.length;
    },
    async failed(id, error, retryAt) {
      Object.assign(rows.get(id)!, { lastError: error, availableAt: retryAt.getTime() });
    },
    depth: async () => ({ waiting: waiting().length, oldestSeconds: 0 }),
    async purge() {
      const done = [...rows].filter(([, stored]) => stored.delivered);
      for (const [id] of done) rows.delete(id);
      return done.length;
    },
  };
}
