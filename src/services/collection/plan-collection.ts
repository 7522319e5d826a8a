import { debtsToContact, storeFirstContacts, workLeft } from '../../db/queries/contact-plan.ts';
import {
  type LedgerKey,
  type LedgerRow,
  ledgerFor,
  ledgerKeyOf,
  lockPersons,
  type NewReservation,
  readLedgerRows,
  replaceReservations,
} from '../messaging/contact-ledger.ts';
import { numbersOf, policyChannelOf } from '../messaging/deps.ts';
import { readSuppressions, suppressedBy } from '../messaging/suppressions.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';
import { nextSlot, reservedUntil } from './next-slot.ts';
import { type FirstContact, paceFirstContacts } from './pace-first-contacts.ts';

/** A page starts at once. It is smaller than a worker's workflow cache, so that the campaign's workflow stays in it. */
const PAGE = 80;

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
 * Returns the next page of a campaign, best score first. The moment of each debt is reserved for it, so that debts of
 * one person get different slots from the start and are not refused at the gate.
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
      const senders = await deps.sendersOf(em, first);
      const numbers = numbersOf(senders);
      const keys = debts.map((debt) => ledgerKeyOf(debt, deps.personKeys));
      await lockPersons(em, keys);
      const rows: LedgerRow[] = await readLedgerRows(em, keys, now);
      const byPerson = Map.groupBy(rows, (row) => row.personKey);
      const byPhone = Map.groupBy(rows, (row) => row.phoneKey);
      const suppressions = await readSuppressions(em, keys);
      const slots: LedgerKey[] = [];
      const contacts: FirstContact[] = [];
      for (const [index, debt] of debts.entries()) {
        const key = keys[index]!;
        const related = new Set([...(byPerson.get(key.personKey) ?? []), ...(byPhone.get(key.phoneKey) ?? [])]);
        const question = questionAbout(debt, deps.policy, {
          ledger: ledgerFor([...related], key),
          channel: policyChannelOf(senders),
          suppressed: suppressedBy(suppressions, { ...key, numbers }),
          now,
          // The workflow of each debt handles what has come before it contacts anybody.
          inboxWaiting: false,
        });
        const { at, slot } = nextSlot(question, now);
        if (at !== null) contacts.push({ debtId: debt.id, question, at });
        if (slot === null) continue;
        slots.push(key);
        const reservation: LedgerRow = { ...key, kind: 'hold', at: new Date(slot) };
        byPerson.set(key.personKey, [...(byPerson.get(key.personKey) ?? []), reservation]);
        byPhone.set(key.phoneKey, [...(byPhone.get(key.phoneKey) ?? []), reservation]);
      }
      const scope = first.sandbox ? campaignId : 'real';
      const moments = await paceFirstContacts(em, deps, { scope, now }, contacts);
      const reservations = slots.map((key): NewReservation => {
        const at = moments.get(key.debtId) ?? now;
        return { key, at, until: reservedUntil(deps, { exact: first.sandbox, now, at }) };
      });
      await replaceReservations(em, reservations);
      // A debt that may not be contacted at all is planned too: its workflow finds out why.
      await storeFirstContacts(
        em,
        debts.map(({ id }) => ({ debtId: id, at: new Date(moments.get(id) ?? now) })),
      );
      const last = debts.at(-1);
      return {
        debts: debts.map(({ id }) => ({ debtId: id, firstAt: moments.get(id) ?? null })),
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
