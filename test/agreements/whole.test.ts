import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { type Collector, collector, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { agreementWorkflowId } from '../../workflows/ids.ts';
import { billableActions, eventsOf } from '../workflows/support/history.ts';

const app = await opened(startCollectionApp());
const connection = await opened(Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' }));
const temporal = new Client({ connection });
const today = localDate(Date.now(), -3);
const breachAfter = (afterDays: number, then: 'restore' | 'keep') => ({ breach: { afterDays, then } });
const LATER = { maxDaysToFirst: 60, holdDays: 60 };
let persons = 0;

interface Agreed extends OfCampaign {
  readonly ids: readonly string[];
  readonly id: string;
  readonly read: () => Promise<Shown>;
}
interface Shown {
  readonly status: string;
  readonly total: number;
  readonly paid: number;
  readonly instalments: readonly {
    readonly dueDate: string;
    readonly amount: number;
    readonly status: string;
    readonly paidAt: string | null;
  }[];
}

interface OfCampaign {
  readonly staff: Collector;
  readonly campaignId: string;
}

const pausing = async ({ staff, campaignId }: OfCampaign, change: 'pause' | 'resume'): Promise<void> => {
  expect((await staff.call('POST', `/api/campaigns/${campaignId}/${change}`)).status).toBe(200);
};

/**
 * One person whose debts are under an agreement in the sandbox: the offer with that many instalments. Its campaign is
 * paused, so that its clock, by which months pass in seconds, stands still until `resumed`: what a test does first comes
 * first, however slow the machine is.
 */
async function agree(
  instalments: number,
  policy: object = {},
  debts: readonly object[] = [{}],
  beforeAcceptance: (campaign: OfCampaign) => Promise<void> = (campaign) => pausing(campaign, 'pause'),
): Promise<Agreed> {
  const staff = collector(await app.newClient());
  expect((await staff.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, ...policy })).status).toBe(200);
  persons += 1;
  const cpf = cpfOf(300_000_000 + persons);
  const inputs = debts.map((given, at) =>
    debtInput(persons * 100 + at, { debtorCpf: cpf, dueDate: addDays(today, -100), originalAmount: 900, ...given }),
  );
  const launched = await staff.launch(inputs);
  const ids = inputs.map(({ invoiceId }) => launched.debts.find((one) => one.invoiceId === invoiceId)!.id);
  const { campaignId } = launched;
  await beforeAcceptance({ staff, campaignId });
  const { items } = (await staff.call('GET', `/api/debts/${ids[0]}/offers`)).body;
  const offer = items.find((one: { instalments: unknown[] }) => one.instalments.length === instalments);
  const accepted = await staff.call('POST', `/api/debts/${ids[0]}/offers/${offer.id}/accept`, {});
  expect(accepted.status).toBe(201);
  const { id } = accepted.body;
  return { staff, campaignId, ids, id, read: async () => (await staff.call('GET', `/api/agreements/${id}`)).body };
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
const resumed = (agreed: Agreed): Promise<void> => pausing(agreed, 'resume');
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
    const agreed = await agree(3, breachAfter(10, 'restore'));
    const { staff, ids } = agreed;
    await pay(agreed);
    await until('its first instalment is paid', async () => (await agreed.read()).paid > 0);
    await resumed(agreed);
    const broken = await reaches(agreed, 'BROKEN');
    expect(broken.instalments.map(({ status }) => status)).toEqual(['APPROVED', 'CANCELLED', 'CANCELLED']);
    const debt = await staff.debt(ids[0]!);
    // The clock of a simulated agreement runs ahead of what is stored of its debts.
    const late = broken.instalments.find(({ status }) => status === 'CANCELLED')!;
    const days = ofKind(debt, 'agreement_broken').map(({ at }) => localDate(Date.parse(at), -3));
    expect(days.map((day) => day > addDays(late.dueDate, 10))).toEqual([true]);
    expect(sent(debt, 'agreement').length).toBeGreaterThanOrEqual(2);
    const quote = (await staff.call('GET', `/api/debts/${ids[0]}/quote`)).body;
    expect(quote.paid).toBe(broken.paid);
    expect(quote.principal + quote.paid).toBe(900);
  });

  it('costs at most twelve billable actions up to its breach, two for each refused notice, and is collected again', async () => {
    const agreed = await agree(1, breachAfter(10, 'restore'), [{}], async () => {});
    await reaches(agreed, 'BROKEN');
    const debt = await agreed.staff.debt(agreed.ids[0]!);
    const accepted = debt.timeline.findIndex(({ kind }) => kind === 'agreement_accepted');
    const refusals = debt.timeline
      .slice(Math.max(0, accepted))
      .filter((entry) => entry.kind === 'verdict' && entry['allowed'] === false);
    await until(
      'the workflow has ended',
      async () =>
        (await temporal.workflow.getHandle(agreementWorkflowId(agreed.id)).describe()).status.name === 'COMPLETED',
    );
    // It is no child of another workflow, whose start would be billed twice.
    const actions = billableActions(await eventsOf(temporal, agreementWorkflowId(agreed.id))) - 1;
    expect(actions).toBeLessThanOrEqual(12 + 2 * refusals.length);
    await agreed.staff.reaches(
      agreed.ids[0]!,
      'it is collected again',
      (one) => sent(one, 'collection').length > sent(debt, 'collection').length,
    );
  });

  it('reminds within the hours and days that the person prefers', async () => {
    const agreed = await agree(3, breachAfter(10, 'keep'));
    const { staff, ids, id } = agreed;
    const debt = await staff.debt(ids[0]!);
    const { rightsUrl } = (await staff.call('GET', `/api/debts/${ids[0]}`)).body;
    const path = new URL(rightsUrl).pathname;
    const post = (action: string, body: Record<string, string>) =>
      fetch(`${app.url}${path}/${action}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: app.url },
        body: new URLSearchParams(body),
      });
    const opening = await post('abrir', { digitos: debt.debtorCpf.slice(-4) });
    const v = new URL(opening.headers.get('location') ?? '', app.url).searchParams.get('v') ?? '';
    // On another day the only notice would be the warning, which waits for the day that the person prefers.
    const day = new Date((await agreed.read()).instalments[0]!.dueDate).getUTCDay();
    const wish = await post('preferencia', { v, de: '15:00', ate: '16:00', dia: String(day) });
    expect(wish.headers.get('location')).toContain('pedido=PD-');
    const from = sent(await staff.debt(ids[0]!), 'agreement').length;
    await resumed(agreed);
    const reminded = await staff.reaches(ids[0]!, 'two notices', (one) => sent(one, 'agreement').length >= from + 2);
    for (const { at } of sent(reminded, 'agreement').slice(from)) {
      const local = new Date(Date.parse(at) - 3 * 3_600_000);
      expect([local.getUTCDay(), local.getUTCHours()]).toEqual([day, 15]);
    }
    // Only messages that collect count as sent, and none of them is sent under an agreement.
    const { contacts } = (await staff.call('GET', `/api/campaigns/${agreed.campaignId}/statistics`)).body;
    expect(contacts.sent).toBe(sent(await staff.debt(ids[0]!), 'collection').length);
    await staff.call('POST', `/api/agreements/${id}/cancel`, { reason: 'Fim do teste.' });
  });
});

describe('what meets an agreement', () => {
  const settle = ({ staff, ids }: Agreed, amount: number) =>
    staff.call('POST', `/api/debts/${ids[0]}/settle`, {
      amount,
      paidAt: new Date().toISOString(),
      method: 'bank_transfer',
    });
  const inboxOf = async ({ staff, ids }: Agreed): Promise<string[]> =>
    (await staff.call('GET', '/api/inbox')).body.items
      .filter(({ debt }: { debt: { id: string } }) => ids.includes(debt.id))
      .map(({ reason }: { reason: string }) => reason);

  it('what was paid pays the next instalments too, and everything early completes it', async () => {
    const agreed = await agree(3, LATER);
    const before = await agreed.read();
    const [first, second] = before.instalments;
    expect((await settle(agreed, first!.amount + second!.amount)).status).toBe(200);
    expect((await agreed.read()).instalments.map(({ status }) => status)).toEqual(['APPROVED', 'APPROVED', 'PENDING']);
    await settle(agreed, before.total - first!.amount - second!.amount);
    expect((await agreed.read()).status).toBe('COMPLETED');
    await agreed.staff.reaches(agreed.ids[0]!, 'the debt is paid', ({ status }) => status === 'PAID');
  });

  it('refuses to correct, withdraw and archive, until it is cancelled; then what was paid is a part payment', async () => {
    const agreed = await agree(3, LATER);
    const { staff, ids, id } = agreed;
    const { campaignId } = await staff.debt(ids[0]!);
    for (const [method, path, body] of [
      ['PATCH', `/api/debts/${ids[0]}`, { originalAmount: 800 }],
      ['POST', `/api/debts/${ids[0]}/withdraw`, {}],
      ['POST', `/api/campaigns/${campaignId}/archive`, {}],
    ] as const) {
      const refused = await staff.call(method, path, body);
      expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'debt_state']);
    }
    await settle(agreed, 100);
    const cancelled = await staff.call('POST', `/api/agreements/${id}/cancel`, { reason: 'A pessoa pediu.' });
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'CANCELLED']);
    expect((await staff.call('POST', `/api/agreements/${id}/cancel`, { reason: 'De novo.' })).status).toBe(409);
    const quote = (await staff.call('GET', `/api/debts/${ids[0]}/quote`)).body;
    expect([quote.paid, quote.principal]).toEqual([100, 800]);
    expect((await staff.call('POST', `/api/debts/${ids[0]}/withdraw`, {})).status).toBe(200);
  });

  it.each([
    ['PARAR', 'opt_out'],
    ['Não reconheço essa dívida', 'dispute'],
    ['Perdi o emprego e não tenho como pagar', 'hardship'],
    ['Esse número não é dessa pessoa, vocês ligaram para o contato errado.', 'wrong_person'],
    ['Meu pai faleceu no mês passado.', 'death'],
  ])('%p stops its messages and its breach, and waits for staff', async (text, because) => {
    const agreed = await agree(3, LATER);
    const { staff, ids, id } = agreed;
    await staff.say(ids[0]!, text);
    await until('the agreement is stopped', async () =>
      (await staff.call('GET', `/api/agreements/${id}`)).body.stoppedBecause === because ? true : null,
    );
    expect(await inboxOf(agreed)).toContain('agreement');
    const debt = await staff.debt(ids[0]!);
    expect(debt.status).toBe('AGREEMENT');
    expect(
      (await staff.call('POST', `/api/debts/${ids[0]}/resume`, { note: 'Falei com a pessoa e conferi tudo.' })).status,
    ).toBe(200);
    expect((await staff.call('GET', `/api/agreements/${id}`)).body.stoppedBecause).toBeNull();
    expect(await inboxOf(agreed)).not.toContain('agreement');
  });

  it('a debt that is imported later is collected by itself, and is the subject of the next offer', async () => {
    const agreed = await agree(3, LATER);
    const { staff, ids, id } = agreed;
    const { debtorCpf, debtorPhone } = await staff.debt(ids[0]!);
    const later = debtInput(99_000, { debtorCpf, debtorPhone, dueDate: addDays(today, -100), originalAmount: 300 });
    // In a campaign that is not paused.
    const [found] = (await staff.launch([later])).debts;
    const debt = await staff.reaches(found!.id, 'it is collected', (one) => sent(one, 'collection').length > 0);
    expect(debt.status).not.toBe('AGREEMENT');
    const { items } = (await staff.call('GET', `/api/debts/${found!.id}/offers`)).body;
    expect(items.map((offer: { debtIds: string[] }) => offer.debtIds)).toEqual(items.map(() => [found!.id]));
    expect(items.length).toBeGreaterThan(0);
    expect((await staff.call('GET', `/api/agreements/${id}`)).body).toMatchObject({ status: 'ACTIVE', debtIds: ids });
    await staff.call('POST', `/api/agreements/${id}/cancel`, { reason: 'Fim do teste.' });
  });

  it('keeps the agreed rest after a breach, and is settled by it', async () => {
    const agreed = await agree(3, breachAfter(5, 'keep'));
    const { staff, ids } = agreed;
    const before = await agreed.read();
    await settle(agreed, 100);
    await resumed(agreed);
    await reaches(agreed, 'BROKEN');
    const quote = (await staff.call('GET', `/api/debts/${ids[0]}/quote`)).body;
    expect(quote.total).toBeCloseTo(before.total - 100, 2);
    await settle(agreed, quote.total);
    const debt = await staff.reaches(ids[0]!, 'the debt is paid', ({ status }) => status === 'PAID');
    expect(ofKind(debt, 'payment_approved')).toHaveLength(1);
  });

  it('waits for the end of a pause without letting its clock run, and then reminds', async () => {
    const agreed = await agree(3);
    const { staff, ids } = agreed;
    const paused = await staff.reaches(ids[0]!, 'the notice is refused', (debt) =>
      ofKind(debt, 'verdict').some((entry) => entry['allowed'] === false && entry['rules'].includes('paused')),
    );
    expect(sent(paused, 'agreement')).toHaveLength(0);
    await resumed(agreed);
    await staff.reaches(ids[0]!, 'the debtor is reminded', (debt) => sent(debt, 'agreement').length > 0);
  });
});
