import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { cpfOf } from '../../testing/debts.ts';
import { type Collector, collector, type Debt, ofKind, sent, startHeldApp } from '../../testing/engine-harness.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { pagePath } from '../../testing/pages.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startHeldApp());
const client = collector(await app.newClient());
await client.call('PUT', '/api/offers/policy', OFFERS_POLICY);
const today = localDate(Date.now(), -3);

let persons = 0;
/** A debt of R$ 1.000,00 that is late by 100 days, just contacted for the first time. */
async function contacted(of: Collector = client, given: object = {}): Promise<string> {
  persons += 1;
  const debtorCpf = cpfOf(310_000_000 + persons);
  const id = await of.launchOne(
    { debtorCpf, dueDate: addDays(today, -100), originalAmount: 1000, ...given },
    3_000 + persons,
  );
  await of.contacted(id);
  return id;
}
const replies = (debt: Debt): string[] => sent(debt, 'reply').map(({ text }) => text);
const answered = (debt: Debt): string[] =>
  [...sent(debt, 'reply'), ...sent(debt, 'opt_out_confirmation')].map(({ text }) => text);
const intents = (debt: Debt): string[] => ofKind(debt, 'message_received').map(({ intent }) => intent);

/** Says one thing after the other, each after the answer to the one before, and returns the debt with the last answer. */
async function talk(id: string, texts: readonly string[], of: Collector = client) {
  const before = replies(await of.debt(id)).length;
  let debt: Debt = await of.debt(id);
  for (const [at, text] of texts.entries()) {
    expect((await of.say(id, text)).status).toBe(202);
    debt = await of.reaches(id, `an answer to ${text}`, (one) => replies(one).length > before + at);
  }
  return { debt, reply: replies(debt).at(-1) ?? '' };
}
const inboxReasons = async (id: string, of: Collector = client): Promise<string[]> => {
  const { body } = await of.call('GET', '/api/inbox');
  return body.items
    .filter(({ debt }: { debt: { id: string } }) => debt.id === id)
    .map(({ reason }: { reason: string }) => reason);
};
const offersOf = async (id: string) => (await client.call('GET', `/api/debts/${id}/offers`)).body;
const agreements = async () => (await client.call('GET', '/api/agreements?limit=100')).body.items;
const agreementOf = async (id: string) =>
  (await agreements()).find(({ debtIds }: { debtIds: string[] }) => debtIds.includes(id));

describe('a wish to negotiate', () => {
  it('is answered by the numbered offers, and the debt is not held', async () => {
    const id = await contacted();
    const { debt, reply } = await talk(id, ['tem desconto? quero negociar']);
    expect(intents(debt)).toEqual(['negotiate']);
    expect(reply).toContain('Opção 1: R$ 700,00 à vista');
    expect(reply).toContain('com desconto de R$ 300,00');
    expect(reply).toContain('Opção 2: R$ 850,00 em 3 parcelas de R$ 283,33, a última de R$ 283,34');
    expect(reply).toContain('Opção 3: R$ 1.000,00 em 12 parcelas de R$ 83,33, a última de R$ 83,37');
    expect(reply).toContain('Responda com o número da opção');
    expect(reply).toContain(pagePath(id));
    expect(['IN_COLLECTION', 'EXHAUSTED']).toContain(debt.status);
    expect(await inboxReasons(id)).toEqual([]);
    expect((await offersOf(id)).items).toHaveLength(3);
  });

  it('waits for a person without a policy, as before', async () => {
    const other = collector(await app.newClient());
    const id = await contacted(other);
    const { debt, reply } = await talk(id, ['posso pagar 200 por mês'], other);
    expect(intents(debt)).toEqual(['negotiate']);
    expect(debt.status).toBe('ON_HOLD');
    expect(reply).toContain('passei o seu pedido');
    expect(reply).not.toContain('Opção');
    expect(await inboxReasons(id, other)).toEqual(['negotiate']);
  });

  it('waits for a person where the amount is above the policy, and the answer does not say why', async () => {
    const other = collector(await app.newClient());
    await other.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, personAbove: 500 });
    const id = await contacted(other);
    const { debt, reply } = await talk(id, ['quero negociar'], other);
    expect(debt.status).toBe('ON_HOLD');
    expect(reply).toContain('passei o seu pedido');
    expect(reply).not.toMatch(/Opção|500|limite/);
    expect(await inboxReasons(id, other)).toEqual(['negotiate']);
  });
});

describe('an acceptance', () => {
  it('by a number makes an agreement, and is confirmed with its words, number and first date', async () => {
    const id = await contacted();
    const { debt, reply } = await talk(id, ['quero negociar', 'aceito a 2, pode mandar o pix']);
    expect(intents(debt)).toEqual(['negotiate', 'accept_offer']);
    expect(debt.status).toBe('AGREEMENT');
    const agreement = await agreementOf(id);
    expect(agreement).toMatchObject({ status: 'ACTIVE', acceptedBy: 'message', total: 850 });
    expect(reply).toContain(agreement.protocol);
    expect(reply).toContain('1ª parcela: R$ 283,33');
    expect(reply).toContain('sem ânimo de novar');
    expect(reply).toContain(pagePath(id));
    const [row] = await app.query<{ accepted_text: string; heard: string }>(
      `select accepted_text, messages.text as heard from agreements join messages on messages.id = accepted_in
       where protocol = $1`,
      [agreement.protocol],
    );
    expect(reply).toContain(row!.accepted_text);
    expect(row!.heard).toContain('aceito a 2');
    expect(await inboxReasons(id)).toEqual([]);
  });

  it('that is no certain one is answered by the offers again', async () => {
    const id = await contacted();
    const { debt, reply } = await talk(id, ['quero negociar', 'aceita a 2?']);
    expect(intents(debt)).toEqual(['negotiate', 'negotiate']);
    expect(debt.status).not.toBe('AGREEMENT');
    expect(reply).toContain('preciso do número');
    expect(reply).toContain('Opção 1:');
    expect(await agreementOf(id)).toBeUndefined();
  });

  it('by a bare number answers the list alone', async () => {
    const id = await contacted();
    const { debt } = await talk(id, ['quero negociar', '1']);
    expect(debt.status).toBe('AGREEMENT');
    expect(await agreementOf(id)).toMatchObject({ total: 700 });
    const other = await contacted();
    await offersOf(other);
    const { debt: asked } = await talk(other, ['1']);
    expect(asked.status).not.toBe('AGREEMENT');
  });

  it('of an offer that ended is answered by new ones', async () => {
    const id = await contacted();
    await talk(id, ['quero negociar']);
    await app.query(`update offers set valid_until = valid_until - 400 where debt_id = $1`, [id]);
    const { debt, reply } = await talk(id, ['aceito a 2']);
    expect(debt.status).not.toBe('AGREEMENT');
    expect(reply).toContain('não vale mais');
    expect(reply).toContain('Opção 4:');
    expect(reply).not.toContain('Opção 2:');
  });

  it('in an agreement is answered by the next instalment', async () => {
    const id = await contacted();
    const { reply } = await talk(id, ['quero negociar', 'aceito a 3', 'aceito a 2']);
    const { protocol } = await agreementOf(id);
    expect(reply).toContain(`você já tem o acordo ${protocol}`);
    expect(reply).toContain('A parcela 1 de 12 é de R$ 83,33');
    const about = await talk(id, ['quanto falta?', 'me manda o pix']);
    expect(replies(about.debt).at(-2)).toContain(`Do acordo ${protocol} faltam R$ 1.000,00`);
    expect(about.reply).toContain('A parcela 1 de 12');
    expect(about.debt.status).toBe('AGREEMENT');
  });

  it('beside a request for silence is none', async () => {
    const id = await contacted();
    await talk(id, ['quero negociar']);
    await client.say(id, 'aceito a 2. parem de me mandar mensagem');
    const debt = await client.reaches(id, 'it is silent', ({ status }) => status === 'OPTED_OUT');
    expect(debt.status).toBe('OPTED_OUT');
    expect(await agreementOf(id)).toBeUndefined();
  });
});

describe('an acceptance among other things', () => {
  it('is confirmed also after the last answer of the day', async () => {
    const id = await contacted();
    const asked = ['quero negociar', 'qual o valor?', 'qual o cnpj de vocês', 'isso é golpe?', 'quando venceu?'];
    const { debt, reply } = await talk(id, [...asked, 'aceito a 2']);
    expect(replies(debt)).toHaveLength(6);
    expect(reply).toContain((await agreementOf(id)).protocol);
  });

  it.each([
    ['is confirmed all the same', 'obrigado'],
    ['is not confirmed to a person who asks for silence since', 'parem de me mandar mensagem'],
  ])('whose answer failed %s', async (_, more) => {
    const id = await contacted();
    const { reply } = await talk(id, ['quero negociar', 'aceito a 2']);
    const { protocol } = await agreementOf(id);
    // As an answer leaves it that certainly was not sent.
    await app.query(`update messages set text = 'not sent' where debt_id = $1 and text = $2`, [id, reply]);
    await app.query(
      `update messages set handled_at = null, answered = false where id = (select accepted_in from agreements where protocol = $1)`,
      [protocol],
    );
    await client.say(id, more);
    const debt = await client.reaches(id, 'an answer', (one) => answered(one).length === 3);
    expect(answered(debt).at(-1)?.includes('sem ânimo de novar')).toBe(more === 'obrigado');
    expect(await agreements()).toContainEqual(expect.objectContaining({ protocol, status: 'ACTIVE' }));
  });

  it('waits for the staff while they have the conversation', async () => {
    const id = await contacted();
    await talk(id, ['quero negociar']);
    const written = await client.call('POST', `/api/debts/${id}/messages`, {
      text: 'Oi, Maria! Vou ver o seu caso com calma e já volto.',
      confirm: true,
    });
    expect(written.status).toBe(202);
    await client.reaches(id, 'staff have written', (debt) => debt.timeline.some(({ author }) => author === 'staff'));
    await client.say(id, 'aceito a 2');
    const debt = await client.reaches(id, 'it is held', ({ status }) => status === 'ON_HOLD');
    expect(debt.status).toBe('ON_HOLD');
    expect(await agreementOf(id)).toBeUndefined();
    expect(await inboxReasons(id)).toEqual(['negotiate']);
  });
});

describe('a proposal', () => {
  it('is answered by the nearest offer as often as the policy says, and then by a person', async () => {
    const id = await contacted();
    const first = await talk(id, ['posso pagar 200 por mês']);
    expect(intents(first.debt)).toEqual(['propose']);
    expect(first.reply).toContain('Opção 1: R$ 1.000,00 em 5 parcelas de R$ 200,00');
    expect(first.reply).toContain('responda ACEITO 1');
    const second = await talk(id, ['só consigo 100 reais por mês']);
    expect(second.reply).toContain('Opção 2: R$ 1.000,00 em 10 parcelas de R$ 100,00');
    const third = await talk(id, ['consigo dar 50 por mês']);
    expect(third.debt.status).toBe('ON_HOLD');
    expect(third.reply).toContain('uma pessoa vai olhar');
    expect(await inboxReasons(id)).toEqual(['negotiate']);
  });

  it('that was answered can be accepted in one word', async () => {
    const id = await contacted();
    const { debt } = await talk(id, ['posso pagar 200 por mês', 'aceito']);
    expect(debt.status).toBe('AGREEMENT');
    expect(await agreementOf(id)).toMatchObject({ total: 1000, instalments: expect.any(Array) });
  });
});

describe('what a debtor may answer to the offers', () => {
  const LONGEST = '12 parcelas de R$ 83,33';
  /** What begins on a day that the policy waits for; the next one is a business day of its month. */
  const payday = addDays(today, 8);
  const dayOfMonth = Number(payday.slice(8));

  // Each goes from "quero negociar" to the agreement; what was proposed is accepted in one word.
  it.each([
    { says: '2', total: 850, count: 3 },
    { says: 'a segunda', total: 850, count: 3 },
    { says: 'pode ser à vista', total: 700, count: 1 },
    { says: 'quero parcelar em 5', near: '5 parcelas de R$ 200,00', total: 1000, count: 5 },
    { says: 'posso pagar 200 por mês', near: '5 parcelas de R$ 200,00', total: 1000, count: 5 },
    { says: `só dia ${dayOfMonth} que eu recebo`, near: 'R$ 700,00 à vista', total: 700, count: 1, from: payday },
    { says: 'tá caro', near: LONGEST, total: 1000, count: 12 },
  ])('"$says" leads to an agreement in at most three messages', async ({ says, near, total, count, from }) => {
    const id = await contacted();
    const texts = ['quero negociar', says, ...(near === undefined ? [] : ['aceito'])];
    expect(texts.length).toBeLessThanOrEqual(3);
    const { debt, reply } = await talk(id, texts);
    const agreement = await agreementOf(id);
    expect(agreement).toMatchObject({ total, acceptedBy: 'message' });
    expect(agreement.instalments).toHaveLength(count);
    expect(reply).toContain(agreement.protocol);
    expect(debt.status).toBe('AGREEMENT');
    if (near !== undefined) expect(replies(debt).at(-2)).toContain(near);
    if (from !== undefined) expect(agreement.instalments[0].dueDate >= from).toBe(true);
    expect(await inboxReasons(id)).toEqual([]);
  });

  it('that is too dear goes to a person when the policy has nothing cheaper, and makes no offer', async () => {
    const id = await contacted();
    const { debt, reply } = await talk(id, ['quero negociar', 'tá caro', 'tá caro ainda, não consigo esse valor']);
    expect(debt.status).toBe('ON_HOLD');
    expect(reply).toContain('uma pessoa vai olhar');
    expect(await inboxReasons(id)).toEqual(['negotiate']);
    expect((await offersOf(id)).items).toHaveLength(3);
  });

  it('counts as a round of the policy when it makes an offer, and the last is followed by a person', async () => {
    const id = await contacted();
    const { debt } = await talk(id, ['quero parcelar em 5', 'tá caro']);
    expect(replies(debt).at(-2)).toContain('Opção 1: R$ 1.000,00 em 5 parcelas de R$ 200,00');
    expect(replies(debt).at(-1)).toContain('Opção 2: R$ 1.000,00 em 6 parcelas de R$ 166,66');
    const third = await talk(id, ['quero em 8x']);
    expect(third.debt.status).toBe('ON_HOLD');
    expect(await inboxReasons(id)).toEqual(['negotiate']);
  });
});

describe('a sandbox debtor', () => {
  const agreedWith = async (ending: string) => {
    persons += 1;
    const id = await client.launchOne(
      {
        debtorCpf: cpfOf(310_000_000 + persons),
        debtorPhone: `+5511980${String(persons).padStart(2, '0')}${ending}`,
        dueDate: addDays(today, -100),
        originalAmount: 1000,
      },
      3_000 + persons,
    );
    await client.contacted(id);
    const debt = await client.reaches(
      id,
      'it is agreed and confirmed',
      (one) => one.status === 'AGREEMENT' && replies(one).length === 2,
    );
    const paid = () =>
      app.query<{ done: boolean }>(
        `select done_at is not null as done from sandbox_acts where debt_id = $1 and kind = 'pay'`,
        [id],
      );
    return { id, debt, agreement: await agreementOf(id), paid };
  };

  it.each([
    ['0007', 700, 1, ['negotiate', 'accept_offer'], 'COMPLETED'],
    ['0008', 1000, 12, ['negotiate', 'accept_offer'], 'BROKEN'],
    ['0009', 1000, 4, ['propose', 'accept_offer'], 'COMPLETED'],
  ])('%s agrees, and pays as its kind does', async (ending, total, instalments, said, status) => {
    const { id, debt, agreement, paid } = await agreedWith(ending);
    expect(intents(debt)).toEqual(said);
    expect(agreement).toMatchObject({ total, acceptedBy: 'message' });
    expect(agreement.instalments).toHaveLength(instalments);
    await until(`${ending} goes to pay`, async () => ((await paid()).some(({ done }) => done) ? true : null));
    expect(replies(await client.debt(id))).toHaveLength(2);
    // The clock, which stood still for the conversation, runs until the agreement has ended.
    await client.call('POST', `/api/sandbox/campaigns/${debt.campaignId}/clock`, { command: 'release' });
    const ended = await until(
      `the agreement of ${ending} is ${status}`,
      async () => {
        const shown = await agreementOf(id);
        return shown.status === 'ACTIVE' ? null : shown;
      },
      { timeoutMs: 90_000, everyMs: 100 },
    );
    expect(ended.status).toBe(status);
    const paidOf = ended.instalments.filter((one: { status: string }) => one.status === 'APPROVED').length;
    expect(paidOf).toBe(status === 'BROKEN' ? 1 : instalments);
    const after = await client.debt(id);
    expect(ofKind(after, 'agreement_broken')).toHaveLength(status === 'BROKEN' ? 1 : 0);
    if (status === 'COMPLETED') expect(after.status).toBe('PAID');
    else expect(sent(after, 'agreement').length).toBeGreaterThan(0);
  });
});
