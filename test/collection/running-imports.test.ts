import { describe, expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { collector, type Debt, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const HOUR = 3_600_000;
const CAP = 168 * HOUR;

const app = await opened(startCollectionApp());
const client = collector(await app.newClient());

/** The messages of collection about any of the debts of one person, each once. */
function contactsOf(debts: readonly Debt[]): { readonly id: string; readonly at: number }[] {
  const entries = debts.flatMap((debt) => sent(debt, 'collection'));
  const moments = new Map(entries.map((entry) => [String(entry['messageId']), Date.parse(entry.at)]));
  return [...moments].map(([id, at]) => ({ id, at })).sort((one, other) => one.at - other.at);
}
const localDate = (at: number): string => new Date(at - 3 * HOUR).toISOString().slice(0, 10);
const idOf = async (campaignId: string, invoiceId: string): Promise<string> =>
  (await client.allDebts(campaignId)).find((debt) => debt.invoiceId === invoiceId)?.id ?? '';

describe('debts that come into a running sandbox campaign', () => {
  it('are collected, join the next message to their person, and keep the caps although other clocks are ahead', async () => {
    const person = { debtorCpf: debtInput(1).debtorCpf, debtorPhone: '+5511980001000' };
    const { campaignId, debts } = await client.launch([debtInput(1, person)]);
    const firstId = debts[0]!.id;
    await client.reaches(firstId, 'contacted twice', (debt) => sent(debt, 'collection').length >= 2);
    const inputs = [
      debtInput(2, { ...person, originalAmount: 99 }),
      debtInput(3, { debtorPhone: '+5511980030001', dueDate: '2026-09-01' }),
    ];
    expect((await client.importJson(campaignId, inputs)).body).toMatchObject({ imported: 2, skipped: 0 });
    expect((await client.importJson(campaignId, inputs)).body).toMatchObject({ imported: 0, skipped: 2 });
    const paid = await client.ended(await idOf(campaignId, 'NF-3'));
    expect(paid.status).toBe('PAID');
    expect(paid.timeline.slice(0, 3)).toMatchObject([
      { kind: 'imported' },
      { kind: 'status_changed', from: 'IMPORTED', to: 'QUEUED' },
      { kind: 'scored' },
    ]);
    const [first, later] = await Promise.all([
      client.ended(firstId, 90_000),
      client.ended(await idOf(campaignId, 'NF-2'), 90_000),
    ]);
    expect([first.status, later.status]).toEqual(['EXHAUSTED', 'EXHAUSTED']);
    expect(sent(first, 'collection')).toHaveLength(6);
    expect(sent(later, 'collection')).toHaveLength(6);
    // Every message to the person since the later debt came speaks of both.
    const known = contactsOf([first]).map(({ id }) => id);
    const shared = contactsOf([later]).filter(({ id }) => known.includes(id));
    expect(known).toContain(contactsOf([later])[0]?.id);
    expect(shared.map(({ id }) => id)).toEqual(known.slice(-shared.length));
    const contacts = contactsOf([first, later]);
    expect(contacts).toHaveLength(12 - shared.length);
    expect(new Set(contacts.map(({ at }) => localDate(at))).size).toBe(contacts.length);
    for (const [index, { at }] of contacts.entries()) {
      expect((contacts[index + 3]?.at ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(CAP);
    }
    const { body } = await client.call('GET', `/api/campaigns/${campaignId}/statistics`);
    expect(body.debts).toMatchObject({ total: 3, byStatus: { PAID: 1, EXHAUSTED: 2 } });
    await until('the campaign is completed', async () =>
      (await client.call('GET', `/api/campaigns/${campaignId}`)).body.status === 'COMPLETED' ? true : null,
    );
    expect(await client.importJson(campaignId, [debtInput(4)])).toMatchObject({
      status: 409,
      body: { code: 'campaign_not_draft' },
    });
  });

  it('wait for the end of a pause', async () => {
    const { campaignId, debts } = await client.launch([debtInput(11, { debtorPhone: '+5511980011000' })]);
    await client.reaches(debts[0]!.id, 'contacted', (debt) => sent(debt, 'collection').length > 0);
    await client.call('POST', `/api/campaigns/${campaignId}/pause`);
    await client.importCsv(
      campaignId,
      'nome;telefone;cpf;valor;vencimento;fatura\nAna Lima;11980010001;52998224725;10,00;05/10/2026;NF-12\n',
    );
    const id = await idOf(campaignId, 'NF-12');
    expect(await client.debt(id)).toMatchObject({ status: 'QUEUED', score: null });
    await client.call('POST', `/api/campaigns/${campaignId}/resume`);
    const paid = await client.ended(id);
    expect(paid.status).toBe('PAID');
    // Nobody was about to contact the debtor during the pause.
    expect(ofKind(paid, 'verdict')).toMatchObject([{ allowed: true }]);
  });
});
