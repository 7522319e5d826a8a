import { sql } from 'kysely';
import { OPEN_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { COUNTED_CONTACT_DAYS, TIMELINE_DAYS } from '../../../kernel/retention-periods.ts';
import { anyOf, NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { LASTING_KINDS } from '../../debts/rules/timeline-entry.ts';
import { eraseExpired } from '../../evidence/queries/evidence-lines.ts';
import { purgeRights } from '../../rights/queries/rights-requests.ts';
import { eraseSandboxActs } from './erasure.ts';

/** The change before which the retention of a debt of the row's client has ended. */
const RETENTION_ENDS = sql<Date>`quita_now() - make_interval(days => coalesce(clients.retention_days, ${sql.lit(TIMELINE_DAYS)}))`;

/** Finds the clients with ended debts whose retention has ended. It is one look-up in an index for each client. */
export const CLIENTS_WITH_DEBTS_TO_PURGE = prepared('clients_with_debts_to_purge', (queries, _: object) =>
  queries
    .selectFrom('clients')
    .select('clients.id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('debts')
          .select('debts.id')
          .whereRef('debts.clientId', '=', 'clients.id')
          .where('debts.retentionFrom', '<', RETENTION_ENDS),
      ),
    )
    .orderBy('clients.id'),
);

/** The last debt of the batch before: a batch goes on after it, so that a run passes debts that have to wait once. */
export interface PurgePlace {
  readonly retentionFrom: Date;
  readonly id: string;
}

/**
 * Locks ended debts of the client whose retention has ended, and returns them with whether something is still open about
 * them. A debt that another transaction holds is left for the next run.
 */
export const lockDebtsToPurge = (
  tx: Tx,
  { clientId, after, limit }: { readonly clientId: string; readonly after: PurgePlace | null; readonly limit: number },
) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select(['debts.id', 'debts.retentionFrom'])
    .select(({ exists, not, or, selectFrom }) =>
      not(
        or([
          // Rows of one identity are one debt, which was imported again after its end.
          exists(
            selectFrom('debts as again')
              .select('again.id')
              .whereRef('again.identityId', '=', 'debts.identityId')
              .where('again.status', 'in', OPEN_DEBT_STATUSES),
          ),
          exists(
            selectFrom('inbox_items')
              .select('inbox_items.id')
              .whereRef('inbox_items.debtId', '=', 'debts.id')
              .where('inbox_items.closedAt', 'is', null),
          ),
          // The item in the inbox moves to the row of a later import, and the request stays.
          exists(
            selectFrom('rights_requests')
              .select('rights_requests.id')
              .whereRef('rights_requests.debtId', '=', 'debts.id')
              .where('rights_requests.answeredAt', 'is', null),
          ),
          // A message that nobody has understood, sent, or taken back yet. The workflow of the debt works at it.
          exists(
            selectFrom('messages')
              .select('messages.id')
              .whereRef('messages.debtId', '=', 'debts.id')
              .where(({ and, eb, or: either }) =>
                either([
                  and([eb('messages.direction', '=', 'in'), eb('messages.handledAt', 'is', null)]),
                  eb('messages.delivery', '=', 'waiting'),
                  eb('messages.isUndoDue', '=', true),
                ]),
              ),
          ),
          exists(
            selectFrom('receipt_deliveries')
              .select('receipt_deliveries.id')
              .whereRef('receipt_deliveries.debtId', '=', 'debts.id')
              .where('receipt_deliveries.state', 'in', ['waiting', 'booked']),
          ),
          // A payment about which the provider is asked, or one whose receipt is not issued yet.
          exists(
            selectFrom('charges')
              .leftJoin('receipts', 'receipts.chargeId', 'charges.id')
              .select('charges.id')
              .whereRef('charges.debtId', '=', 'debts.id')
              .where(({ and, eb, or: either }) =>
                either([
                  eb('charges.askAt', 'is not', null),
                  and([
                    eb('charges.approvedAt', 'is not', null),
                    eb('charges.duplicate', '=', false),
                    eb('charges.underpaidAt', 'is', null),
                    eb('charges.agreementId', 'is', null),
                    eb('receipts.sha256', 'is', null),
                    eb('receipts.shortenedAt', 'is', null),
                  ]),
                ]),
              ),
          ),
        ]),
      )
        .$castTo<boolean>()
        .as('isReady'),
    )
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .where('debts.clientId', '=', clientId)
    .where('debts.retentionFrom', '<', RETENTION_ENDS)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(debts.retention_from, debts.id) > (${after?.retentionFrom}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('debts.retentionFrom')
    .orderBy('debts.id')
    .limit(limit)
    .forNoKeyUpdate('debts')
    .skipLocked()
    .execute();

/**
 * The messages of the debts, and those of other debts that their timelines refer to, because one message may speak of
 * several debts of a person. A message is kept while a debt that it speaks of still has its timeline.
 */
const messagesToPurge = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('messages')
    .select(['messages.id', 'messages.intent'])
    .where('messages.id', 'in', (from) =>
      from
        .selectFrom('messages as own')
        .select('own.id')
        .where('own.debtId', '=', anyOf(debtIds, 'uuid'))
        .union(
          from
            .selectFrom('debt_events')
            .select(sql<string>`(debt_events.data ->> 'messageId')::uuid`.as('id'))
            .where('debt_events.debtId', '=', anyOf(debtIds, 'uuid'))
            .where(sql<boolean>`debt_events.data ? 'messageId'`),
        ),
    )
    // The debts of each message are looked up by their ids. A comparison of `debts.id` with the array itself uses no index.
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom(
            sql<{ id: string }>`unnest(array_append(messages.also_about, messages.debt_id))`.as<'about'>(
              sql`about (id)`,
            ),
          )
            .innerJoin('debts as told', 'told.id', 'about.id')
            .select('told.id')
            .where('about.id', '<>', sql<string>`all(${debtIds}::uuid[])`)
            .where((told) =>
              told.or([told('told.status', 'in', OPEN_DEBT_STATUSES), told('told.retentionFrom', 'is not', null)]),
            ),
        ),
      ),
    );

/**
 * Deletes the messages of the debts with their attachments, what they were charged for, and the bookings of these
 * contacts that no cap counts any more. Of a request not to be contacted the moment stays, without the text: it is why
 * nothing is sent. Returns the number of messages.
 */
async function purgeMessages(tx: Tx, debtIds: readonly string[]): Promise<number> {
  const { messages } = await queriesIn(tx)
    .with(
      (cte) => cte('gone').materialized(),
      () => messagesToPurge(tx, debtIds),
    )
    .with('attached', (queries) =>
      queries.deleteFrom('attachments').where('messageId', 'in', (from) => from.selectFrom('gone').select('gone.id')),
    )
    .with('counted', (queries) =>
      queries
        .deleteFrom('counted_messages')
        .where('messageId', 'in', (from) => from.selectFrom('gone').select('gone.id')),
    )
    .with('booked', (queries) =>
      queries
        .deleteFrom('contact_ledger')
        .where('messageId', 'in', (from) => from.selectFrom('gone').select('gone.id'))
        .where('at', '<', sql<Date>`quita_now() - make_interval(days => ${sql.lit(COUNTED_CONTACT_DAYS)})`),
    )
    .with('emptied', (queries) =>
      queries
        .updateTable('messages')
        .set({ text: '', document: null, phone: null, button: null, channelMessageId: null })
        .where('id', 'in', (from) => from.selectFrom('gone').select('gone.id').where('gone.intent', '=', 'opt_out')),
    )
    .with('deleted', (queries) =>
      queries
        .deleteFrom('messages')
        .where('id', 'in', (from) =>
          from.selectFrom('gone').select('gone.id').where('gone.intent', 'is distinct from', 'opt_out'),
        )
        .returning('id'),
    )
    .selectFrom('deleted')
    .select(({ fn }) => fn.countAll<number>().as('messages'))
    .executeTakeFirstOrThrow();
  return messages;
}

const purgeEvents = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .deleteFrom('debt_events')
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('kind', 'not in', LASTING_KINDS)
    .executeTakeFirstOrThrow();

const purgeNotes = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx).deleteFrom('debt_notes').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();

const purgeSandboxOutbox = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx).deleteFrom('sandbox_outbox').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();

/** `updated_at` stays: what was purged is no change of the debt. */
const markPurged = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx).updateTable('debts').set({ timelinePurgedAt: NOW }).where('id', '=', anyOf(debtIds, 'uuid')).execute();

/** Purges timelines and messages of locked debts. Messages come first, because the timeline refers to them. */
export async function purgeTimelines(
  tx: Tx,
  debtIds: readonly string[],
): Promise<{ readonly messages: number; readonly events: number }> {
  await eraseExpired(tx, debtIds);
  const messages = await purgeMessages(tx, debtIds);
  const { numDeletedRows } = await purgeEvents(tx, debtIds);
  await purgeNotes(tx, debtIds);
  await purgeSandboxOutbox(tx, debtIds);
  await purgeRights(tx, debtIds);
  await eraseSandboxActs(tx, debtIds);
  await markPurged(tx, debtIds);
  return { messages, events: Number(numDeletedRows) };
}
