import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

interface ClientPage {
  /** The page begins with the next id. */
  readonly after: string;
  readonly limit: number;
}

/** Finds clients that have not confirmed their address in time and that have no campaign. */
export const OVERDUE_CLIENTS = prepared('unconfirmed_clients', (queries, { after, limit }: ClientPage) =>
  queries
    .selectFrom('clients')
    .select('id')
    .where('confirmEmailBy', '<', NOW)
    .where('emailConfirmedAt', 'is', null)
    .where(({ exists, not, selectFrom }) => {
      const campaigns = selectFrom('campaigns').select('id').whereRef('clientId', '=', 'clients.id');
      return not(exists(campaigns));
    })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

/**
 * `for update` waits for a transaction that is creating a campaign, because its foreign key locks the row. A later
 * transaction waits for this one and then finds no client. Returns undefined when the client must not be deleted.
 */
export const lockOverdueClient = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('clients')
    .select('email')
    .where('id', '=', clientId)
    .where('emailConfirmedAt', 'is', null)
    .where('confirmEmailBy', '<', NOW)
    .forUpdate()
    .executeTakeFirst();

/** It is a separate statement, so that it sees what was committed while the client's lock was waited for. */
export const findAnyCampaign = (tx: Tx, clientId: string) =>
  queriesIn(tx).selectFrom('campaigns').select('id').where('clientId', '=', clientId).limit(1).executeTakeFirst();

/**
 * The tables with rows of an account without a campaign, in the order of the foreign keys. A test compares them with
 * the schema.
 */
export const OWN_TABLES = [
  'refresh_tokens',
  'sessions',
  'login_challenges',
  'email_changes',
  'recovery_codes',
  'second_factors',
  'passkeys',
  'password_resets',
  'email_confirmations',
  'api_keys',
  'identities',
  'members',
  'invitations',
  'client_credentials',
  'received_payments',
  'client_rules',
  'late_payment_terms',
  'offer_policies',
  'channel_senders',
  'channel_templates',
  'unmatched_messages',
  'sandbox_outbox',
  'webhooks',
  'saved_answers',
] as const;

/** Deletes a client that has no campaign, with all its rows except those of the audit log. */
export async function deleteClient(tx: Tx, clientId: string): Promise<void> {
  const queries = queriesIn(tx);
  for (const table of OWN_TABLES) await queries.deleteFrom(table).where('clientId', '=', clientId).execute();
  await queries.deleteFrom('clients').where('id', '=', clientId).execute();
}
