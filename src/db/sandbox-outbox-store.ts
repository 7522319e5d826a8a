import type { Database } from './database.ts';

interface Item {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string | null;
  readonly channel: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
  readonly document: object | null;
  readonly at: Date;
}

const INSERT = {
  name: 'sandbox_outbox_insert',
  text: `
    insert into sandbox_outbox (id, client_id, debt_id, channel, recipient, purpose, text, document, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (id) do nothing`,
};

/** Where the sandbox's channel and mailer keep what would have left the machine. */
export const createSandboxOutboxStore = (db: Pick<Database, 'write'>) => ({
  async insert(item: Item): Promise<void> {
    const { id, clientId, debtId, channel, to, purpose, text, document, at } = item;
    const json = document === null ? null : JSON.stringify(document);
    await db.write({ clientId }, INSERT, [id, clientId, debtId, channel, to, purpose, text, json, at]);
  },
});
