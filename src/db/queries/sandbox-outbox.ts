import { sql } from 'kysely';
import type { MessageDocument } from '../entities/message.ts';
import { prepared } from './builder.ts';

/** The property `to` is stored in the column `recipient`, a name that the query builder cannot derive. */
const TO = 'recipient' as 'to';

export interface SandboxItem {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string | null;
  readonly channel: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
  /** JSON. */
  readonly document: string | null;
  readonly at: Date;
}

export const ADD_SANDBOX_ITEM = prepared('sandbox_outbox_insert', (queries, item: SandboxItem) =>
  queries
    .insertInto('sandbox_outbox')
    .values({
      id: item.id,
      clientId: item.clientId,
      debtId: item.debtId,
      channel: item.channel,
      [TO]: item.to,
      purpose: item.purpose,
      text: item.text,
      document: sql<MessageDocument | null>`${item.document}::jsonb`,
      at: item.at,
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);
