import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { storeDebts } from '../../src/modules/campaigns/import/store-debts.ts';
import { INBOX_REASONS, type InboxReason } from '../../src/modules/debts/rules/inbox-reasons.ts';
import { type Inbox, listInbox } from '../../src/modules/debts/use-cases/list-inbox.ts';
import { snoozeDebt } from '../../src/modules/debts/use-cases/snooze-debt.ts';
import { NotUnderstoodError } from '../../src/modules/messaging/ports/collection-agent.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import {
  DAY,
  engineServices,
  type GivenDebt,
  HOUR,
  type MadeDebt,
  openEngine,
  somebody,
} from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const SOURCE = { by: 'session', ip: '127.0.0.1' } as const;
const ASKS = [
  ['disputed', 'não reconheço essa dívida'],
  ['hardship', 'perdi o emprego e nao tenho como pagar'],
  ['negotiate', 'vcs fazem desconto? parcela em 5x?'],
  ['human', 'quero falar com um atendente'],
] as const;

const engine = await opened(openEngine());

describe('the inbox of the staff', () => {
  beforeEach(engine.reset);

  const make = (given: GivenDebt = {}): Promise<MadeDebt> =>
    engine.debt({ status: 'IN_COLLECTION', ...somebody(), ...given });
  const inboxOf = ({ clientId }: MadeDebt, given: { reason?: InboxReason; state?: 'snoozed' } = {}): Promise<Inbox> =>
    listInbox(engine.ofApi)({ clientId, state: 'open', limit: 100, ...given });
  const reasons = async (debt: MadeDebt): Promise<string[]> =>
    (await inboxOf(debt)).items.map(({ reason }) => reason).sort();
  const resume = ({ clientId, id: debtId }: MadeDebt) =>
    engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'O contrato foi conferido.' });
  const withdraw = ({ clientId, id: debtId }: MadeDebt) =>
    engine.requests.withdrawDebt({ clientId, debtId, source: SOURCE });

  describe.each(ASKS)('%s', (reason, text) => {
    it('appears with the debt and what was written, and leaves when the client decides', async () => {
      const debt = await make();
      await engine.hear(debt, text);
      const { items, counts } = await inboxOf(debt);
      expect(items).toEqual([
        {
          debt: expect.objectContaining({ id: debt.id, campaignId: debt.campaignId, debtorName: 'Maria da Silva' }),
          reason,
          since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          lastMessage: expect.objectContaining({ text, channel: 'sandbox' }),
          snoozedUntil: null,
          sandbox: false,
          viewing: [],
          personKey: expect.any(String),
        },
      ]);
      const zeros = Object.fromEntries(INBOX_REASONS.map((each) => [each, 0]));
      expect(counts).toEqual({ ...zeros, [reason]: 1, open: 1, waiting: 0 });
      await resume(debt);
      expect(await inboxOf(debt)).toMatchObject({ items: [], counts: { [reason]: 0 } });
    });

    it('comes back as another item, and leaves with the debt', async () => {
      const debt = await make();
      await engine.hear(debt, text);
      const [first] = (await inboxOf(debt)).items;
      await resume(debt);
      engine.clock.now += HOUR;
      await engine.hear(debt, `de novo: ${text}`);
      const [second] = (await inboxOf(debt)).items;
      expect(second?.reason).toBe(reason);
      expect(Date.parse(second?.since ?? '')).toBeGreaterThan(Date.parse(first?.since ?? ''));
      await withdraw(debt);
      expect(await reasons(debt)).toEqual([]);
    });
  });

  it('keeps one item, and its wait, when the debtor asks again', async () => {
    const debt = await make();
    await engine.hear(debt, 'quero falar com um atendente');
    const before = await inboxOf(debt);
    await engine.hear(debt, 'me passa uma pessoa por favor');
    expect((await inboxOf(debt)).items.map(({ since }) => since)).toEqual(before.items.map(({ since }) => since));
  });

  it('shows a snoozed item again when the debtor asks for the same again', async () => {
    const debt = await make();
    await engine.hear(debt, 'quero falar com um atendente');
    const until = new Date(engine.clock.now + DAY);
    await snoozeDebt(engine.deps)({ clientId: debt.clientId, debtId: debt.id, until, source: SOURCE });
    expect(await reasons(debt)).toEqual([]);
    await engine.hear(debt, 'me passa uma pessoa por favor');
    expect(await reasons(debt)).toEqual(['human']);
    expect((await inboxOf(debt, { state: 'snoozed' })).items).toEqual([]);
  });

  it.each([
    ['ON_HOLD', 'quero falar com um atendente', 'Oi, você viu o que eu mandei?'],
    ['DISPUTED', 'não reconheço essa dívida', 'Quanto eu devo?'],
  ])(
    'shows a snoozed case %s again when the debtor writes to the staff, who have the conversation',
    async (status, text, later) => {
      const debt = await make();
      await engine.hear(debt, text);
      expect(await engine.status(debt)).toBe(status);
      const asked = { clientId: debt.clientId, debtId: debt.id, source: SOURCE };
      const answer = { messageId: randomUUID(), text: 'Oi, Maria. Aqui fala a Ana, da escola.', confirm: true };
      await engine.requests.writeToDebtor({ ...asked, ...answer });
      await engine.services.answerDebtor(engine.request(debt));
      await snoozeDebt(engine.deps)({ ...asked, until: new Date(engine.present() + 30 * DAY) });
      expect(await reasons(debt)).toEqual([]);
      const sent = engine.sent.length;
      await engine.hear(debt, later);
      expect(engine.sent).toHaveLength(sent);
      expect(await reasons(debt)).toHaveLength(1);
      expect((await inboxOf(debt, { state: 'snoozed' })).items).toEqual([]);
    },
  );

  it.each(['DISPUTED', 'OPTED_OUT'])('has a request about a debt %s, whose status does not change', async (status) => {
    const debt = await make({ status });
    await engine.hear(debt, 'quero falar com um atendente');
    expect(await engine.status(debt)).toBe(status);
    expect(engine.sent[0]?.text).toMatch(/passei à equipe/);
    expect(await reasons(debt)).toEqual(['human']);
  });

  it.each(['PAID', 'STOPPED'])('has no request about a debt %s, and no answer says so', async (status) => {
    const debt = await make({ status });
    await engine.hear(debt, 'quero falar com um atendente');
    expect(engine.sent[0]?.text).not.toMatch(/passei|equipe/);
    expect(await reasons(debt)).toEqual([]);
  });

  it('keeps a hold beside a dispute, and both at an opt-out', async () => {
    const debt = await make();
    await engine.hear(debt, 'perdi o emprego e nao tenho como pagar');
    await engine.hear(debt, 'e não reconheço essa dívida');
    expect(await reasons(debt)).toEqual(['disputed', 'hardship']);
    await engine.hear(debt, 'PARAR');
    expect(await engine.status(debt)).toBe('OPTED_OUT');
    expect(await reasons(debt)).toEqual(['disputed', 'hardship']);
  });

  it('has every debt of the person that waits, each with what the person wrote last', async () => {
    const person = somebody();
    const debt = await make(person);
    const other = await make({ ...person, clientId: debt.clientId });
    await engine.hear(debt, 'perdi o emprego e nao tenho como pagar');
    const { items } = await inboxOf(debt);
    expect(items.map((item) => item.debt.id).sort()).toEqual([debt.id, other.id].sort());
    expect(items.map(({ lastMessage }) => lastMessage?.text)).toEqual(Array(2).fill(expect.stringMatching(/emprego/)));
  });

  it('has what nobody could read as a request for a person', async () => {
    const unreadable = async () => {
      throw new NotUnderstoodError('timed_out');
    };
    const agent = { ...engine.deps.agent, understand: unreadable, automaticWords: unreadable };
    const services = engineServices({ ...engine.deps, agent });
    const debt = await make();
    await services.receiveMessage({
      clientId: debt.clientId,
      debtId: debt.id,
      channel: 'sandbox',
      channelMessageId: debt.id,
      text: 'x',
    });
    await services.answerDebtor(engine.request(debt));
    expect(await reasons(debt)).toEqual(['human']);
  });

  it('has no automatic answer, also not as the last message', async () => {
    const debt = await make();
    await engine.hear(debt, 'No momento não podemos atender. Retornaremos em breve.');
    expect(await reasons(debt)).toEqual([]);
    await engine.hear(debt, 'quero falar com um atendente');
    await engine.hear(debt, 'No momento não podemos atender. Retornaremos em breve.');
    expect((await inboxOf(debt)).items[0]?.lastMessage?.text).toBe('quero falar com um atendente');
  });

  it('shows no client what belongs to another', async () => {
    const [mine, theirs] = [await make(), await make()];
    for (const debt of [mine, theirs]) await engine.hear(debt, 'não reconheço essa dívida');
    for (const debt of [mine, theirs]) {
      const { items, counts } = await inboxOf(debt);
      expect(items.map((item) => item.debt.id)).toEqual([debt.id]);
      expect(counts.disputed).toBe(1);
    }
  });

  it('loses the debts of a campaign that is archived', async () => {
    const debt = await make();
    await engine.hear(debt, 'não reconheço essa dívida');
    await engine.requests.changeCampaign({
      clientId: debt.clientId,
      campaignId: debt.campaignId,
      change: 'archive',
      source: SOURCE,
    });
    expect(await engine.status(debt)).toBe('STOPPED');
    expect(await reasons(debt)).toEqual([]);
  });

  it('hides a snoozed item until its moment, and counts only what is open', async () => {
    const debt = await make();
    await engine.hear(debt, 'não reconheço essa dívida');
    const snooze = (interval: string) =>
      engine.query(debt, `update inbox_items set snoozed_until = quita_now() + $1::interval`, [interval]);
    await snooze('1 hour');
    expect(await inboxOf(debt)).toMatchObject({ items: [], counts: { disputed: 0 } });
    expect((await inboxOf(debt, { state: 'snoozed' })).items).toMatchObject([{ reason: 'disputed' }]);
    await snooze('-1 hour');
    expect((await inboxOf(debt)).items).toMatchObject([{ snoozedUntil: expect.any(String) }]);
    expect((await inboxOf(debt, { state: 'snoozed' })).items).toEqual([]);
  });

  describe('a message that could not be sent', () => {
    const contactIn = async (debt: MadeDebt, ms: number) => {
      engine.clock.now += ms;
      await engine.contact(debt);
    };

    it('to anybody leaves the debt there until the client decides', async () => {
      const debt = await make({ status: 'QUEUED' });
      engine.failNext(new MessagingError('undeliverable', 'no such number'));
      await engine.contact(debt);
      expect(await engine.status(debt)).toBe('UNREACHABLE');
      expect(await reasons(debt)).toEqual(['undelivered']);
      await withdraw(debt);
      expect(await reasons(debt)).toEqual([]);
    });

    it('leaves the inbox when an import continues the debt', async () => {
      const debt = await make({ status: 'QUEUED' });
      engine.failNext(new MessagingError('undeliverable', 'no such number'));
      await engine.contact(debt);
      const draft = await make({ clientId: debt.clientId, status: 'STOPPED' });
      await engine.query(debt, `update campaigns set status = 'DRAFT', launched_at = null where id = $1`, [
        draft.campaignId,
      ]);
      const [row] = await engine.query<{ cpf: string }>(debt, 'select debtor_tax_id as cpf from debts where id = $1', [
        debt.id,
      ]);
      await storeDebts(engine.ofApi, {
        clientId: debt.clientId,
        campaignId: draft.campaignId,
        debts: [
          {
            index: 0,
            debtorName: 'Maria da Silva',
            debtorPhone: '+5511980009999',
            debtorPhones: ['+5511980009999'],
            debtorTaxId: row?.cpf ?? '',
            debtorEmails: [],
            originalAmountCentavos: 15_075,
            dueDate: '2026-10-05',
            invoiceId: null,
            invoiceKey: null,
            consent: null,
            description: null,
          },
        ],
        sandbox: false,
        at: new Date(engine.clock.now),
        sent: 1,
        source: SOURCE,
      });
      expect(await engine.query(debt, 'select from debts where campaign_id = $1', [draft.campaignId])).toHaveLength(2);
      expect(await reasons(debt)).toEqual([]);
    });

    it('because the sender is blocked stands there until one is sent', async () => {
      const debt = await make({ status: 'QUEUED' });
      engine.failNext(new MessagingError('suspended', 'blocked'));
      await engine.contact(debt);
      expect(await reasons(debt)).toEqual(['undelivered']);
      await contactIn(debt, HOUR);
      expect(engine.sent).toHaveLength(1);
      expect(await reasons(debt)).toEqual([]);
    });

    it('because the sender is throttled appears when that lasts', async () => {
      const debt = await make({ status: 'QUEUED' });
      const busy = () => new MessagingError('retryable', 'busy', { scope: 'sender' });
      const seen: string[][] = [];
      for (const wait of [0, HOUR / 2, HOUR / 2]) {
        engine.failNext(busy());
        await contactIn(debt, wait);
        seen.push(await reasons(debt));
      }
      expect(seen).toEqual([[], [], ['undelivered']]);
      await contactIn(debt, HOUR);
      expect(await reasons(debt)).toEqual([]);
    });

    it('as an answer appears beside what was asked', async () => {
      const debt = await make();
      engine.failNext(new MessagingError('unauthorized', 'token'));
      await engine.hear(debt, 'não reconheço essa dívida');
      expect(await reasons(debt)).toEqual(['disputed', 'undelivered']);
    });

    it('to a person who was reached before needs nobody', async () => {
      const debt = await make({ status: 'QUEUED' });
      await engine.contact(debt);
      engine.failNext(new MessagingError('undeliverable', 'gone'));
      await contactIn(debt, 6 * DAY);
      expect(await reasons(debt)).toEqual([]);
    });
  });
});
