import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

export interface LedgerPlace {
  readonly at: Date;
  readonly clientId: string;
  readonly debtId: string;
}

export interface ContactsAsked {
  readonly sandbox: boolean;
  readonly from: Date;
  readonly before: Date;
  /** The last contact of the page before. */
  readonly after: LedgerPlace | null;
  readonly limit: number;
}

/**
 * Returns contacts that were booked, in the order of their moments, with what the rules need to know of them. The API
 * reads those of its client, by row security; the operator reads all. Of a phone only the area code is returned.
 */
export const contactsToReplay = (tx: Tx, { sandbox, from, before, after, limit }: ContactsAsked) =>
  queriesIn(tx)
    .selectFrom('contact_ledger')
    .innerJoin('debts', 'debts.id', 'contact_ledger.debtId')
    .innerJoin('clients', 'clients.id', 'contact_ledger.clientId')
    .leftJoinLateral(
      (queries) =>
        queries
          .selectFrom('messages')
          .select(['messages.channel', 'messages.phone', 'messages.purpose'])
          .whereRef('messages.debtId', '=', 'contact_ledger.debtId')
          .whereRef('messages.at', '=', 'contact_ledger.at')
          .where('messages.direction', '=', 'out')
          .limit(1)
          .as('sent'),
      (join) => join.onTrue(),
    )
    .select(['contact_ledger.at', 'contact_ledger.clientId', 'contact_ledger.debtId'])
    .select([
      'contact_ledger.personKey',
      'contact_ledger.phoneKey',
      'clients.collectsFor',
      'debts.dueDate',
      'sent.channel',
      'sent.purpose',
    ])
    .select(sql<string | null>`substring(coalesce(sent.phone, debts.debtor_phone) from '^\\+55(..)')`.as('areaCode'))
    .where('contact_ledger.kind', '=', sql.lit('booking' as const))
    .where('contact_ledger.sandbox', '=', sandbox)
    .where('contact_ledger.at', '>=', from)
    .where('contact_ledger.at', '<', before)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(contact_ledger.at, contact_ledger.client_id, contact_ledger.debt_id)
          > (${after!.at}::timestamptz, ${after!.clientId}::uuid, ${after!.debtId}::uuid)`,
      ),
    )
    .orderBy('contact_ledger.at')
    .orderBy('contact_ledger.clientId')
    .orderBy('contact_ledger.debtId')
    .limit(limit)
    .execute();
