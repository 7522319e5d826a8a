import { describe, expect, it } from '@jest/globals';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import type { DebtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const client = money.clients.plain;

/** Debts of which the agreed rest stays owed: of R$ 1.000,00 each R$ 700,00, less what is paid. */
async function kept(debts: readonly Partial<DebtInput>[] = [{}]) {
  const one = await money.agree({ debts, withTerms: false, instalments: 1, afterBreach: 'keep' });
  await one.carryOut({ kind: 'end', event: 'broken' });
  return { ...one, ids: one.person.ids, debtId: one.person.ids[0]! };
}

describe('the agreed rest that stays owed after a breach', () => {
  it('ends the offers from before, which ask for more', async () => {
    const { debtId } = await kept();
    const { items } = (await client.call('GET', `/api/debts/${debtId}/offers`)).body;
    expect(items.map(({ number }: { number: number }) => number)).toEqual([4, 5, 6]);
    expect(items[0]).toMatchObject({ total: 490, discount: 210 });
  });
});
