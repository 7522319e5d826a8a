import { runInTransaction } from '../../db/statement.ts';
import { LIVE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import {
  type LedgerRow,
  ledgerFor,
  lockPersons,
  type NewHold,
  readLedgerRows,
  replaceHolds,
} from './contact-ledger.ts';
import { ledgerKeyOf, questionAbout } from './contact-question.ts';
import { type DebtContext, SELECT_DEBTS } from './debt-context.ts';
import type { CollectionDeps } from './deps.ts';
import { heldUntil, nextTurn } from './next-slot.ts';
import { readSuppressions, suppressedBy } from './suppressions.ts';

/** Started at once, so less than a worker keeps at hand: more would push the campaign's own workflow out of it. */
const PAGE = 80;

/** A closed window opens for a whole campaign in one moment: each point that a score lacks is that much later. */
const BEHIND_A_POINT_MS = 100;

export interface CollectionPlan {
  readonly debts: readonly { readonly debtId: string; readonly firstAt: number | null }[];
  readonly next: string | null;
}

type Queued = DebtContext & { readonly score: number };

const READ = `
  select * from (${SELECT_DEBTS} where d.campaign_id = $1 and d.status = 'QUEUED' and d.scored_at is not null) as queued
  where $2::int is null or (score, id) < ($2::int, $3::uuid)
  order by score desc, id desc limit ${PAGE}`;
const KEEP = `
  update debts set next_contact_at = planned.at from unnest($1::uuid[], $2::timestamptz[]) as planned (id, at)
  where debts.id = planned.id`;

/** `after` is the last debt of the page before, as `score:id`. */
const cursorOf = (after: string | null): [number | null, string | null] => {
  if (after === null) return [null, null];
  const [score, id] = after.split(':');
  return [Number(score), id ?? null];
};

/**
 * The next page of a campaign, best score first, each debt with its first allowed moment, which is held for it: debts
 * of one person get different slots from the start instead of meeting at the gate.
 */
export const planCollection =
  (deps: CollectionDeps) =>
  async (task: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly after: string | null;
  }): Promise<CollectionPlan> =>
    deps.db.tenant(task.clientId).transactional(async (em) => {
      const debts = await runInTransaction<Queued>(em, READ, [task.campaignId, ...cursorOf(task.after)]);
      const first = debts[0];
      if (first === undefined) return { debts: [], next: null };
      const now = deps.now().getTime();
      const { number: sender } = await deps.senderOf(first);
      const keys = debts.map((debt) => ledgerKeyOf(debt, deps.personKeys));
      await lockPersons(em, keys);
      const rows: LedgerRow[] = await readLedgerRows(em, keys, now);
      const byPerson = Map.groupBy(rows, (row) => row.personKey);
      const byPhone = Map.groupBy(rows, (row) => row.phoneKey);
      const suppressions = Map.groupBy(await readSuppressions(em, keys), (row) => row.personKey);
      const holds: NewHold[] = [];
      const turns: { readonly debtId: string; readonly at: Date }[] = [];
      const planned = debts.map((debt, index) => {
        const key = keys[index] ?? ledgerKeyOf(debt, deps.personKeys);
        const related = new Set([...(byPerson.get(key.personKey) ?? []), ...(byPhone.get(key.phoneKey) ?? [])]);
        const question = questionAbout(debt, deps.policy, {
          ledger: ledgerFor([...related], key),
          suppressed: suppressedBy(suppressions.get(key.personKey) ?? [], { ...key, sender }),
          now,
        });
        const { at: opening, slot } = nextTurn(question, now);
        // Who may be contacted now is, in the order in which the collections start.
        const at = opening === null || opening <= now ? opening : opening + (100 - debt.score) * BEHIND_A_POINT_MS;
        if (at !== null) turns.push({ debtId: debt.id, at: new Date(at) });
        if (at !== null && slot !== null) {
          holds.push({ key, at, until: heldUntil(deps, { exact: debt.sandbox, now, at }) });
          const held: LedgerRow = { ...key, kind: 'hold', at: new Date(at) };
          byPerson.set(key.personKey, [...(byPerson.get(key.personKey) ?? []), held]);
          byPhone.set(key.phoneKey, [...(byPhone.get(key.phoneKey) ?? []), held]);
        }
        return { debtId: debt.id, firstAt: at };
      });
      await replaceHolds(em, holds);
      await runInTransaction(em, KEEP, [turns.map(({ debtId }) => debtId), turns.map(({ at }) => at)]);
      const last = debts.at(-1);
      return {
        debts: planned,
        next: debts.length < PAGE || last === undefined ? null : `${last.score}:${last.id}`,
      };
    });

const WORK_LEFT = `
  select exists (select 1 from debts where campaign_id = $1 and status = any ($2)) as live,
    (select status from campaigns where id = $1) as status`;

/** Whether the campaign's workflow may end. */
export const reviewCampaign =
  (deps: Pick<CollectionDeps, 'db'>) =>
  async (task: { readonly clientId: string; readonly campaignId: string }): Promise<{ over: boolean }> => {
    const [row] = await deps.db
      .tenant(task.clientId)
      .transactional((em) =>
        runInTransaction<{ live: boolean; status: string | null }>(em, WORK_LEFT, [
          task.campaignId,
          LIVE_DEBT_STATUSES,
        ]),
      );
    return { over: row === undefined || !row.live || row.status === 'ARCHIVED' };
  };
