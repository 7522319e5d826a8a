import { debtsToContact, storeFirstContacts, workLeft } from '../../db/queries/contact-plan.ts';
import {
  type LedgerRow,
  ledgerFor,
  ledgerKeyOf,
  lockPersons,
  type NewReservation,
  readLedgerRows,
  replaceReservations,
} from '../messaging/contact-ledger.ts';
import { readSuppressions, suppressedBy } from '../messaging/suppressions.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';
import { nextSlot, reservedUntil } from './next-slot.ts';

/** A page starts at once. It is smaller than a worker's workflow cache, so that the campaign's workflow stays in it. */
const PAGE = 80;

/** When the window opens, a whole campaign becomes due at once: each point below 100 delays a debt by this. */
const DELAY_PER_MISSING_POINT_MS = 100;

export interface CollectionPlan {
  readonly debts: readonly { readonly debtId: string; readonly firstAt: number | null }[];
  readonly next: string | null;
}

/** The cursor is the last debt of a page, as `score:id`. */
function readCursor(cursor: string): { score: number; id: string } {
  const [score, id = ''] = cursor.split(':');
  return { score: Number(score), id };
}

/**
 * Returns the next page of a campaign, best score first. The first allowed moment of each debt is reserved for it, so
 * that debts of one person get different slots from the start and are not refused at the gate.
 */
export const planCollection =
  (deps: CollectionDeps) =>
  async (task: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly after: string | null;
  }): Promise<CollectionPlan> =>
    deps.db.tenant(task.clientId).transactional(async (em) => {
      const { campaignId } = task;
      const after = task.after === null ? null : readCursor(task.after);
      const debts = await debtsToContact(em, { campaignId, after, limit: PAGE });
      const first = debts[0];
      if (first === undefined) return { debts: [], next: null };
      const now = deps.now().getTime();
      const { number: sender } = await deps.senderOf(first);
      const keys = debts.map((debt) => ledgerKeyOf(debt, deps.personKeys));
      await lockPersons(em, keys);
      const rows: LedgerRow[] = await readLedgerRows(em, keys, now);
      const byPerson = Map.groupBy(rows, (row) => row.personKey);
      const byPhone = Map.groupBy(rows, (row) => row.phoneKey);
      const suppressions = await readSuppressions(em, keys);
      const reservations: NewReservation[] = [];
      const firstContacts: { readonly debtId: string; readonly at: Date }[] = [];
      const planned = debts.map((debt, index) => {
        const key = keys[index] ?? ledgerKeyOf(debt, deps.personKeys);
        const related = new Set([...(byPerson.get(key.personKey) ?? []), ...(byPhone.get(key.phoneKey) ?? [])]);
        const question = questionAbout(debt, deps.policy, {
          ledger: ledgerFor([...related], key),
          suppressed: suppressedBy(suppressions, { ...key, sender }),
          now,
          // The workflow of each debt handles what has come before it contacts anybody.
          inboxWaiting: false,
        });
        const { at: opening, slot } = nextSlot(question, now);
        // A debt that may be contacted now gets no delay: the workflows start in the order of the scores.
        const at =
          opening === null || opening <= now ? opening : opening + (100 - debt.score) * DELAY_PER_MISSING_POINT_MS;
        if (at !== null) firstContacts.push({ debtId: debt.id, at: new Date(at) });
        if (at !== null && slot !== null) {
          reservations.push({ key, at, until: reservedUntil(deps, { exact: debt.sandbox, now, at }) });
          const reservation: LedgerRow = { ...key, kind: 'hold', at: new Date(at) };
          byPerson.set(key.personKey, [...(byPerson.get(key.personKey) ?? []), reservation]);
          byPhone.set(key.phoneKey, [...(byPhone.get(key.phoneKey) ?? []), reservation]);
        }
        return { debtId: debt.id, firstAt: at };
      });
      await replaceReservations(em, reservations);
      await storeFirstContacts(em, firstContacts);
      const last = debts.at(-1);
      return {
        debts: planned,
        next: debts.length < PAGE || last === undefined ? null : `${last.score}:${last.id}`,
      };
    });

/** Returns whether the campaign's workflow may end. */
export const reviewCampaign =
  (deps: Pick<CollectionDeps, 'db'>) =>
  async (task: { readonly clientId: string; readonly campaignId: string }): Promise<{ over: boolean }> => {
    const { live, status } = await deps.db.tenant(task.clientId).transactional((em) => workLeft(em, task.campaignId));
    return { over: !live || status === 'ARCHIVED' };
  };
