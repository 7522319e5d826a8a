import type { EntityManager } from '@mikro-orm/postgresql';
import { type NotNull, sql } from 'kysely';
import { queriesIn } from './builder.ts';

interface OutboxPage {
  /** The `seq` of the last message of the page before. */
  readonly after: number;
  readonly limit: number;
}

/**
 * The outbox also stores mails to the client itself, such as a password reset. They have no debt and are not listed.
 */
const messagesToDebtors = (em: EntityManager, { after, limit }: OutboxPage) =>
  queriesIn(em)
    .selectFrom('sandbox_outbox')
    .select(['id', 'seq', 'debtId', 'channel', sql<string>`recipient`.as('to'), 'purpose', 'text', 'document', 'at'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .$narrowType<{ debtId: NotNull }>();

export const sandboxMessagesOfDebt = (em: EntityManager, debtId: string, page: OutboxPage) =>
  messagesToDebtors(em, page).where('debtId', '=', debtId).execute();

export const sandboxMessagesOfClient = (em: EntityManager, clientId: string, page: OutboxPage) =>
  messagesToDebtors(em, page).where('clientId', '=', clientId).where('debtId', 'is not', null).execute();
