import { sql } from 'kysely';
import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import { prepared } from '../../../platform/database/queries/builder.ts';
import type { SandboxOutboxItem } from '../ports/sandbox-store.ts';

/** `document` is JSON. */
export type StoredSandboxItem = Omit<SandboxOutboxItem, 'document'> & { readonly document: string | null };

export const ADD_SANDBOX_ITEM = prepared('sandbox_outbox_insert', (queries, item: StoredSandboxItem) =>
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
