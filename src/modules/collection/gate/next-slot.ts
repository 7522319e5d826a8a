import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtClock } from '../../debts/rules/debt-task.ts';
import {
  type LedgerKey,
  type NewReservation,
  releaseReservations,
  replaceReservations,
} from '../../messaging/use-cases/contact-ledger.ts';
import type { CollectionDeps } from '../deps.ts';

/** A slot that its debt does not use is free again this long after the moment of the slot. */
const GRACE_MS = 10 * 60_000;

/** Returns the end of a reservation in real time. A simulated wait ends long before its simulated moment. */
export function reservedUntil(
  deps: Pick<CollectionDeps, 'now' | 'sandboxMaxWaitMs'>,
  wait: { readonly exact: boolean; readonly now: number; readonly at: number },
): Date {
  const waitMs = wait.exact ? Math.min(wait.at - wait.now, deps.sandboxMaxWaitMs) : wait.at - wait.now;
  return new Date(deps.now().getTime() + Math.max(0, waitMs) + GRACE_MS);
}

interface Slot {
  readonly key: LedgerKey;
  readonly clock: DebtClock;
  readonly now: number;
  readonly at: number;
}

export const reservationAt = (deps: CollectionDeps, { key, clock, now, at }: Slot): NewReservation => ({
  key,
  at,
  until: reservedUntil(deps, { exact: clock.exact, now, at }),
});

/** `at` is null when the debt waits for no slot: an earlier reservation is then released. */
export async function reserveSlot(
  tx: Tx,
  deps: CollectionDeps,
  { at, ...slot }: Omit<Slot, 'at'> & { readonly at: number | null },
): Promise<void> {
  if (at === null) await releaseReservations(tx, [slot.key.debtId]);
  else await replaceReservations(tx, [reservationAt(deps, { ...slot, at })]);
}
