import type { Client, Connection, Submittable } from 'pg';
import { invoiceKeyOf, nameKeyOf } from '../../src/kernel/search-terms.ts';
import type { debtInputs } from '../../testing/debts.ts';

const TABLE = 'equal_debts';

/**
 * Creates an empty table with every column, index and check of `debts`, and without row security. The foreign key is
 * added on request: PostgreSQL looks it up for each row, which takes as long as COPY into a table without indexes.
 */
export async function equalTable(owner: Client, { withKey }: { readonly withKey: boolean }): Promise<void> {
  await owner.query(`drop table if exists ${TABLE}`);
  await owner.query(`create table ${TABLE} (like debts including all)`);
  if (!withKey) return;
  await owner.query(
    `alter table ${TABLE} add foreign key (campaign_id, client_id) references campaigns (id, client_id)`,
  );
}

interface CopyConnection extends Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs COPY from a buffer, which pg itself does not support. */
const copy = (owner: Client, statement: string, rows: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const query = {
      submit: (connection: Connection) => (connection as CopyConnection).query(statement),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(rows);
        connection.endCopyFrom();
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(),
      handleCommandComplete: () => {},
    };
    owner.query(query as unknown as Submittable);
  });

export interface Rows {
  readonly clientId: string;
  readonly campaignId: string;
  readonly debts: ReturnType<typeof debtInputs>;
}

/** Returns the time of the COPY alone. */
export async function copyInto(owner: Client, { clientId, campaignId, debts }: Rows): Promise<number> {
  const lines = debts.map((debt, index) =>
    [
      clientId,
      campaignId,
      index + 1,
      debt.debtorName,
      nameKeyOf(debt.debtorName),
      debt.debtorPhone,
      debt.debtorCpf,
      Math.round(debt.originalAmount * 100),
      debt.dueDate,
      debt.invoiceId,
      invoiceKeyOf(debt.invoiceId),
      'IMPORTED',
    ].join('\t'),
  );
  const rows = Buffer.from(`${lines.join('\n')}\n`);
  const columns =
    'client_id, campaign_id, position, debtor_name, name_key, debtor_phone, debtor_tax_id, original_amount_centavos, due_date, invoice_id, invoice_key, status';
  const start = performance.now();
  await copy(owner, `copy ${TABLE} (${columns}) from stdin`, rows);
  return performance.now() - start;
}
