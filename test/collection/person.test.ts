import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { contactDebtor } from '../../src/modules/collection/contact/contact-debtor.ts';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { askAs } from '../../testing/database.ts';
import { DAY, type GivenDebt, HOUR, type MadeDebt, openEngine, somebody, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { pageIn, pagePath } from '../../testing/pages.ts';
import { until } from '../../testing/poll.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

/** Debts of one person with one client, in the same campaign. */
async function debtsOfOne(count: number, given: GivenDebt = {}): Promise<MadeDebt[]> {
  const person = { ...somebody(), ...given };
  const first = await engine.debt(person);
  const { clientId, campaignId } = first;
  const debts = [first];
  while (debts.length < count) debts.push(await engine.debt({ ...person, clientId, campaignId }));
  return debts;
}

const set = (debt: MadeDebt, values: string, params: unknown[] = []) =>
  engine.query(debt, `update debts set ${values} where id = $1`, [debt.id, ...params]);

interface Entry {
  readonly kind: string;
  readonly at: Date;
  readonly data: { readonly messageId?: string; readonly allowed?: boolean };
}
const eventsOf = (debt: MadeDebt): Promise<Entry[]> =>
  engine.query<Entry>(debt, 'select kind, at, data from debt_events where debt_id = $1 order by seq', [debt.id]);
const stepOf = async (debt: MadeDebt): Promise<number> =>
  (await engine.query<{ step: number }>(debt, 'select step from debts where id = $1', [debt.id]))[0]?.step ?? -1;
const nextOf = async (debt: MadeDebt): Promise<number> =>
  (
    await engine.query<{ at: Date }>(debt, 'select next_contact_at as at from debts where id = $1', [debt.id])
  )[0]?.at?.getTime() ?? 0;

describe('a message for one debt', () => {
  it('speaks of all open debts of the person, counts once and advances each', async () => {
    const debts = await debtsOfOne(3);
    const [one, two, three] = debts as [MadeDebt, MadeDebt, MadeDebt];
    await engine.contact(one);
    expect(engine.sent).toHaveLength(1);
    expect(engine.sent[0]?.text).toContain('3 pagamentos em aberto');
    expect(pageIn(engine.sent[0]!.text)?.kind).toBe('person');
    expect(engine.sent[0]?.text).not.toContain(one.id);
    expect((await engine.ledger(one)).filter(({ kind }) => kind === 'booking')).toHaveLength(1);
    for (const debt of debts) {
      expect(await stepOf(debt)).toBe(1);
      expect(await engine.status(debt)).toBe('IN_COLLECTION');
      expect(await nextOf(debt)).toBeGreaterThan(WEDNESDAY + DAY);
    }
    const told = await Promise.all(debts.map(eventsOf));
    const shared = told.map((events) =>
      events
        .filter(({ kind }) => kind === 'verdict' || kind === 'message_sent')
        .map(({ kind, at, data }) => ({ kind, at, messageId: data.messageId })),
    );
    expect(shared[0]).toHaveLength(2);
    expect(shared[1]).toEqual(shared[0]);
    expect(shared[2]).toEqual(shared[0]);
    // The workflows of the others find their next moment later, without a word about it.
    const before = engine.sent.length;
    expect(timerOf(await engine.contact(two))).toBe(await nextOf(two));
    expect(timerOf(await engine.contact(three))).toBe(await nextOf(three));
    expect(engine.sent).toHaveLength(before);
    expect(await eventsOf(two)).toHaveLength(told[1]?.length ?? 0);
  });

  it('leaves out a debt whose sequence is used up, because its last message said that none follows', async () => {
    const [one, done] = (await debtsOfOne(2)) as [MadeDebt, MadeDebt];
    // So it stands between its last message and its end.
    await set(done, `step = 6, status = 'IN_COLLECTION'`);
    await engine.contact(one);
    expect(engine.sent[0]?.text).toContain('um pagamento em aberto');
    expect(await stepOf(done)).toBe(6);
  });

  it('leaves out what may not be spoken of: not due, disputed, paused, prescribed, of another client', async () => {
    const [one, future, disputed, old] = (await debtsOfOne(4)) as [MadeDebt, MadeDebt, MadeDebt, MadeDebt];
    const person = (
      await engine.query<{ cpf: string; phone: string }>(
        one,
        'select debtor_tax_id as cpf, debtor_phone as phone from debts where id = $1',
        [one.id],
      )
    )[0]!;
    const paused = await engine.debt({ ...person, clientId: one.clientId });
    await engine.debt(person);
    await set(future, `due_date = '2026-12-20'`);
    await set(disputed, `status = 'DISPUTED'`);
    await set(old, `due_date = '2021-01-05'`);
    await engine.query(paused, `update campaigns set status = 'PAUSED' where id = $1`, [paused.campaignId]);
    await engine.contact(one);
    expect(engine.sent[0]?.text).toContain('um pagamento em aberto');
    expect(engine.sent[0]?.text).toContain(pagePath(one.id));
    for (const debt of [future, disputed, old, paused]) expect(await stepOf(debt)).toBe(0);
  });

  it('is booked once when the workflows of all debts ask at the same moment', async () => {
    const debts = await debtsOfOne(6);
    await Promise.all(debts.map((debt) => engine.contact(debt)));
    expect(engine.sent).toHaveLength(1);
    for (const debt of debts) expect(await stepOf(debt)).toBe(1);
  });

  it('that is the last of the sequence leaves no refusal on the timelines of the others', async () => {
    const debts = await debtsOfOne(6);
    for (const debt of debts) await set(debt, 'step = 5');
    await Promise.all(debts.map((debt) => engine.contact(debt)));
    expect(engine.sent).toHaveLength(1);
    for (const debt of debts) {
      expect(await engine.status(debt)).toBe('EXHAUSTED');
      expect((await engine.verdicts(debt)).map(({ allowed }) => allowed)).toEqual([true]);
    }
  });

  it('that surely failed counts for none of the debts', async () => {
    const debts = await debtsOfOne(2);
    engine.failNext(new MessagingError('retryable', 'busy'));
    await engine.contact(debts[0]!);
    expect((await engine.ledger(debts[0]!)).filter(({ kind }) => kind === 'booking')).toEqual([]);
    for (const debt of debts) {
      expect(await stepOf(debt)).toBe(0);
      expect(await nextOf(debt)).toBeLessThan(WEDNESDAY + HOUR);
    }
  });

  it('whose worker died after booking is shown as unknown on every timeline', async () => {
    const debts = await debtsOfOne(2);
    const attempt = randomUUID();
    const never = { ...engine.channel, send: () => new Promise<never>(() => {}) };
    const sender = { channel: never, credentials: null, id: null, number: null };
    const dying = { ...engine.deps, sendersOf: async () => [sender] };
    void contactDebtor(dying)(engine.request(debts[0]!, WEDNESDAY, attempt));
    await until('it is booked', async () => (await engine.deliveries(debts[0]!)).length > 0);
    await engine.contact(debts[0]!, WEDNESDAY, attempt);
    expect(engine.sent).toEqual([]);
    for (const debt of debts) {
      expect((await eventsOf(debt)).filter(({ kind }) => kind === 'message_sent')).toHaveLength(1);
      expect(await stepOf(debt)).toBe(1);
    }
  });

  it('moves the clocks of sandbox debts to its moment, which no timeline passes backwards', async () => {
    const [one, ahead] = (await debtsOfOne(2, { sandbox: true })) as [MadeDebt, MadeDebt];
    const later = WEDNESDAY + 5 * DAY;
    await set(ahead, 'last_event_at = $2', [new Date(later)]);
    await engine.contact(one);
    const sent = async (debt: MadeDebt) => (await eventsOf(debt)).find(({ kind }) => kind === 'message_sent')?.at;
    expect((await sent(one))?.getTime()).toBe(later);
    expect(await sent(ahead)).toEqual(await sent(one));
  });

  it('of a client with forty debts takes no more of the person’s week than that of a client with one', async () => {
    const person = somebody();
    const debts = await debtsOfOne(40, person);
    const other = await engine.debt(person);
    for (const debt of debts) await engine.contact(debt);
    const step = await engine.contact(other);
    expect((await engine.verdicts(other)).at(-1)).toMatchObject({ allowed: false, rules: ['scheduling'] });
    // The next business day, because 20 November is a holiday and the weekend follows.
    expect(timerOf(step)).toBeLessThan(WEDNESDAY + 2 * DAY);
  });
});

describe('what the debtor says about one debt', () => {
  it.each([
    ['a promise', 'Vou pagar no dia 30/11', 'PROMISED'],
    ['hardship', 'Estou desempregado, sem dinheiro nem para comer', 'ON_HOLD'],
    ['the request to negotiate', 'Quero um desconto para fazer um acordo', 'ON_HOLD'],
    ['the request for a person', 'Quero falar com um atendente', 'ON_HOLD'],
    ['a dispute that names no debt', 'Não reconheço essa dívida', 'DISPUTED'],
    ['an opt-out', 'PARAR', 'OPTED_OUT'],
  ])('%s counts for all of them', async (_, words, status) => {
    const debts = await debtsOfOne(3);
    await engine.contact(debts[0]!);
    await engine.hear(debts[0]!, words);
    for (const debt of debts) expect(await engine.status(debt)).toBe(status);
    const other = await engine.debt(somebody());
    expect(await engine.status(other)).toBe('QUEUED');
  });

  it('that it is paid silences all of them for two business days', async () => {
    const [one, two] = (await debtsOfOne(2)) as [MadeDebt, MadeDebt];
    await engine.contact(one);
    await engine.hear(one, 'Já paguei isso');
    await set(two, `next_contact_at = null`);
    const sent = engine.sent.length;
    await engine.contact(two, WEDNESDAY + DAY);
    expect(engine.sent).toHaveLength(sent);
    expect((await engine.verdicts(two)).at(-1)).toMatchObject({ allowed: false });
    expect((await engine.verdicts(two)).at(-1)?.rules).toContain('said_paid');
  });

  it('a dispute holds the debt that it names, and the answer says which', async () => {
    const [one, two, three] = (await debtsOfOne(3)) as [MadeDebt, MadeDebt, MadeDebt];
    await set(two, `invoice_id = 'F-2041'`);
    await engine.contact(one);
    await engine.hear(one, 'Não reconheço a fatura F-2041, nunca contratei isso');
    expect(await engine.status(two)).toBe('DISPUTED');
    expect(await engine.status(one)).toBe('IN_COLLECTION');
    expect(await engine.status(three)).toBe('IN_COLLECTION');
    expect(engine.sent.at(-1)?.text).toContain('não concorda com a fatura F-2041');
  });
});

describe('an answer', () => {
  it('speaks of all debts that have fallen due, also at night', async () => {
    const [one, , future] = (await debtsOfOne(3)) as [MadeDebt, MadeDebt, MadeDebt];
    await set(future, `due_date = '2026-12-20'`);
    engine.clock.now = WEDNESDAY + 13 * HOUR;
    await engine.hear(one, 'Qual é o valor?');
    expect(engine.sent.at(-1)?.text).toContain('São 2 pagamentos em aberto, que somam R$ 301,50');
  });

  it('about a debt that is paid does not say that nothing is open', async () => {
    const [paid] = (await debtsOfOne(2)) as [MadeDebt, MadeDebt];
    await set(paid, `status = 'PAID'`);
    await engine.hear(paid, 'Oi, está tudo certo?');
    expect(engine.sent.at(-1)?.text).toContain('está confirmado');
    expect(engine.sent.at(-1)?.text).toContain('O que ainda está em aberto');
    expect(engine.sent.at(-1)?.text).not.toContain('não há nada a pagar');
  });
});

describe('PARAR', () => {
  it('silences the phone as well, whatever person the next message is meant for', async () => {
    const { phone } = somebody();
    const one = await engine.debt({ ...somebody(), phone });
    const relative = await engine.debt({
      ...somebody(),
      phone,
      clientId: one.clientId,
      campaignId: one.campaignId,
    });
    const elsewhere = await engine.debt({ ...somebody(), phone });
    await engine.hear(one, 'PARAR');
    const confirmations = engine.sent.length;
    await engine.contact(relative);
    expect(engine.sent).toHaveLength(confirmations);
    expect((await engine.verdicts(relative)).at(-1)).toMatchObject({ allowed: false, rules: ['opt_out'] });
    expect(await engine.requests.checkEligibility({ clientId: relative.clientId, debtId: relative.id })).toMatchObject({
      allowed: false,
      rules: ['opt_out', 'exhausted'],
    });
    // Another client that sends from a number of its own was not told.
    await engine.contact(elsewhere);
    expect(engine.sent).toHaveLength(confirmations + 1);
  });
});

describe('another person on the phone who asks for silence', () => {
  it('silences the phone for everybody, and the debtor by no other phone', async () => {
    const phone = somebody().phone;
    const debtor = somebody();
    const one = await engine.debt({ ...debtor, phone });
    const { clientId, campaignId } = one;
    const relative = await engine.debt({ ...somebody(), phone, clientId, campaignId });
    const otherPhone = await engine.debt({ ...debtor, phone: somebody().phone, clientId, campaignId });
    await engine.hear(one, 'Esse número não é dessa pessoa, parem de mandar mensagem');
    expect(await engine.status(one)).toBe('STOPPED');
    const answers = engine.sent.length;
    await engine.contact(relative);
    expect(engine.sent).toHaveLength(answers);
    expect((await engine.verdicts(relative)).at(-1)).toMatchObject({ allowed: false, rules: ['opt_out'] });
    await engine.contact(otherPhone);
    expect(engine.sent).toHaveLength(answers + 1);
  });
});

describe('the gate reads the inbox', () => {
  it('and sends nothing while a message of the person waits, whichever debt it came to', async () => {
    const [one, two] = (await debtsOfOne(2)) as [MadeDebt, MadeDebt];
    await engine.services.receiveMessage({
      clientId: two.clientId,
      debtId: two.id,
      channel: 'sandbox',
      channelMessageId: randomUUID(),
      text: 'PARAR',
    });
    const step = await engine.contact(one);
    expect(engine.sent).toEqual([]);
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ allowed: false, rules: ['inbox'] });
    expect(timerOf(step)).toBe(WEDNESDAY + 5 * 60_000);
  });

  it('and sends nothing while a notification about a payment of one of the debts waits', async () => {
    const [one, two] = (await debtsOfOne(2)) as [MadeDebt, MadeDebt];
    const charge = randomUUID();
    await engine.query(
      two,
      `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
         amount_centavos, expires_at) values ($1, $2, $3, 1, 'sandbox', 'sbx_1', 'sbx_1', 'PENDING', 15075, quita_now() + interval '1 day')`,
      [charge, two.clientId, two.id],
    );
    await askAs(
      engine.url,
      'quita_app',
      `select note_notified_payments(array['sbx_1'], array['r'], array[null]::text[], 300)`,
    );
    await engine.contact(one);
    expect(engine.sent).toEqual([]);
    expect((await engine.verdicts(one)).at(-1)).toMatchObject({ allowed: false, rules: ['inbox'] });
  });
});

describe('after a partial payment', () => {
  it('every text names the amount that is still open, also for several debts together', async () => {
    const [one, two] = (await debtsOfOne(2)) as [MadeDebt, MadeDebt];
    await engine.query(
      one,
      `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
         amount_centavos, paid_centavos, underpaid_at, paid_at, credited_on, expires_at)
       values ($1, $2, $3, 1, 'sandbox', 'sbx_2', 'sbx_2', 'PENDING', 15075, 5000, quita_now(), quita_now(),
         quita_now()::date, quita_now() + interval '1 day')`,
      [randomUUID(), one.clientId, one.id],
    );
    await engine.hear(one, 'Qual é o valor?');
    // 150,75 less 50,00, and 150,75 of the other debt.
    expect(engine.sent.at(-1)?.text).toContain('que somam R$ 251,50');
    await set(two, `status = 'PAID'`);
    await engine.hear(one, 'E qual é o valor agora?');
    expect(engine.sent.at(-1)?.text).toContain('O valor é R$ 100,75');
  });
});
