import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readPayment } from '../../src/modules/payments/use-cases/read-payment.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { createClient } from '../../testing/factories.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

interface DebtOfClient {
  readonly clientId: string;
  readonly debtId: string;
}

const database = await opened(createTestDatabase());
const api = await opened(openDatabase({ url: database.url, role: 'quita_app' }));

describe('payments of debts that are read at the same time', () => {
  const createDebt = async (clientId: string, centavos: number): Promise<DebtOfClient> => {
    const [campaignId, debtId] = [randomUUID(), randomUUID()];
    await api.tenant(clientId).transactional(async (tx) => {
      await runInTransaction(tx, `insert into campaigns (id, client_id, name, status) values ($2, $1, 'A', 'DRAFT')`, [
        clientId,
        campaignId,
      ]);
      await runInTransaction(
        tx,
        `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
           original_amount_centavos, due_date, status)
         values ($3, $1, $2, 1, 'Ana', '+5511987654321', '52998224725', $4, '2026-10-05', 'IMPORTED')`,
        [clientId, campaignId, debtId, centavos],
      );
    });
    return { clientId, debtId };
  };

  it('are read in few statements, and each client receives the payments of its own debts only', async () => {
    const owners = [await createClient(api), await createClient(api), await createClient(api)];
    const debts = await Promise.all(owners.map(({ id }, n) => createDebt(id, 1_000 * (n + 1))));
    let statements = 0;
    const runSigned: Database['runSigned'] = (query, paramsOf) => {
      statements += 1;
      return api.runSigned(query, paramsOf);
    };
    const read = readPayment({ db: { ...api, runSigned }, policy: loadPolicy(), now: () => new Date() });
    const outcomeOf = (wanted: DebtOfClient) =>
      read(wanted).then(
        ({ debtId, amount }) => ({ debtId, amount }),
        (error: { code?: string }) => error.code,
      );

    const asked = owners.flatMap(({ id: clientId }) => debts.map(({ debtId }) => ({ clientId, debtId })));
    const outcomes = await Promise.all(asked.map(outcomeOf));
    const expected = owners.flatMap((_, owner) =>
      debts.map(({ debtId }, n) => (owner === n ? { debtId, amount: 10 * (n + 1) } : 'not_found')),
    );
    expect(outcomes).toEqual(expected);
    expect(statements).toBeLessThan(asked.length / 2);
    expect(await outcomeOf({ ...debts[1]!, debtId: debts[1]!.debtId.toUpperCase() })).toMatchObject({ amount: 20 });
  });
});
