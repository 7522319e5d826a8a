import { afterEach, describe, expect, it } from '@jest/globals';
import { contactDebtor } from '../../src/modules/collection/contact/contact-debtor.ts';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import type { CollectionAgent, Turn } from '../../src/modules/messaging/ports/collection-agent.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { SPREAD_MS } from '../../src/modules/policy/rules/contact-pace.ts';
import { askAs } from '../../testing/database.ts';
import { DAY, type GivenDebt, HOUR, type MadeDebt, openEngine, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { pageIn, pagePath } from '../../testing/pages.ts';
import { receiveFrom } from './inbound.ts';

const WRONG = 'Esse número não é dessa pessoa.';
/** The next opening in São Paulo after `WEDNESDAY`, and the moment by which every debt that waits for it is due. */
const OPENING = Date.UTC(2026, 10, 19, 12);
const THURSDAY = OPENING + SPREAD_MS;

/** Contacts that wait for an opening are spread behind it. */
function expectSoonAfter(opening: number, at: number | null): void {
  expect(at).toBeGreaterThanOrEqual(opening);
  expect(at).toBeLessThan(opening + SPREAD_MS);
}

let people = 0;

const engine = await opened(openEngine());
afterEach(engine.reset);

interface Person {
  readonly cpf: string;
  readonly phones: readonly [string, string, string];
}
const somebody = (): Person => {
  people += 1;
  const phone = (area: string) => `+55${area}98${String(1_000_000 + people)}`;
  return { cpf: String(30_000_000_000 + people), phones: [phone('11'), phone('12'), phone('13')] };
};
const alsoOf = ({ clientId, campaignId }: MadeDebt) => ({ clientId, campaignId });
const rowOf = async (debt: MadeDebt) =>
  (
    await engine.query<{ debtor_phone: string; step: number; status: string; next_contact_at: Date | null }>(
      debt,
      'select debtor_phone, step, status, next_contact_at from debts where id = $1',
      [debt.id],
    )
  )[0]!;
const phoneOf = async (debt: MadeDebt) => (await rowOf(debt)).debtor_phone;
const changesOf = async (debt: MadeDebt) =>
  (
    await engine.query<{ data: object }>(
      debt,
      `select data from debt_events where debt_id = $1 and kind = 'debt_changed' order by seq`,
      [debt.id],
    )
  ).map(({ data }) => data);
const sentFor = (purpose: string) => engine.sent.filter((message) => message.purpose === purpose);
const collected = () => sentFor('collection').map(({ phone }) => phone);
const linkIn = (text: string): string => /https:\S+/.exec(text)?.[0] ?? '';
const pageIdIn = (text: string): string => pageIn(text)?.id ?? '';

async function contactedDebt(given: GivenDebt): Promise<MadeDebt> {
  const debt = await engine.debt(given);
  await engine.contact(debt);
  return debt;
}

describe('a phone that is said to belong to somebody else', () => {
  it('hands over to the next one, with the first message and the next allowed moment', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones });
    const step = await engine.hear(one, WRONG);
    expect(await rowOf(one)).toMatchObject({ debtor_phone: phones[1], status: 'IN_COLLECTION', step: 0 });
    expect(await changesOf(one)).toEqual([{ field: 'debtorPhone', reason: 'wrong_person', from: 0, to: 1 }]);
    expectSoonAfter(OPENING, timerOf(step));
    await engine.contact(one, THURSDAY);
    expect(collected()).toEqual([phones[0], phones[1]]);
    const [first, second] = sentFor('collection');
    expect(second!.text.replace(linkIn(second!.text), '')).toBe(first!.text.replace(linkIn(first!.text), ''));
    expect(sentFor('reply')).toMatchObject([
      { phone: phones[0], text: expect.stringContaining('não será mais usado') },
    ]);
  });

  it('takes the addresses that it has got with it: they show nothing, and the next message has another one', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones });
    const two = await engine.debt({ cpf, phones, ...alsoOf(one) });
    await engine.contact(one);
    const known = pageIdIn(engine.sent[0]!.text);
    expect((await engine.requests.openPersonPage(known))?.debts).toHaveLength(2);
    await engine.hear(one, WRONG);
    expect(await engine.requests.openPersonPage(known)).toBeNull();
    expect(await engine.requests.openCheckout(one.id)).toBeNull();
    expect(await engine.requests.openCheckout(two.id)).toBeNull();
    await engine.contact(one, THURSDAY);
    const fresh = pageIdIn(sentFor('collection').at(-1)!.text);
    expect(fresh).not.toBe(known);
    expect((await engine.requests.openPersonPage(fresh))?.debts).toMatchObject([
      { pageClosed: true },
      { pageClosed: true },
    ]);
  });

  it('leads to the person’s page also where the person has one debt', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones });
    expect(linkIn(engine.sent[0]!.text)).toBe(`https://quita.example${pagePath(one.id)}`);
    await engine.hear(one, WRONG);
    await engine.contact(one, THURSDAY);
    const { text } = sentFor('collection').at(-1)!;
    expect(text).not.toContain(one.id);
    expect((await engine.requests.openPersonPage(pageIdIn(text)))?.debts).toHaveLength(1);
  });

  it('hands over for every debt of the person that it is used for, and ends those without another phone', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones });
    const two = await engine.debt({ cpf, phones: [phones[0], phones[2]], ...alsoOf(one) });
    const alone = await engine.debt({ cpf, phone: phones[0], ...alsoOf(one) });
    const elsewhere = await engine.debt({ cpf, phone: phones[1], ...alsoOf(one) });
    await engine.contact(one);
    await engine.hear(alone, WRONG);
    expect([await phoneOf(one), await phoneOf(two), await phoneOf(elsewhere)]).toEqual([
      phones[1],
      phones[2],
      phones[1],
    ]);
    expect([await engine.status(one), await engine.status(two)]).toEqual(['IN_COLLECTION', 'IN_COLLECTION']);
    expect(await engine.status(alone)).toBe('STOPPED');
    expect(await changesOf(alone)).toEqual([]);
    expect(await engine.status(elsewhere)).toBe('IN_COLLECTION');
    // The workflows of the others are told, because their timers are set to a later moment.
    const woken = await askAs(
      engine.url,
      'quita_worker',
      `select workflow_id from outbox where signal = 'stateChanged'`,
    );
    for (const { id } of [one, two]) expect(woken).toContainEqual({ workflow_id: `collection-${id}` });
  });

  it('ends the debt when it is the last phone', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones: phones.slice(0, 2) });
    await engine.hear(one, WRONG);
    await engine.contact(one, THURSDAY);
    await engine.hear(one, WRONG);
    expect(await rowOf(one)).toMatchObject({ status: 'STOPPED', debtor_phone: phones[1] });
    expect(await changesOf(one)).toHaveLength(1);
  });

  it.each([0, 1] as const)('hands over to nobody after news of a death from phone %d', async (from) => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones });
    await engine.hear(one, 'Ela faleceu no mês passado.', phones[from]);
    expect(await rowOf(one)).toMatchObject({ status: 'ON_HOLD', debtor_phone: phones[0] });
    expect(sentFor('reply')).toMatchObject([{ phone: phones[from], text: expect.stringContaining('Sinto muito') }]);
    expect(await engine.requests.openCheckout(one.id)).toBeNull();
  });

  it('is not used by a debt that is imported later with the phone, which begins with the next one', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phone: phones[0] });
    await engine.hear(one, WRONG);
    const later = await engine.debt({ cpf, phones, ...alsoOf(one) });
    const eligibility = await engine.requests.checkEligibility({ clientId: later.clientId, debtId: later.id });
    expect(eligibility).toMatchObject({ allowed: false, rules: expect.arrayContaining(['wrong_person']) });
    expect(timerOf(await engine.contact(later))).toBe(WEDNESDAY);
    expect((await engine.verdicts(later)).at(-1)).toMatchObject({ allowed: false });
    expect(await phoneOf(later)).toBe(phones[1]);
    await engine.contact(later, THURSDAY);
    expect(collected()).toEqual([phones[0], phones[1]]);
  });

  it('is passed over when it is the next one', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phone: phones[1] });
    await engine.hear(one, WRONG);
    const two = await engine.debt({ cpf, phones, ...alsoOf(one) });
    await engine.contact(two, THURSDAY);
    await engine.hear(two, WRONG);
    expect(await phoneOf(two)).toBe(phones[2]);
  });

  it('of another client’s debt hands nothing over, because no client may learn of another', async () => {
    const { cpf, phones } = somebody();
    const theirs = await contactedDebt({ cpf, phone: phones[0] });
    await engine.hear(theirs, WRONG);
    const ours = await engine.debt({ cpf, phones });
    await engine.contact(ours);
    expect(await engine.verdicts(ours)).toMatchObject([{ allowed: false, rules: ['scheduling'] }]);
    expect(await phoneOf(ours)).toBe(phones[0]);
    expect(await changesOf(ours)).toEqual([]);
  });
});

describe('whoever holds a wrong phone', () => {
  it.each([
    ['Não reconheço essa dívida, já falei.', 'não é mais usado para este assunto'],
    ['Quero pagar', 'não é mais usado para este assunto'],
    ['PARAR', 'Seu pedido foi registrado: você não receberá mais mensagens por aqui.'],
  ])('changes nothing of the debt by "%s", and learns nothing', async (text, answer) => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones });
    await engine.hear(one, WRONG);
    const before = await rowOf(one);
    await engine.hear(one, text, phones[0]);
    expect(await rowOf(one)).toEqual(before);
    expect(sentFor('reply').concat(sentFor('opt_out_confirmation')).at(-1)).toMatchObject({ phone: phones[0] });
    expect(engine.sent.at(-1)?.text).toContain(answer);
    expect(engine.sent.at(-1)?.text).not.toMatch(/Maria|Escola|https|R\$/);
    await engine.contact(one, THURSDAY);
    expect(collected()).toEqual([phones[0], phones[1]]);
  });

  it('says so twice, and the second time concerns no other phone', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones });
    await engine.hear(one, WRONG);
    await engine.contact(one, THURSDAY);
    const { text } = sentFor('collection').at(-1)!;
    const before = await rowOf(one);
    engine.clock.now = THURSDAY + 3 * DAY;
    await engine.hear(one, WRONG, phones[0]);
    expect(before).toMatchObject({ debtor_phone: phones[1], status: 'IN_COLLECTION', step: 1 });
    // Nor does the next contact wait longer for it.
    expect(await rowOf(one)).toEqual(before);
    // The address that the debtor has got meanwhile goes on working.
    expect(await engine.requests.openPersonPage(pageIdIn(text))).not.toBeNull();
  });

  it('has a conversation of their own, of which no message to the debtor knows', async () => {
    const heard: (readonly Turn[])[] = [];
    const agent: CollectionAgent = {
      ...engine.deps.agent,
      compose: (step, debt, history) => {
        heard.push(history);
        return engine.deps.agent.compose(step, debt, history);
      },
    };
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones });
    await engine.hear(one, WRONG);
    engine.clock.now = THURSDAY;
    await contactDebtor({ ...engine.deps, agent })(engine.request(one, THURSDAY));
    expect(heard).toEqual([[]]);
  });

  it('closes also the page to which a message for another phone was about to lead', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phone: phones[0] });
    const two = await engine.debt({ cpf, phone: phones[1], status: 'DISPUTED', ...alsoOf(one) });
    let said = false;
    const agent: CollectionAgent = {
      ...engine.deps.agent,
      compose: async (...given) => {
        const message = await engine.deps.agent.compose(...given);
        if (!said) await engine.hear(two, WRONG);
        said = true;
        return message;
      },
    };
    await contactDebtor({ ...engine.deps, agent })(engine.request(one));
    const [contact] = sentFor('collection');
    expect(contact).toMatchObject({ phone: phones[0] });
    expect((await engine.requests.openPersonPage(pageIdIn(contact!.text)))?.debts).toHaveLength(1);
  });

  it('gets no message that was composed for the phone before they said so', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones });
    const agent: CollectionAgent = {
      ...engine.deps.agent,
      compose: async (...given) => {
        const message = await engine.deps.agent.compose(...given);
        await engine.hear(one, WRONG);
        return message;
      },
    };
    await contactDebtor({ ...engine.deps, agent })(engine.request(one));
    expect(collected()).toEqual([]);
    expect(await phoneOf(one)).toBe(phones[1]);
    await engine.contact(one);
    expect(collected()).toEqual([phones[1]]);
  });
});

it('PARAR silences the person and hands nothing over, whichever phone it came from', async () => {
  const { cpf, phones } = somebody();
  const one = await contactedDebt({ cpf, phones });
  await engine.hear(one, 'PARAR', phones[1]);
  expect(await rowOf(one)).toMatchObject({ status: 'OPTED_OUT', debtor_phone: phones[0] });
  expect(sentFor('opt_out_confirmation')).toMatchObject([{ phone: phones[1] }]);
  expect(await changesOf(one)).toEqual([]);
});

describe('a phone that cannot be reached', () => {
  const undeliverable = () => new MessagingError('undeliverable', 'no such number');
  const busy = () => new MessagingError('retryable', 'busy');

  it('hands over to the next one within the same step, and the debt is UNREACHABLE when none is left', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones: phones.slice(0, 2) });
    engine.failNext(undeliverable());
    const step = await engine.contact(one);
    expect([step.kind, timerOf(step)]).toEqual(['wait', WEDNESDAY]);
    expect(await rowOf(one)).toMatchObject({ debtor_phone: phones[1], status: 'IN_COLLECTION', step: 0 });
    expect(await changesOf(one)).toEqual([{ field: 'debtorPhone', reason: 'unreachable', from: 0, to: 1 }]);
    engine.failNext(undeliverable());
    expect(await engine.contact(one)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
    expect(await engine.ledger(one)).toEqual([]);
  });

  it('keeps the page, because its address reached nobody', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones });
    engine.failNext(undeliverable());
    await engine.contact(one);
    await engine.contact(one);
    expect(engine.sent).toMatchObject([{ phone: phones[1], text: expect.stringContaining(pagePath(one.id)) }]);
    expect(await engine.requests.openCheckout(one.id)).not.toBeNull();
  });

  it('is given up after five failures in a row, which are counted for each phone', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones: phones.slice(0, 2) });
    engine.failNext(...Array.from({ length: 10 }, busy));
    const usedPhones: string[] = [];
    let step = await engine.contact(one);
    for (let at = timerOf(step); at !== null; at = timerOf(step)) {
      usedPhones.push(await phoneOf(one));
      engine.clock.now = at;
      step = await engine.contact(one, at);
    }
    expect(step).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
    expect(await engine.deliveries(one)).toEqual(Array(10).fill('failed'));
    // Four failures are tried again on the same phone.
    expect(usedPhones.filter((phone) => phone === phones[0])).toHaveLength(4);
  });

  it('hands over later in the sequence too, at the step that it has reached', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones });
    const second = timerOf(await engine.contact(one)) ?? 0;
    engine.failNext(undeliverable());
    await engine.contact(one, second);
    expect(await rowOf(one)).toMatchObject({ debtor_phone: phones[1], step: 1 });
    await engine.contact(one, second);
    expect(collected()).toEqual([phones[0], phones[1]]);
    expect(await rowOf(one)).toMatchObject({ step: 2 });
  });

  it('says nothing about another debt of the message that has another phone in use', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phone: phones[0] });
    const two = await engine.debt({ cpf, phone: phones[1], ...alsoOf(one) });
    engine.failNext(undeliverable());
    await engine.contact(one);
    expect(await rowOf(one)).toMatchObject({ status: 'UNREACHABLE' });
    expect(await rowOf(two)).toMatchObject({ status: 'IN_COLLECTION', step: 0 });
    await engine.contact(two);
    expect(collected()).toEqual([phones[1]]);
  });

  it('ends the debt although a stranger was reached before', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones: phones.slice(0, 2) });
    await engine.hear(one, WRONG);
    engine.failNext(undeliverable());
    expect(await engine.contact(one, THURSDAY)).toMatchObject({ kind: 'finish', status: 'UNREACHABLE' });
  });
});

describe('a message from one of several phones', () => {
  const inbound = (debt: MadeDebt, fromPhone: string, text: string) => receiveFrom(engine, debt, fromPhone, text);
  /** The debts to which inbound messages went, the newest last. Only real debts are found. */
  const receivedBy = async (debt: MadeDebt, others: readonly MadeDebt[] = []) =>
    (
      await engine.query<{ debt_id: string }>(
        debt,
        `select debt_id from messages where direction = 'in' and debt_id = any($1) order by created_at`,
        [[debt, ...others].map(({ id }) => id)],
      )
    ).map(({ debt_id }) => debt_id);

  it('belongs to the debt, whether the phone was used, is used or may be used, and is answered there', async () => {
    const { cpf, phones } = somebody();
    const one = await engine.debt({ cpf, phones });
    engine.failNext(new MessagingError('undeliverable', 'no such number'));
    await engine.contact(one);
    await engine.contact(one);
    for (const phone of phones) {
      expect(await inbound(one, phone.slice(1), 'Qual é o valor?')).toBe('stored');
      await engine.services.answerDebtor(engine.request(one));
      expect(engine.sent.at(-1)).toMatchObject({ purpose: 'reply', phone });
    }
    expect(await phoneOf(one)).toBe(phones[1]);
    expect(await inbound(one, '5511999999999', 'oi')).toBe('unknown_debt');
  });

  it('is understood apart from one of another phone', async () => {
    const { cpf, phones } = somebody();
    const one = await contactedDebt({ cpf, phones });
    await inbound(one, phones[0].slice(1), WRONG);
    await inbound(one, phones[1].slice(1), 'Vou pagar dia 27/11/2026');
    await engine.services.answerDebtor(engine.request(one));
    expect(await rowOf(one)).toMatchObject({ status: 'IN_COLLECTION', debtor_phone: phones[1] });
    await engine.services.answerDebtor(engine.request(one));
    expect(await engine.status(one)).toBe('PROMISED');
    expect(sentFor('reply').map(({ phone }) => phone)).toEqual([phones[0], phones[1]]);
    expect(sentFor('reply')[1]?.text).toContain('anotei 27/11/2026');
  });

  it('belongs to the debt that was talked about on that phone, not on another one', async () => {
    const one = somebody();
    const relative = somebody();
    const shared = one.phones[1];
    const mine = await engine.debt({ cpf: one.cpf, phones: [one.phones[0], shared] });
    const theirs = await engine.debt({ cpf: relative.cpf, phone: shared, ...alsoOf(mine) });
    // Nobody has talked on the shared phone yet: it is the phone in use of one of the two only.
    await inbound(mine, shared.slice(1), 'oi');
    expect(await receivedBy(mine, [theirs])).toEqual([theirs.id]);
    await engine.services.answerDebtor(engine.request(theirs));
    // The newest conversation of all is about the other debt, but on another phone.
    engine.clock.now = WEDNESDAY + HOUR;
    await engine.contact(mine);
    await inbound(mine, shared.slice(1), 'oi de novo');
    expect(await receivedBy(mine, [theirs])).toEqual([theirs.id, theirs.id]);
  });
});

describe('phones in several places', () => {
  it('are contacted when it is allowed in the place of each that may still be used', async () => {
    const { cpf } = somebody();
    const [saoPaulo, manaus] = ['+5511981999998', '+5592981999998'];
    const one = await engine.debt({ cpf, phones: [saoPaulo, manaus] });
    const opening = Date.UTC(2026, 10, 18, 12);
    engine.clock.now = opening;
    // Nine o'clock in São Paulo is eight in Manaus.
    const step = await engine.contact(one, opening);
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ allowed: false, rules: ['window'] });
    expectSoonAfter(opening + HOUR, timerOf(step));
    engine.clock.now = opening + HOUR + SPREAD_MS;
    await engine.contact(one);
    expect(collected()).toEqual([saoPaulo]);
    // The phone of São Paulo belongs to somebody else, so only Manaus counts from then on.
    const next = await engine.hear(one, WRONG);
    expectSoonAfter(opening + DAY + HOUR, timerOf(next));
  });
});
