import { sql } from 'kysely';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { anyOf, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { assigneeOfCase } from './case-assignees.ts';

/** The current row of a debt, whichever of its rows is named. Items belong to it. */
const currentOf = (debtId: string) =>
  sql<string>`(select current.id from debts as named join debts as current on current.identity_id = named.identity_id
    where named.id = ${debtId}::uuid and current.continued_by is null)`;

/** Whether the current row names the person of this one. Otherwise what this person asks is no case of the other one. */
const namesSamePerson = (debtId: string) =>
  sql<boolean>`debts.debtor_tax_id = (select named.debtor_tax_id from debts as named where named.id = ${debtId}::uuid)`;

interface NewItem {
  readonly exceptIn: readonly DebtStatus[];
  /** Whether it is about the person of the named row, and not about money of the debt. */
  readonly ofPerson?: boolean;
  readonly dueAt?: Date | null;
  /** Nothing can be done any more once the term is over. Where this is not so, what is late is still owed. */
  readonly endsWithTerm?: boolean;
  /** Otherwise an item that waits already stays as it is, also where somebody has put it off. */
  readonly isNews?: boolean;
  /** The next digest tells the item, also when an earlier one has told it. */
  readonly tellAgain?: boolean;
}

/**
 * Adds an item unless the debt has a status in which it waits for nobody. An item that waits for this reason already is
 * not hidden any more where this is news, because what was snoozed has come up again.
 */
export const openInboxItem = (
  tx: Tx,
  debtId: string,
  reason: InboxReason,
  { exceptIn, ofPerson = false, dueAt = null, endsWithTerm = false, isNews = true, tellAgain = false }: NewItem,
) =>
  queriesIn(tx)
    .insertInto('inbox_items')
    .columns(['clientId', 'debtId', 'reason', 'dueAt', 'assigneeId'])
    .expression((queries) =>
      queries
        .selectFrom('debts')
        .select(['debts.clientId', 'debts.id'])
        .select(sql<InboxReason>`${reason}`.as('reason'))
        .select(sql<Date | null>`${dueAt}::timestamptz`.as('dueAt'))
        .select(assigneeOfCase(sql.ref('debts.id')).as('assigneeId'))
        .where('debts.id', '=', currentOf(debtId))
        .where(sql<boolean>`debts.status <> all(${exceptIn}::text[])`)
        .$if(ofPerson, (query) => query.where(namesSamePerson(debtId))),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['debtId', 'reason'])
        .where('closedAt', 'is', null)
        .doUpdateSet({
          snoozedUntil: null,
          waitingUntil: null,
          // Of several terms the one that ends first is shown.
          dueAt: sql<Date | null>`least(
            case when not ${endsWithTerm}::boolean or inbox_items.due_at > ${NOW} then inbox_items.due_at end,
            excluded.due_at)`,
          ...(tellAgain ? { toldAt: null, digestId: null } : {}),
        })
        .where(({ and, eb, lit, or }) =>
          and([
            lit(isNews),
            or([
              lit(tellAgain),
              eb('inbox_items.snoozedUntil', 'is not', null),
              eb('inbox_items.waitingUntil', 'is not', null),
              eb('excluded.dueAt', 'is not', null),
            ]),
          ]),
        ),
    )
    .execute();

/** Returns the ids of the open items of the debt, which are hidden until the moment, or shown again when it is null. */
export const snoozeInboxItems = (tx: Tx, debtId: string, until: Date | null) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ snoozedUntil: until })
    .where('debtId', '=', debtId)
    .where('closedAt', 'is', null)
    .returning('id')
    .execute();

/** Shows the open items of the debts that are snoozed. */
export const endSnooze = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ snoozedUntil: null })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('closedAt', 'is', null)
    .where('snoozedUntil', 'is not', null)
    .execute();

/** The reasons about which staff and debtor write to each other. The others are about money or channels. */
const CONVERSATIONS: readonly InboxReason[] = [
  'disputed',
  'hardship',
  'negotiate',
  'human',
  'said_paid',
  'attachment',
  'question',
];

/** Staff have answered, so the items of the debts wait for the debtor until the moment; null: they wait for the staff. */
export const setWaiting = (tx: Tx, debtIds: readonly string[], until: Date | null) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ waitingUntil: until })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('closedAt', 'is', null)
    .where('reason', '=', anyOf(CONVERSATIONS, 'text').$castTo<InboxReason>())
    .where('waitingUntil', 'is distinct from', until)
    .execute();

/** Returns the reasons for which the debt stands in the inbox, also those of hidden items. */
export async function openReasons(tx: Tx, debtId: string): Promise<readonly InboxReason[]> {
  const rows = await queriesIn(tx)
    .selectFrom('inbox_items')
    .select('reason')
    .where('debtId', '=', debtId)
    .where('closedAt', 'is', null)
    .execute();
  return rows.map(({ reason }) => reason);
}

export const closeInboxItems = (tx: Tx, debtId: string, reasons: readonly InboxReason[]) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ closedAt: NOW })
    .where('debtId', '=', debtId)
    .where('reason', '=', anyOf(reasons, 'text').$castTo<InboxReason>())
    .where('closedAt', 'is', null)
    .executeTakeFirstOrThrow();

/** Closes items of the debts that an archived campaign has stopped. */
export const closeInboxItemsOfStopped = (tx: Tx, campaignId: string, reasons: readonly InboxReason[]) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .from('debts')
    .set({ closedAt: NOW })
    .whereRef('debts.id', '=', 'inbox_items.debtId')
    .where('debts.campaignId', '=', campaignId)
    .where('debts.status', '=', 'STOPPED')
    .where('inbox_items.reason', '=', anyOf(reasons, 'text').$castTo<InboxReason>())
    .where('inbox_items.closedAt', 'is', null)
    .execute();

/** A message has reached the persons of these debts. One that has ended as unreachable still waits for a decision. */
export const closeUndelivered = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .from('debts')
    .set({ closedAt: NOW })
    .whereRef('debts.id', '=', 'inbox_items.debtId')
    .where('inbox_items.debtId', '=', anyOf(debtIds, 'uuid'))
    .where('inbox_items.reason', '=', 'undelivered')
    .where('inbox_items.closedAt', 'is', null)
    .where('debts.status', '<>', 'UNREACHABLE')
    .execute();
