import { type NotNull, sql } from 'kysely';
import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import type { Database } from '../../../platform/database/database.ts';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SandboxOutboxItem, SandboxOutboxStore } from '../ports/sandbox-store.ts';

/** `document` is JSON. */
type StoredSandboxItem = Omit<SandboxOutboxItem, 'document'> & { readonly document: string | null };

const ADD_SANDBOX_ITEM = prepared('sandbox_outbox_insert', (queries, item: StoredSandboxItem) =>
  queries
    .insertInto('sandbox_outbox')
    .values({
      id: item.id,
      clientId: item.clientId,
      debtId: item.debtId,
      channel: item.channel,
      recipient: item.to,
      purpose: item.purpose,
      text: item.text,
      document: sql<ShownDocument | null>`${item.document}::jsonb`,
      pixCode: item.pixCode,
      at: item.at,
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

/** The messages and mails that the sandbox would have sent. */
export const createSandboxOutboxStore = (db: Pick<Database, 'writePrepared'>): SandboxOutboxStore => ({
  async insert(item: SandboxOutboxItem): Promise<void> {
    const document = item.document === null ? null : JSON.stringify(item.document);
    await db.writePrepared({ clientId: item.clientId }, ADD_SANDBOX_ITEM, { ...item, document });
  },
});

interface OutboxPage {
  /** The `seq` of the last message of the page before. */
  readonly after: number;
  readonly limit: number;
}

interface MailPage {
  /** The `seq` of the last mail of the page before. */
  readonly before: number;
  readonly limit: number;
}

/**
 * The outbox also stores mails to the client itself, such as a password reset. They have no debt and are not listed.
 */
const messagesToDebtors = (tx: Tx, { after, limit }: OutboxPage) =>
  queriesIn(tx)
    .selectFrom('sandbox_outbox')
    .select(['id', 'seq', 'debtId', 'channel', 'recipient as to', 'purpose', 'text', 'document', 'pixCode', 'at'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .$narrowType<{ debtId: NotNull }>();

/** A message about several debts of a person is listed for each of them. */
export const sandboxMessagesOfDebt = (tx: Tx, debtId: string, page: OutboxPage) =>
  messagesToDebtors(tx, page)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('debtId', '=', debtId),
        eb(
          'id',
          'in',
          // Only messages of the same person can speak of the debt, and those are found by an index.
          selectFrom('messages')
            .innerJoin('debts as told', 'told.id', 'messages.debtId')
            .innerJoin('debts as asked', 'asked.debtorTaxId', 'told.debtorTaxId')
            .select('messages.id')
            .where('asked.id', '=', debtId)
            .where(sql<boolean>`${debtId} = any(messages.also_about)`),
        ),
      ]),
    )
    .execute();

export const sandboxMessagesOfClient = (tx: Tx, clientId: string, page: OutboxPage) =>
  messagesToDebtors(tx, page).where('clientId', '=', clientId).where('debtId', 'is not', null).execute();

/** The mails to the client itself, the newest first. */
export const sandboxMailsOfClient = (tx: Tx, clientId: string, { before, limit }: MailPage) =>
  queriesIn(tx)
    .selectFrom('sandbox_outbox')
    .select(['id', 'seq', 'recipient as to', 'purpose', 'text', 'at'])
    .where('clientId', '=', clientId)
    .where('debtId', 'is', null)
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
