import { sql } from 'kysely';
import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import type { Database } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/queries/builder.ts';
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
