import { afterEach, describe, expect, it } from '@jest/globals';
import { storePreference } from '../../src/modules/debts/queries/person-requests.ts';
import { learnRecipient } from '../../src/modules/messaging/queries/recipients.ts';
import type { DebtorPreference } from '../../src/modules/policy/rules/campaign-settings.ts';
import {
  createRecordingChannel,
  DAY,
  engineServices,
  HOUR,
  type MadeDebt,
  openEngine,
  somebody,
  WEDNESDAY,
} from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);
const NO_WISH: DebtorPreference = { hours: null, weekdays: null, channel: null };

/** A deployment that writes by these kinds of channel, in this order. */
function deployment(...kinds: ('whatsapp' | 'email')[]) {
  const senders = kinds.map((policyChannel) => {
    const { channel, sent } = createRecordingChannel();
    const capabilities = { ...channel.capabilities, policyChannel };
    return { sender: { channel: { ...channel, capabilities }, credentials: null, id: null, number: null }, sent };
  });
  const services = engineServices({ ...engine.deps, sendersOf: async () => senders.map(({ sender }) => sender) });
  return { services, sentBy: () => senders.map(({ sent }) => sent.length) };
}

async function debtOf(wish: Partial<DebtorPreference>): Promise<MadeDebt & { readonly cpf: string }> {
  const person = somebody();
  const debt = await engine.debt(person);
  await prefer({ ...debt, cpf: person.cpf }, wish);
  return { ...debt, cpf: person.cpf };
}
const prefer = ({ clientId, cpf }: { clientId: string; cpf: string }, wish: Partial<DebtorPreference> | null) =>
  engine.db
    .tenant(clientId)
    .transactional((tx) =>
      storePreference(
        tx,
        { clientId, debtorTaxId: cpf, sandbox: false },
        wish === null ? null : { ...NO_WISH, ...wish },
      ),
    );
const nextOf = async (debt: MadeDebt): Promise<number> => {
  const [row] = await engine.query<{ at: Date }>(debt, 'select next_contact_at as at from debts where id = $1', [
    debt.id,
  ]);
  return row!.at.getTime();
};
const local = (at: number) => new Date(at - 3 * HOUR);

describe('the plan of the first contacts', () => {
  it('gives a person the first moment of their own hours and days', async () => {
    const debt = await debtOf({ hours: { from: '16:00', to: '17:00' }, weekdays: [1] });
    await engine.query(debt, 'update debts set score = 50, scored_at = quita_now() where id = $1', [debt.id]);
    const { clientId, campaignId } = debt;
    const { debts } = await engine.services.planCollection({ clientId, campaignId, after: null });
    const first = local(debts[0]!.firstAt!);
    expect([first.getUTCDay(), first.getUTCHours(), first.getUTCMinutes()]).toEqual([1, 16, 0]);
  });
});

describe('the next contact', () => {
  it('is planned within the wish, again when the wish changes, and as before when it ends', async () => {
    const debt = await debtOf({});
    await engine.contact(debt);
    const usual = await nextOf(debt);
    await prefer(debt, { hours: { from: '16:00', to: '17:00' }, weekdays: [5] });
    await engine.contact(debt, WEDNESDAY + HOUR);
    const wished = await nextOf(debt);
    expect([local(wished).getUTCDay(), local(wished).getUTCHours()]).toEqual([5, 16]);
    expect(wished).toBeGreaterThanOrEqual(usual);
    await prefer(debt, null);
    await engine.contact(debt, WEDNESDAY + 2 * HOUR);
    expect(await nextOf(debt)).toBe(usual);
    expect(engine.sent).toHaveLength(1);
  });
});

describe('the channel', () => {
  it('that a person wants carries the message, and no other one does', async () => {
    const { services, sentBy } = deployment('whatsapp', 'email');
    const debt = await debtOf({ channel: 'email' });
    await services.contactDebtor(engine.request(debt));
    expect(sentBy()).toEqual([0, 1]);
    const usual = await debtOf({});
    await services.contactDebtor(engine.request(usual));
    expect(sentBy()).toEqual([1, 1]);
  });

  it('is no reason to write by another one when the client has lost it', async () => {
    const { services, sentBy } = deployment('whatsapp');
    const debt = await debtOf({ channel: 'email' });
    await services.contactDebtor(engine.request(debt));
    await services.contactDebtor(engine.request(debt, WEDNESDAY + 7 * DAY));
    expect(sentBy()).toEqual([0]);
    const verdicts = await engine.verdicts(debt);
    expect(verdicts.length).toBeGreaterThan(0);
    for (const { allowed } of verdicts) expect(allowed).toBe(false);
  });
});

describe('a wished channel that does not reach the person', () => {
  const KINDS = {
    whatsapp: { policyChannel: 'whatsapp', reaches: 'phone' },
    twilio: { policyChannel: 'sms', reaches: 'phone' },
    email: { policyChannel: 'email', reaches: 'email' },
  } as const;
  type Name = keyof typeof KINDS;

  /** A client that has connected these channels, in this order. */
  function connected(...names: readonly Name[]) {
    const { channel, sent } = createRecordingChannel();
    const senders = names.map((name) => ({
      channel: { ...channel, name, capabilities: { ...channel.capabilities, ...KINDS[name] } },
      credentials: null,
      id: name,
      number: null,
    }));
    return { services: engineServices({ ...engine.deps, sendersOf: async () => senders }), sent };
  }

  const unreachable = (
    { id: debtId, clientId }: MadeDebt,
    { cpf, phone }: ReturnType<typeof somebody>,
    channel: Name,
  ) =>
    engine.db.tenant(clientId).transactional((tx) => {
      const { personKeys } = engine.deps;
      const address = { clientId, channel, personKey: personKeys.person(cpf), phoneKey: personKeys.phone(phone) };
      return learnRecipient(tx, { ...address, debtId }, { unreachableAt: new Date(engine.clock.now) });
    });

  /** The reasons for which the debt stands in the inbox, its status, and its phone. */
  const stateOf = async (debt: MadeDebt) => {
    const [row] = await engine.query<{ status: string; phone: string; reasons: string[] }>(
      debt,
      `select status, debtor_phone as phone, array(select reason from inbox_items
         where debt_id = debts.id and closed_at is null) as reasons from debts where id = $1`,
      [debt.id],
    );
    return row!;
  };

  it.each<{ readonly why: string; readonly wish: 'whatsapp' | 'email'; readonly names: readonly Name[] }>([
    { why: 'because the debt has no address', wish: 'email', names: ['whatsapp', 'email'] },
    { why: 'because the address takes no mail', wish: 'email', names: ['whatsapp', 'email'] },
    { why: 'because the phone has no such account', wish: 'whatsapp', names: ['whatsapp', 'twilio'] },
  ])('ends no debt and gives up no phone: it waits for the wish ($why)', async ({ why, wish, names }) => {
    const { services, sent } = connected(...names);
    const person = somebody();
    const debt = await engine.debt({ ...person, phones: [person.phone, somebody().phone] });
    if (!why.includes('no address'))
      await engine.query(debt, `update debts set debtor_email = 'ana@example.com.br' where id = $1`, [debt.id]);
    await prefer({ ...debt, cpf: person.cpf }, { channel: wish });
    if (!why.includes('no address')) await unreachable(debt, person, wish);
    for (let days = 0; days < 3; days += 1)
      await services.contactDebtor(engine.request(debt, WEDNESDAY + 7 * days * DAY));
    expect(sent).toEqual([]);
    expect(await stateOf(debt)).toEqual({ status: 'QUEUED', phone: person.phone, reasons: ['settings'] });

    await prefer({ ...debt, cpf: person.cpf }, null);
    await services.contactDebtor(engine.request(debt, WEDNESDAY + 21 * DAY));
    expect(sent).toMatchObject([{ phone: person.phone }]);
    expect(await stateOf(debt)).toMatchObject({ status: 'IN_COLLECTION', reasons: [] });
  });

  it('leaves the other debt of the person, which has an address, to that channel', async () => {
    const { services, sent } = connected('whatsapp', 'email');
    const person = somebody();
    const one = await engine.debt(person);
    const other = await engine.debt({ ...person, ...one, dueDate: '2026-10-06' });
    await engine.query(one, `update debts set debtor_email = 'ana@example.com.br' where id = $1`, [one.id]);
    await prefer({ ...one, cpf: person.cpf }, { channel: 'email' });
    await services.contactDebtor(engine.request(other));
    expect([sent.length, (await stateOf(other)).status]).toEqual([0, 'QUEUED']);
    await services.contactDebtor(engine.request(one));
    expect([sent.length, (await stateOf(one)).status]).toEqual([1, 'IN_COLLECTION']);
  });
});
