import type { Database } from './database.ts';
import type { MessageDocument } from './entities/message.ts';
import { ADD_SANDBOX_ITEM } from './queries/sandbox-outbox.ts';

interface Item {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string | null;
  readonly channel: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
  readonly document: MessageDocument | null;
  readonly at: Date;
}

/** The messages and mails that the sandbox would have sent. */
export const createSandboxOutboxStore = (db: Pick<Database, 'writePrepared'>) => ({
  async insert(item: Item): Promise<void> {
    const document = item.document === null ? null : JSON.stringify(item.document);
    await db.writePrepared({ clientId: item.clientId }, ADD_SANDBOX_ITEM, { ...item, document });
  },
});
