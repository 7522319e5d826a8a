import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { changeOffersPolicy } from '../../src/modules/agreements/use-cases/offers-policy.ts';
import { createGenuineServices } from '../../src/modules/genuine/services.ts';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { PIX_TEMPLATE_TEXTS, TEMPLATE_TEXTS } from '../../src/modules/messaging/texts/templates.ts';
import type { Sender } from '../../src/modules/messaging/use-cases/deps.ts';
import { startFakeWhatsApp, type TakenByWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { graphError } from '../../testing/channels/whatsapp/answers.ts';
import {
  DAY,
  engineServices,
  type GivenDebt,
  HOUR,
  type MadeDebt,
  openEngine,
  somebody,
  WEDNESDAY,
} from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';
import { SOURCE } from '../../testing/source.ts';

const fake = await opened(startFakeWhatsApp());
const engine = await opened(openEngine());
fake.templates.firstStatus = 'APPROVED';
const whatsapp = createWhatsAppChannel({
  baseUrl: fake.baseUrl,
  templates: [...TEMPLATE_TEXTS, ...PIX_TEMPLATE_TEXTS],
  clockOffsetMs: engine.clockOffsetMs,
});
await whatsapp.templates!.push([...TEMPLATE_TEXTS, ...PIX_TEMPLATE_TEXTS], fake.credentials);

const sender: Sender = {
  // The pace of a sender never goes back in time, as these tests do.
  channel: { ...whatsapp, capabilities: { ...whatsapp.capabilities, pace: null } },
  credentials: fake.credentials,
  id: fake.credentials.senderId,
  number: fake.credentials.senderId,
};
const services = engineServices({ ...engine.deps, sendersOf: async () => [sender] });

beforeEach(() => {
  engine.clock.now = WEDNESDAY;
  fake.payments.enabled = true;
});

// biome-ignore lint/suspicious/noExplicitAny: What the channel got is what these tests are about.
type Body = Record<string, any>;
const to = (debt: Person): readonly TakenByWhatsApp[] => fake.taken.filter((one) => one.to === debt.phone);
const ordersTo = (debt: Person): Body[] =>
  to(debt).flatMap(({ body }) => (body['type'] === 'interactive' ? [body['interactive'] as Body] : []));
const parametersOf = (order: Body | undefined): Body => order?.['action'].parameters;
const codeIn = (order: Body | undefined): string => parametersOf(order)?.['payment_settings'][0].pix_dynamic_code.code;

interface Person extends MadeDebt {
  readonly cpf: string;
  readonly phone: string;
}

/** Without it the texts are others than those of the approved templates. */
const ADDRESS = {
  street: 'Rua das Laranjeiras',
  number: '120',
  district: 'Centro',
  city: 'Recife',
  state: 'PE',
  postalCode: '50010000',
};

/** A debt of which the person has had the first message; the sender may send codes unless the test says otherwise. */
async function contacted(given: GivenDebt = {}, pixCodes = true): Promise<Person> {
  const person = { ...somebody(), ...given } as GivenDebt & { cpf: string; phone: string };
  const debt = { ...(await engine.debt(person)), cpf: person.cpf, phone: person.phone };
  await engine.ofApi.db
    .tenant(debt.clientId)
    .transactional((tx) =>
      runInTransaction(tx, 'update clients set address = $2 where id = $1', [debt.clientId, ADDRESS]),
    );
  await services.contactDebtor(engine.request(debt));
  await engine.query(debt, 'update channel_senders set pix_codes = $2 where client_id = $1', [debt.clientId, pixCodes]);
  return debt;
}

/** The person writes from a phone, and the service hears and answers; the fake opens its window as WhatsApp does. */
async function says(debt: Person, text: string, phone = debt.phone): Promise<void> {
  fake.messageRequest('https://quita.example', { id: randomUUID(), from: phone, text });
  const { personKeys } = engine.deps;
  await engine.query(
    debt,
    `insert into recipients (client_id, channel, person_key, phone_key, debt_id, wrote_at) values ($1, 'whatsapp', $2, $3, $4, $5)
     on conflict (client_id, person_key, phone_key, channel) do update set wrote_at = excluded.wrote_at`,
    [debt.clientId, personKeys.person(debt.cpf), personKeys.phone(phone), debt.id, new Date(engine.clock.now)],
  );
  await services.receiveMessage({
    clientId: debt.clientId,
    debtId: debt.id,
    channel: 'whatsapp',
    phone,
    channelMessageId: randomUUID(),
    text,
  });
  await services.answerDebtor(engine.request(debt));
}

/** The code of the button of a template. */
const codeOfButton = (sent: TakenByWhatsApp | undefined): string | undefined => {
  const template = sent?.body['template'] as Body | undefined;
  const button = template?.['components'].find((one: Body) => one['sub_type'] === 'payment_request');
  return button?.parameters[0].action.payment_request.payment_setting.pix_dynamic_code.code;
};

const messagesOf = (debt: MadeDebt) =>
  engine.query<{ purpose: string; text: string; delivery: string; chargeId: string | null }>(
    debt,
    `select purpose, text, delivery, charge_id as "chargeId" from messages where debt_id = $1 and direction = 'out'
     order by created_at, id`,
    [debt.id],
  );
const openCharge = async (debt: MadeDebt) =>
  (
    await engine.query<{ id: string; code: string; amount: number; expiresAt: Date }>(
      debt,
      `select id, br_code as code, amount_centavos::int as amount, expires_at as "expiresAt" from charges
       where debt_id = $1 and superseded_at is null and status = 'PENDING' order by attempt desc limit 1`,
      [debt.id],
    )
  )[0]!;
const settingOf = async (debt: MadeDebt) =>
  (
    await engine.query<{ on: boolean; refusal: string | null }>(
      debt,
      'select pix_codes as on, pix_refusal as refusal from channel_senders where client_id = $1',
      [debt.clientId],
    )
  )[0];

describe('a person who asks to pay', () => {
  it('gets the code of the day in the answer, and the link beside it', async () => {
    const debt = await contacted();
    await says(debt, 'Quero pagar');
    const charge = await openCharge(debt);
    const [order, ...more] = ordersTo(debt);
    expect(more).toEqual([]);
    expect(codeIn(order)).toBe(charge.code);
    expect(parametersOf(order)).toMatchObject({ total_amount: { value: charge.amount, offset: 100 }, currency: 'BRL' });
    const text = order!['body'].text;
    expect(text).toContain('https://quita.example/p/');
    expect(text).not.toContain(charge.code);
    const reply = (await messagesOf(debt)).at(-1);
    expect(reply).toEqual({ purpose: 'reply', text, delivery: 'sent', chargeId: charge.id });
    const entries = await engine.query<{ data: Body }>(
      debt,
      `select data from debt_events where debt_id = $1 and kind = 'message_sent' order by seq`,
      [debt.id],
    );
    expect(entries.map(({ data }) => data['pixCode'] ?? false)).toEqual([false, true]);
  });

  it('has no code in the first message, which may reach another person', async () => {
    const debt = await contacted();
    expect(ordersTo(debt)).toEqual([]);
    const [first] = to(debt);
    expect(JSON.stringify(first?.body)).not.toContain('br.gov.bcb.pix');
    expect((await messagesOf(debt))[0]?.chargeId).toBeNull();
  });

  it('gets the link and the code as text where the sender may send no codes', async () => {
    const debt = await contacted({}, false);
    await says(debt, 'Quero pagar');
    expect(ordersTo(debt)).toEqual([]);
    expect(to(debt).at(-1)?.text).toContain((await openCharge(debt)).code);
  });

  it('has the same answer once, and a renewed code again, under a reference of its own', async () => {
    const debt = await contacted();
    await says(debt, 'Quero pagar');
    await says(debt, 'Quero pagar');
    expect(ordersTo(debt)).toHaveLength(1);
    const before = await openCharge(debt);
    engine.clock.now += 4 * DAY;
    await says(debt, 'Quero pagar agora, manda o Pix');
    const [old, renewed] = ordersTo(debt);
    expect(codeIn(renewed)).toBe((await openCharge(debt)).code);
    expect(codeIn(renewed)).not.toBe(codeIn(old));
    expect(parametersOf(renewed)['reference_id']).not.toBe(parametersOf(old)['reference_id']);
    // WhatsApp stopped showing the old one when it could not be paid any more.
    const shownUntil = Number(parametersOf(old)['order'].expiration.timestamp) * 1_000 + engine.clockOffsetMs;
    expect(shownUntil).toBeLessThanOrEqual(before.expiresAt.getTime());
  });

  it('has a code that is shown for this day only where the amount grows daily, and the grown amount the next day', async () => {
    const debt = await contacted();
    const [terms] = await engine.ofApi.db.tenant(debt.clientId).transactional((tx) =>
      runInTransaction<{ id: string }>(
        tx,
        `insert into late_payment_terms (client_id, version, effective_from, fine_basis_points, interest_kind,
           interest_basis_points, correction, grace_days, business_day_shift, clause)
         values ($1, 1, '2020-01-01', 200, 'monthly', 100, 'none', 0, false, 'cláusula 7') returning id`,
        [debt.clientId],
      ),
    );
    await engine.query(debt, 'update debts set terms_id = $2 where id = $1', [debt.id, terms!.id]);
    await says(debt, 'Quero pagar');
    engine.clock.now += DAY;
    await says(debt, 'Quero pagar agora, manda o Pix');
    const [today, tomorrow] = ordersTo(debt).map(parametersOf);
    const amountOf = (parameters: Body | undefined): number => parameters?.['total_amount'].value;
    expect(amountOf(today)).toBeGreaterThan(15_075);
    expect(amountOf(tomorrow)).toBeGreaterThan(amountOf(today));
    // Midnight in São Paulo, by WhatsApp's own clock.
    const shownUntil = Number(today?.['order'].expiration.timestamp) * 1_000 + engine.clockOffsetMs;
    expect(Math.abs(shownUntil - Date.UTC(2026, 10, 19, 3))).toBeLessThan(2_000);
  });

  it('gets the link alone for several debts, because one code cannot pay them', async () => {
    const debt = await contacted();
    await engine.debt({ ...debt, status: 'IN_COLLECTION' });
    await says(debt, 'Quero pagar');
    expect(ordersTo(debt)).toEqual([]);
    expect(to(debt).at(-1)?.text).toContain('2 pagamentos');
  });
});

describe('who may not be shown the code', () => {
  it('is a person who said that the phone is not the debtor’s, whatever they ask for', async () => {
    const debt = await contacted();
    await says(debt, 'Não sou essa pessoa, número errado');
    await says(debt, 'Quero pagar');
    expect(ordersTo(debt)).toEqual([]);
    for (const { body } of to(debt)) expect(JSON.stringify(body)).not.toContain('br.gov.bcb.pix');
  });

  it('is a phone that has never answered, although the person wrote from another one', async () => {
    const debt = await contacted();
    const other = somebody().phone;
    await says(debt, 'Oi, bom dia, sou eu mesma', other);
    engine.clock.now += DAY;
    await engine.query(debt, 'update debts set next_contact_at = null where id = $1', [debt.id]);
    const before = to(debt).length;
    await services.contactDebtor(engine.request(debt));
    expect(to(debt).length).toBe(before + 1);
    expect(JSON.stringify(to(debt).at(-1)?.body)).not.toContain('br.gov.bcb.pix');
    // Asked from there, the answer goes there and has it: whoever asks to pay may be given the code.
    await says(debt, 'Quero pagar', other);
    expect(ordersTo(debt)).toEqual([]);
    expect(ordersTo({ ...debt, phone: other })).toHaveLength(1);
  });

  it('is nobody who asked for silence: nothing is sent after that', async () => {
    const debt = await contacted();
    await says(debt, 'Quero pagar amanhã');
    await says(debt, 'PARAR');
    const before = to(debt).length;
    engine.clock.now += 6 * DAY;
    await services.contactDebtor(engine.request(debt));
    expect(to(debt).length).toBe(before);
  });
});

describe('a channel that refuses the code', () => {
  it('gets the same message without it, once, and the sender sends none any more', async () => {
    fake.payments.enabled = false;
    const debt = await contacted();
    await says(debt, 'Quero pagar');
    expect(ordersTo(debt)).toEqual([]);
    const code = (await openCharge(debt)).code;
    expect(to(debt).filter(({ text }) => text.includes(code))).toHaveLength(1);
    const reply = (await messagesOf(debt)).at(-1);
    expect(reply).toMatchObject({ purpose: 'reply', delivery: 'sent', chargeId: null });
    expect(reply?.text).toContain(code);
    expect(await settingOf(debt)).toEqual({ on: false, refusal: 'unauthorized 10' });
    // The sender works on: a code that is refused says nothing of the token.
    const [state] = await engine.query(debt, 'select state from channel_senders where client_id = $1', [debt.clientId]);
    expect(state).toEqual({ state: 'ready' });
  });

  it('is not asked twice when nobody knows whether the first message was sent', async () => {
    const debt = await contacted();
    const before = fake.requests.length;
    fake.next('no_answer');
    await says(debt, 'Quero pagar');
    const posts = fake.requests.slice(before).filter(({ path }) => path.endsWith('/messages'));
    expect(posts).toHaveLength(1);
    expect((await messagesOf(debt)).at(-1)).toMatchObject({ purpose: 'reply', delivery: 'unknown' });
    expect(await settingOf(debt)).toEqual({ on: true, refusal: null });
  });

  it('by a token that is wrong altogether stops the sender as ever, and keeps the setting', async () => {
    const debt = await contacted();
    fake.next('no_permission', 'wrong_token');
    await says(debt, 'Quero pagar');
    const [state] = await engine.query(debt, 'select state, reason from channel_senders where client_id = $1', [
      debt.clientId,
    ]);
    expect(state).toEqual({ state: 'failing', reason: 'unauthorized 190' });
    expect(await settingOf(debt)).toEqual({ on: true, refusal: null });
  });
});

describe('a later message', () => {
  /** The person has asked something, and the next message is due 23 hours later. */
  async function asked(): Promise<Person> {
    const debt = await contacted();
    await says(debt, 'Qual é o valor?');
    engine.clock.now += 23 * HOUR;
    await engine.query(debt, 'update debts set next_contact_at = null where id = $1', [debt.id]);
    return debt;
  }

  it('has the code within 24 hours of what the person wrote from that phone', async () => {
    const debt = await asked();
    await services.contactDebtor(engine.request(debt));
    const [order, ...more] = ordersTo(debt);
    expect(more).toEqual([]);
    const charge = await openCharge(debt);
    expect(codeIn(order)).toBe(charge.code);
    const message = (await messagesOf(debt)).at(-1);
    expect(message).toMatchObject({ purpose: 'collection', text: order?.['body'].text, chargeId: charge.id });
  });

  it('has the link alone where the code was replaced between the decision and the sending', async () => {
    const debt = await asked();
    let isBooked = false;
    const replace = () => engine.query(debt, 'update charges set superseded_at = now() where debt_id = $1', [debt.id]);
    const { payments } = engine.deps;
    const tenant: typeof payments.db.tenant = (clientId) => {
      const own = payments.db.tenant(clientId);
      const transactional: typeof own.transactional = async (work) => {
        if (isBooked) await replace();
        return own.transactional(work);
      };
      return Object.assign(Object.create(own), { transactional });
    };
    const db = Object.assign(Object.create(payments.db), { tenant });
    const late = engineServices({ ...engine.deps, payments: { ...payments, db }, sendersOf: async () => [sender] });
    await late.contactDebtor(engine.request(debt), () => {
      isBooked = true;
    });
    expect(ordersTo(debt)).toEqual([]);
    const message = (await messagesOf(debt)).at(-1);
    expect(message).toMatchObject({ purpose: 'collection', delivery: 'sent', chargeId: null });
  });

  it('has the link alone when the window closes meanwhile', async () => {
    const debt = await asked();
    fake.answerNext(graphError(131047));
    await services.contactDebtor(engine.request(debt));
    expect(ordersTo(debt)).toEqual([]);
    expect(to(debt).at(-1)?.body['type']).toBe('template');
    expect((await messagesOf(debt)).at(-1)).toMatchObject({ delivery: 'sent', chargeId: null });
  });
});

describe('a later message by a template', () => {
  /** The person has named a day, which has passed without a payment. */
  async function promised(): Promise<Person> {
    const debt = await contacted();
    await says(debt, 'Vou pagar na quinta-feira');
    engine.clock.now = WEDNESDAY + 5 * DAY;
    await engine.query(debt, 'update debts set next_contact_at = null where id = $1', [debt.id]);
    return debt;
  }

  it('has a button with the code for a person who has answered', async () => {
    const debt = await promised();
    await services.contactDebtor(engine.request(debt));
    const sent = to(debt).at(-1);
    const charge = await openCharge(debt);
    expect(codeOfButton(sent)).toBe(charge.code);
    const message = (await messagesOf(debt)).at(-1);
    expect(message).toMatchObject({ purpose: 'collection', delivery: 'sent', chargeId: charge.id, text: sent?.text });
    // Whoever holds the phone may see the message, so WhatsApp is not told the amount.
    expect(JSON.stringify(sent?.body)).not.toContain('total_amount');
  });

  it('is the one without a button while the other is not approved', async () => {
    const debt = await promised();
    const withButton = fake.templates.all.filter(({ name }) => name.includes('_pix_'));
    for (const template of withButton) template.status = 'PENDING';
    await services.contactDebtor(engine.request(debt));
    for (const template of withButton) template.status = 'APPROVED';
    const sent = to(debt).at(-1);
    expect(sent?.body['type']).toBe('template');
    expect(codeOfButton(sent)).toBeUndefined();
    expect((await messagesOf(debt)).at(-1)).toMatchObject({ delivery: 'sent', chargeId: null });
    expect(await settingOf(debt)).toEqual({ on: true, refusal: null });
  });
});

describe('an agreement', () => {
  it('has the code of the instalment that is due, in an answer and in a notice', async () => {
    const debt = await contacted({ dueDate: '2026-08-10' });
    await changeOffersPolicy(engine.ofApi)({
      clientId: debt.clientId,
      policy: { ...OFFERS_POLICY, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy,
      source: SOURCE,
    });
    await says(debt, 'Quero negociar, dá para parcelar?');
    await says(debt, 'Aceito a opção 2');
    expect(await engine.status(debt)).toBe('AGREEMENT');
    const [agreement] = await engine.query<{ id: string; instalments: { dueDate: string; amountCentavos: number }[] }>(
      debt,
      'select id, instalments from agreements where client_id = $1',
      [debt.clientId],
    );
    const [first] = agreement!.instalments;
    engine.clock.now = Date.parse(`${first!.dueDate}T14:00:00Z`);
    await services.followAgreement({
      clientId: debt.clientId,
      agreementId: agreement!.id,
      clock: { at: engine.clock.now, offsetMs: 0, exact: true },
      attemptKey: randomUUID(),
    });
    const sent = to(debt).at(-1);
    const message = (await messagesOf(debt)).at(-1);
    expect(message).toMatchObject({ purpose: 'agreement', delivery: 'sent' });
    const [charge] = await engine.query<{ code: string; amount: number; instalment: number }>(
      debt,
      `select br_code as code, amount_centavos::int as amount, instalment from charges where id = $1`,
      [message?.chargeId],
    );
    expect(charge).toMatchObject({ instalment: 1, amount: first!.amountCentavos });
    expect(codeOfButton(sent)).toBe(charge!.code);
    await says(debt, 'Quero pagar a parcela');
    const order = ordersTo(debt).at(-1);
    expect(codeIn(order)).toBe(charge!.code);
    expect(parametersOf(order)['total_amount'].value).toBe(first!.amountCentavos);
  });
});

describe('“É verdade?”', () => {
  const { checkContent } = createGenuineServices({
    ...engine.ofApi,
    isUnsubscribeSigned: null,
    fromAddress: null,
    takeFromGenuineRate: async () => {},
  });
  const isGenuine = async (content: string, kind: string): Promise<boolean> => {
    const answer = await checkContent({ content, rateKey: 'test' });
    return answer.genuine && answer.kind === kind && !answer.sandbox;
  };

  it('knows all that the fake has received above: texts, templates, orders, and the codes under them', async () => {
    const debt = await contacted();
    await says(debt, 'Qual é o valor?');
    await says(debt, 'Quero pagar');
    const kinds = new Set(to(debt).map(({ body }) => body['type']));
    expect([...kinds]).toEqual(['template', 'text', 'interactive']);
    const unknown: string[] = [];
    for (const { text } of fake.taken) if (!(await isGenuine(text, 'message'))) unknown.push(text);
    expect(unknown).toEqual([]);
    for (const order of ordersTo(debt)) expect(await isGenuine(codeIn(order), 'pix')).toBe(true);
  });
});
