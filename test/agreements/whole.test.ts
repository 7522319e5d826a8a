import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { type Collector, collector, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startCollectionApp());
const today = localDate(Date.now(), -3);
let persons = 0;

interface Agreed {
  readonly staff: Collector;
  readonly ids: readonly string[];
  readonly id: string;
  readonly read: () => Promise<Shown>;
}
interface Shown {
  readonly status: string;
  readonly total: number;
  readonly paid: number;
  readonly instalments: readonly { readonly amount: number; readonly status: string; readonly paidAt: string | null }[];
}

/** One person whose debts are under an agreement in the sandbox: the offer with that many instalments. */
async function agree(instalments: number, policy: object = {}, debts: readonly object[] = [{}]): Promise<Agreed> {
  const staff = collector(await app.newClient());
  expect((await staff.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, ...policy })).status).toBe(200);
  persons += 1;
  const cpf = cpfOf(300_000_000 + persons);
  const inputs = debts.map((given, at) =>
    debtInput(persons * 100 + at, { debtorCpf: cpf, dueDate: addDays(today, -100), originalAmount: 900, ...given }),
  );
  const launched = await staff.launch(inputs);
  const ids = inputs.map(({ invoiceId }) => launched.debts.find((one) => one.invoiceId === invoiceId)!.id);
  const { items } = (await staff.call('GET', `/api/debts/${ids[0]}/offers`)).body;
  const offer = items.find((one: { instalments: unknown[] }) => one.instalments.length === instalments);
  const accepted = await staff.call('POST', `/api/debts/${ids[0]}/offers/${offer.id}/accept`, {});
  expect(accepted.status).toBe(201);
  const { id } = accepted.body;
  return { staff, ids, id, read: async () => (await staff.call('GET', `/api/agreements/${id}`)).body };
}

const reaches = (agreed: Agreed, status: string) =>
  until(
    `the agreement is ${status}`,
    async () => {
      const shown = await agreed.read();
      return shown.status === status ? shown : null;
    },
    { timeoutMs: 60_000, everyMs: 100 },
  );
const pay = ({ staff, ids }: Agreed) => staff.call('POST', `/api/sandbox/debts/${ids[0]}/pay`);

describe('an agreement', () => {
  it('is paid at once, and each of its debts gets its Termo', async () => {
    const agreed = await agree(1, {}, [{}, { originalAmount: 300, dueDate: addDays(today, -40) }]);
    const { staff, ids } = agreed;
    for (const id of ids) expect((await staff.debt(id)).status).toBe('AGREEMENT');
    await pay(agreed);
    const kept = await reaches(agreed, 'COMPLETED');
    expect(kept.paid).toBe(kept.total);
    for (const id of ids) {
      const debt = await staff.reaches(id, 'the debt has its Termo', (one) =>
        ofKind(one, 'receipt_issued').some((entry) => entry['receipt'] === undefined),
      );
      expect(debt.status).toBe('PAID');
      expect(ofKind(debt, 'agreement_completed')).toHaveLength(1);
    }
  });

  it('reminds of each instalment, warns once and is broken; what was paid is credited', async () => {
    // biome-ignore lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
    const agreed = await agree(3, { breach: { afterDays: 10, then: 'restore' } });
    const { staff, ids } = agreed;
    await pay(agreed);
    const broken = await reaches(agreed, 'BROKEN');
    expect(broken.instalments.map(({ status }) => status)).toEqual(['APPROVED', 'CANCELLED', 'CANCELLED']);
    const debt = await staff.debt(ids[0]!);
    expect(ofKind(debt, 'agreement_broken')).toHaveLength(1);
    expect(sent(debt, 'agreement').length).toBeGreaterThanOrEqual(2);
    const quote = (await staff.call('GET', `/api/debts/${ids[0]}/quote`)).body;
    expect(quote.paid).toBe(broken.paid);
    expect(quote.principal + quote.paid).toBe(900);
  });
});
