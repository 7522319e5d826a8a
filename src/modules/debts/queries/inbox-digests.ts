import { type RawBuilder, sql } from 'kysely';
import { IS_AWAKE, NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** The digests of a client about real debts and about sandbox debts are apart. */
export interface DigestOwner {
  readonly clientId: string;
  readonly sandbox: boolean;
}

const secondsAgo = (seconds: number): RawBuilder<Date> => sql<Date>`quita_now() - make_interval(secs => ${seconds})`;

interface DueDigests {
  /** An item is at least this old, so that what happens together is told together. */
  readonly gatherSeconds: number;
  /** The shortest time between two digests. */
  readonly everySeconds: number;
  /** Whether mails about real debts can be sent. */
  readonly live: boolean;
  readonly limit: number;
}

/**
 * Finds over all clients whose digest is due, the longest wait first. Mails about real debts go only to an address that
 * somebody has proved: its owner, or the operator who has verified the company.
 */
export const DUE_DIGESTS = prepared('due_inbox_digests', (queries, params: DueDigests) =>
  queries
    .selectFrom('inbox_items')
    .innerJoin('debts', 'debts.id', 'inbox_items.debtId')
    .innerJoin('clients', 'clients.id', 'inbox_items.clientId')
    .select(['inbox_items.clientId', 'debts.sandbox'])
    .where('inbox_items.toldAt', 'is', null)
    .where('inbox_items.closedAt', 'is', null)
    .where(IS_AWAKE)
    .where(
      sql<boolean>`(debts.sandbox or ${params.live}
        and (clients.email_confirmed_at is not null or clients.verified_at is not null))`,
    )
    .groupBy(['inbox_items.clientId', 'debts.sandbox'])
    .having(({ fn }) => fn.min('inbox_items.since'), '<=', secondsAgo(params.gatherSeconds))
    .having(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('inbox_items as told')
            .innerJoin('debts as told_debts', 'told_debts.id', 'told.debtId')
            .select('told.id')
            .whereRef('told.clientId', '=', 'inbox_items.clientId')
            .whereRef('told_debts.sandbox', '=', 'debts.sandbox')
            .where('told.toldAt', '>', secondsAgo(params.everySeconds)),
        ),
      ),
    )
    .orderBy(({ fn }) => fn.min('inbox_items.since'))
    .limit(params.limit),
);

/** One digest of a client is made at a time, also while an attempt that counts as lost is still running. */
export const lockDigests = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended('inbox-digest:' || ${clientId}, 0))`.as('locked'))
    .execute();

export async function hasRecentDigest(
  tx: Tx,
  { clientId, sandbox }: DigestOwner,
  withinSeconds: number,
): Promise<boolean> {
  const told = await queriesIn(tx)
    .selectFrom('inbox_items')
    .innerJoin('debts', 'debts.id', 'inbox_items.debtId')
    .select('inbox_items.id')
    .where('inbox_items.clientId', '=', clientId)
    .where('debts.sandbox', '=', sandbox)
    .where('inbox_items.toldAt', '>', secondsAgo(withinSeconds))
    .limit(1)
    .executeTakeFirst();
  return told !== undefined;
}

/** Books all items that are not snoozed and that no digest has told yet for this one, and returns how many there are of each reason, and the first term among them. */
export const bookDigest = (tx: Tx, { clientId, sandbox }: DigestOwner, digestId: string) =>
  queriesIn(tx)
    .with('booked', (queries) =>
      queries
        .updateTable('inbox_items')
        .from('debts')
        .set({ toldAt: NOW, digestId })
        .whereRef('debts.id', '=', 'inbox_items.debtId')
        .where('inbox_items.clientId', '=', clientId)
        .where('debts.sandbox', '=', sandbox)
        .where('inbox_items.toldAt', 'is', null)
        .where('inbox_items.closedAt', 'is', null)
        .where(IS_AWAKE)
        .returning(['inbox_items.reason', 'inbox_items.dueAt', 'debts.campaignId']),
    )
    .selectFrom('booked')
    .innerJoin('campaigns', 'campaigns.id', 'booked.campaignId')
    .select(['booked.reason', 'campaigns.id as campaignId', 'campaigns.name as campaign'])
    .select(({ fn }) => [fn.countAll<number>().as('items'), fn.min('booked.dueAt').as('dueAt')])
    .groupBy(['booked.reason', 'campaigns.id'])
    .execute();

/** Frees the items of a digest that was certainly not sent. */
export const freeDigest = (tx: Tx, digestId: string, clientId: string) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ toldAt: null, digestId: null })
    .where('clientId', '=', clientId)
    .where('digestId', '=', digestId)
    .execute();

/** Counts all open items that are not snoozed, those that earlier digests have told too. */
export async function countOpenItems(tx: Tx, { clientId, sandbox }: DigestOwner): Promise<number> {
  const { items } = await queriesIn(tx)
    .selectFrom('inbox_items')
    .innerJoin('debts', 'debts.id', 'inbox_items.debtId')
    .select(({ fn }) => fn.countAll<number>().as('items'))
    .where('inbox_items.clientId', '=', clientId)
    .where('inbox_items.closedAt', 'is', null)
    .where(IS_AWAKE)
    .where('debts.sandbox', '=', sandbox)
    .executeTakeFirstOrThrow();
  return items;
}

/** Returns where mails about the client's debts go. The operator verifies the company, not each change of an address. */
export const addresseeOfDigest = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('clients')
    .select(['email', 'contactEmail'])
    .select((client) => client('verifiedAt', 'is not', null).$castTo<boolean>().as('verified'))
    .where('id', '=', clientId)
    .executeTakeFirst();
