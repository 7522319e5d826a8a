import { describe, expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { collector, type Debt, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { pagePath } from '../../testing/pages.ts';

const app = await opened(startCollectionApp());
const client = collector(await app.newClient());

const firstContact = (debt: Debt): number => Date.parse(sent(debt, 'collection')[0]?.at ?? '');
const times = (debt: Debt): number[] => debt.timeline.map(({ at }) => Date.parse(at));

describe('a campaign', () => {
  it('makes first contacts in the order of the scores, at the pace of the deployment', async () => {
    // The debts are not due yet, so that all of them wait for one opening, whenever the test runs.
    const dueDate = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString().slice(0, 10);
    const amounts = [20_000, 400, 1_500, 50, 9_000, 90, 12_000, 300];
    const inputs = amounts.map((originalAmount, n) => debtInput(40 + n, { originalAmount, dueDate }));
    const { debts } = await client.launch(inputs);
    const contacted = await Promise.all(
      debts.map(({ id }) => client.reaches(id, 'contacted', (one) => sent(one, 'collection').length > 0)),
    );
    const byTime = contacted.toSorted((one, other) => firstContact(one) - firstContact(other));
    const scores = byTime.map(({ score }) => score);
    expect(new Set(scores).size).toBeGreaterThan(3);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    // The contact has exactly the planned moment, because a simulated clock does not include the machine's delay.
    const best = byTime[0]!;
    const later = byTime.map((one) => firstContact(one) - firstContact(best));
    expect(later).toEqual(scores.map((_, position) => position * 100));
  });
});

describe('a sandbox debtor', () => {
  it('who never answers is contacted through the whole sequence, and not afterwards', async () => {
    const id = await client.launchOne({ debtorPhone: '+5511980001000' }, 1);
    const debt = await client.ended(id);
    expect(debt.status).toBe('EXHAUSTED');
    expect(sent(debt, 'collection')).toHaveLength(6);
    expect(sent(debt, 'collection').every(({ delivery }) => delivery === 'sent')).toBe(true);
    expect(times(debt)).toEqual([...times(debt)].sort((a, b) => a - b));
    const outbox = await client.outbox(id);
    expect(outbox.map(({ purpose }: { purpose: string }) => purpose)).toEqual(Array(6).fill('collection'));
    expect(outbox[0]).toMatchObject({ debtId: id, channel: 'sandbox', to: '+5511980001000', document: null });
    expect(outbox[0].text).toContain(pagePath(id));
    expect(outbox[0].text).toContain('Maria');
    expect(outbox[0].text).not.toContain('150,75');
    expect(new Set(outbox.map(({ at }: { at: string }) => at.slice(0, 10))).size).toBe(6);
    const campaign = await client.call('GET', `/api/campaigns/${debt.campaignId}`);
    expect(campaign.body.status).toBe('COMPLETED');
  });

  it('who promises after the end of the sequence is thanked, without a promise to pause contacts', async () => {
    const id = await client.launchOne({ debtorPhone: '+5511980031000' }, 31);
    await client.ended(id);
    await client.say(id, 'Vou pagar sexta-feira');
    const debt = await client.reaches(id, 'answered', (one) => sent(one, 'reply').length > 0);
    expect(ofKind(debt, 'message_received')).toMatchObject([{ intent: 'promise' }]);
    const text = sent(debt, 'reply')[0]?.['text'];
    expect(text).toContain('Não há mais mensagens de cobrança programadas');
    expect(text).toContain(pagePath(id));
    expect(text).not.toMatch(/Combinado|anotei|Até lá/);
    // The campaign has ended and stays so, because only the client can start it again.
    expect(debt.status).toBe('EXHAUSTED');
    expect((await client.call('GET', `/api/campaigns/${debt.campaignId}`)).body.status).toBe('COMPLETED');
    expect(sent(debt, 'collection')).toHaveLength(6);
  });

  it('whose debt is resumed after its sequence was used up gets one more contact, which is no second last one', async () => {
    const id = await client.launchOne({ debtorPhone: '+5511980511000' }, 51);
    await client.ended(id);
    expect((await client.debt(id)).timeline.filter(({ kind }) => kind === 'message_sent')).toHaveLength(6);
    await app.query(`update debts set status = 'ON_HOLD' where id = $1`, [id]);
    expect((await client.call('POST', `/api/debts/${id}/resume`)).status).toBe(200);
    const ended = await client.reaches(id, 'the sequence ends again', ({ status }) => status === 'EXHAUSTED');
    const texts = ended.timeline.filter(({ kind }) => kind === 'message_sent');
    expect(texts).toHaveLength(7);
    expect(texts.filter(({ text }) => String(text).includes('última mensagem'))).toHaveLength(1);
  });

  it('0003 disputes, is answered once, and is not contacted until the client decides', async () => {
    const id = await client.launchOne({ debtorPhone: '+5521980000003' }, 2);
    const debt = await client.reaches(id, 'answered', (one) => sent(one, 'reply').length > 0);
    expect(debt.status).toBe('DISPUTED');
    expect(ofKind(debt, 'message_received')).toMatchObject([{ intent: 'dispute' }]);
    // A reminder may have been sent at the same time as the message; none follows it.
    const disputed = debt.timeline.findIndex(({ to }) => to === 'DISPUTED');
    expect(sent({ ...debt, timeline: debt.timeline.slice(disputed) }, 'collection')).toEqual([]);
    expect(sent(debt, 'reply')).toHaveLength(1);
    const { body } = await client.call('GET', `/api/debts/${id}/contact-eligibility`);
    expect(body).toMatchObject({ allowed: false, notBefore: null });
    expect(body.rules).toContain('dispute');

    const resume = () => client.call('POST', `/api/debts/${id}/resume`, { note: 'O contrato foi conferido.' });
    expect((await resume()).body.status).toBe('IN_COLLECTION');
    const end = await client.ended(id);
    expect(end.status).toBe('EXHAUSTED');
    expect(sent(end, 'collection')).toHaveLength(6);
    // A new sequence begins 30 days after the last contact.
    expect((await resume()).status).toBe(409);
  });

  it('0004 opts out and gets one confirmation and no later message, for any debt', async () => {
    const phone = '+5531980000004';
    const cpf = '52998224725';
    // A contact about both debts goes to the phone of the debt whose workflow asks first, so both phones opt out.
    const { debts } = await client.launch([
      { ...debtInput(3), debtorPhone: phone, debtorCpf: cpf },
      { ...debtInput(4), debtorPhone: '+5531990000004', debtorCpf: cpf },
    ]);
    const both = await Promise.all(debts.map(({ id }) => client.ended(id)));
    expect(both.map(({ status }) => status)).toEqual(['OPTED_OUT', 'OPTED_OUT']);
    const asked = both.find((debt) => ofKind(debt, 'message_received').length > 0);
    const first = await client.reaches(asked!.id, 'confirmed', (one) => sent(one, 'opt_out_confirmation').length > 0);
    expect(sent(first, 'opt_out_confirmation')).toHaveLength(1);
    expect(ofKind(first, 'message_received')).toMatchObject([{ intent: 'opt_out' }]);
    const later = await client.launchOne({ debtorPhone: '+5531980004001', debtorCpf: cpf }, 5);
    const never = await client.ended(later);
    expect(never.status).toBe('EXHAUSTED');
    expect(ofKind(never, 'verdict')).toMatchObject([
      { allowed: false, rules: expect.arrayContaining(['opt_out']), notBefore: null },
    ]);
    expect(sent(never, 'collection')).toEqual([]);
  });

  it('0006 is the wrong person, and the number is not used again for the debtor', async () => {
    const cpf = '11144477735';
    const phone = '+5541980000006';
    const id = await client.launchOne({ debtorPhone: phone, debtorCpf: cpf }, 6);
    const debt = await client.reaches(id, 'answered', (one) => sent(one, 'reply').length > 0);
    expect(debt.status).toBe('STOPPED');
    expect(ofKind(debt, 'message_received')).toMatchObject([{ intent: 'wrong_person' }]);
    const [reply] = sent(debt, 'reply');
    expect(reply?.['text']).not.toContain('Maria');

    const again = await client.ended(await client.launchOne({ debtorPhone: phone, debtorCpf: cpf }, 7));
    expect(again.status).toBe('EXHAUSTED');
    expect(ofKind(again, 'verdict')).toMatchObject([
      { allowed: false, rules: expect.arrayContaining(['wrong_person']) },
    ]);
    expect(sent(again, 'collection')).toEqual([]);

    // A simulated opt-out binds its own client only, so another client's test is not affected.
    const other = collector(await app.newClient());
    const elsewhere = await other.ended(await other.launchOne({ debtorPhone: phone, debtorCpf: cpf }, 7));
    expect(elsewhere.status).toBe('STOPPED');
    expect(sent(elsewhere, 'collection')).toHaveLength(1);
  });
});

describe('a debt that has ended without a payment', () => {
  const resume = (id: string) => client.call('POST', `/api/debts/${id}/resume`);

  it('that was asked for without an answer gets a new sequence after its terms', async () => {
    const id = await client.launchOne({ debtorPhone: '+5511980007500' }, 75);
    const ended = () => client.reaches(id, 'it ends', ({ status }) => status === 'EXHAUSTED', 60_000);
    const later = (days: number) =>
      app.query('update debts set clock_offset_ms = clock_offset_ms + $2 where id = $1', [id, days * 86_400_000]);
    const first = sent(await ended(), 'collection').length;
    await later(29);
    expect(await resume(id)).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    await later(1);
    expect(await resume(id)).toMatchObject({ status: 200, body: { status: 'IN_COLLECTION' } });
    await client.reaches(id, 'it is contacted again', (debt) => sent(debt, 'collection').length > first);
    expect(sent(await ended(), 'collection')).toHaveLength(2 * first);
    // The sequence takes less than 60 days, so that the term of 90 days is the longer one.
    await later(30);
    expect(await resume(id)).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    await later(60);
    expect((await resume(id)).status).toBe(200);
  });

  it('that a mistyped date has ended is resumed after its correction', async () => {
    const id = await client.launchOne({ dueDate: '2016-10-05' }, 76);
    await client.reaches(id, 'it ends', ({ status }) => status === 'EXHAUSTED');
    expect(await resume(id)).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    const correct = (dueDate: string) => client.call('PATCH', `/api/debts/${id}`, { dueDate });
    expect((await correct('2016-10-06')).status).toBe(200);
    expect((await resume(id)).status).toBe(409);
    expect((await correct('2026-10-05')).status).toBe(200);
    expect((await resume(id)).status).toBe(200);
    await client.reaches(id, 'it is contacted', (debt) => sent(debt, 'collection').length > 0);
  });

  it('that nobody reached is resumed at once after another phone was given', async () => {
    const id = await client.launchOne({ debtorPhone: '+5511980007501' }, 77);
    await client.reaches(id, 'it ends', ({ status }) => status === 'EXHAUSTED', 60_000);
    await app.query(`update debts set status = 'UNREACHABLE' where id = $1`, [id]);
    await app.query(`insert into inbox_items (client_id, debt_id, reason) values ($1, $2, 'undelivered')`, [
      client.id,
      id,
    ]);
    expect((await resume(id)).status).toBe(409);
    expect((await client.call('PATCH', `/api/debts/${id}`, { debtorPhone: '+5511980007502' })).status).toBe(200);
    expect((await resume(id)).status).toBe(200);
    const { body } = await client.call('GET', '/api/inbox?reason=undelivered');
    expect(body.items.map(({ debt }: { debt: { id: string } }) => debt.id)).not.toContain(id);
  });
});
