import type { ChangeDebtsBody, ChangeDebtsResult } from '../../api/client.ts';
import { failedOf } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';

/** The longest call takes about ten minutes; a connection that stays away for half a minute is reported. */
const MAX_WAITS = 200;
const MAX_LOST = 10;
const WAIT_MS = 3_000;

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, WAIT_MS));

/**
 * Changes many debts once for each key. A call of thousands takes minutes: it goes on when its connection breaks, and the same key then
 * asks for its answer instead of doing it again.
 */
export async function changeMany(body: ChangeDebtsBody, idempotencyKey: string): Promise<ChangeDebtsResult> {
  let lost = 0;
  for (let waits = 1; ; waits += 1) {
    try {
      return await quita.changeDebts({ body }, { idempotencyKey, timeout: 0 });
    } catch (error) {
      const { code } = failedOf(error);
      if (code === 'offline') lost += 1;
      const mayGoOn = (code === 'offline' && lost <= MAX_LOST) || code === 'idempotency_running';
      if (!mayGoOn || waits > MAX_WAITS) throw error;
      await pause();
    }
  }
}
