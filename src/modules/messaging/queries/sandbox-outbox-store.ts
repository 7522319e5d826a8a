import type { Database } from '../../../platform/database/database.ts';
import type { SandboxOutboxItem, SandboxOutboxStore } from '../ports/sandbox-store.ts';
import { ADD_SANDBOX_ITEM } from './sandbox-outbox.ts';

/** The messages and mails that the sandbox would have sent. */
export const createSandboxOutboxStore = (db: Pick<Database, 'writePrepared'>): SandboxOutboxStore => ({
  async insert(item: SandboxOutboxItem): Promise<void> {
    const document = item.document === null ? null : JSON.stringify(item.document);
    await db.writePrepared({ clientId: item.clientId }, ADD_SANDBOX_ITEM, { ...item, document });
  },
});
