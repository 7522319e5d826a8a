import type { Database } from './database.ts';
import type { MessageDocument } from './entities/message.ts';
import { ADD_SANDBOX_ITEM, type SandboxItem } from './queries/sandbox-outbox.ts';

interface Item extends Omit<SandboxItem, 'document'> {
  readonly document: MessageDocument | null;
}

/** The messages and mails that the sandbox would have sent. */
export const createSandboxOutboxStore = (db: Pick<Database, 'writePrepared'>) => ({
  async insert(item: Item): Promise<void> {
    const document = item.document === null ? null : JSON.stringify(item.document);
    await db.writePrepared({ clientId: item.clientId }, ADD_SANDBOX_ITEM, { ...item, document });
  },
});
