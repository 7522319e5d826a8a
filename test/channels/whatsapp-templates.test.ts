import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { marketingWords } from '../../src/kernel/marketing-words.ts';
import { createRulesAgent } from '../../src/modules/agent/adapters/rules/rules-agent.ts';
import { intentOf } from '../../src/modules/messaging/adapters/whatsapp/button-payloads.ts';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import type { MessageTemplate } from '../../src/modules/messaging/ports/collection-agent.ts';
import type { TemplateText } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { AGREEMENT_NOTICES, agreementNotice } from '../../src/modules/messaging/texts/agreement-notice.ts';
import { receiptMessage } from '../../src/modules/messaging/texts/receipt.ts';
import { PIX_TEMPLATE_TEXTS, TEMPLATE_TEXTS } from '../../src/modules/messaging/texts/templates.ts';
import { CHANNEL_TEST_TEMPLATE } from '../../src/modules/messaging/texts/trial-message.ts';
import { startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { opened } from '../../testing/opened.ts';
import { DEBT } from '../agent/support.ts';

const TEXTS: readonly TemplateText[] = TEMPLATE_TEXTS;
const MAX_CHARACTERS = 1_024;
const rules = createRulesAgent();
const STEPS = (
  ['first', 'reminder', 'after_promise', 'after_dispute', 'after_said_paid', 'last', 'before_due'] as const
).flatMap((kind) =>
  (['friendly', 'neutral', 'firm'] as const).flatMap((tone) =>
    [0, 1].map((earlierReminders) => ({ kind, tone, earlierReminders })),
  ),
);
/** Names and an address as a careless client may write them, near the longest that occur. */
const CREDITOR = {
  ...DEBT.creditor,
  name: `Comércio  de\tAlimentos\n\n${'e Bebidas '.repeat(6)}Ltda`,
  address: `Avenida Presidente     Castelo Branco, 12345\r\n${'Bloco A, '.repeat(12)}São Luís/MA, CEP 65010-000`,
};
const CHECKOUT = `https://cobranca.${'empresa'.repeat(6)}.com.br/checkout/${randomUUID()}`;
const DEBTS = [DEBT, { ...DEBT, creditor: CREDITOR, shortUrl: CHECKOUT, debtorName: 'W'.repeat(40) }].flatMap((debt) =>
  [debt, { ...debt, debtorName: `Padaria\n  ${'Sol Nascente '.repeat(7)}`, debtorIsCompany: true }].flatMap((one) => [
    one,
    { ...one, together: { count: 999, amountCentavos: 9_999_999_999 } },
  ]),
);

type Filled = { readonly text: string; readonly template: MessageTemplate };
const collectionMessages = async (): Promise<Filled[]> => {
  const messages = DEBTS.flatMap((debt) => STEPS.map((step) => rules.compose(step, debt, [])));
  return (await Promise.all(messages)).map(({ text, template }) => ({ text, template: template! }));
};
const receipts = (): Filled[] =>
  DEBTS.map((debt) =>
    receiptMessage({ ...debt, receiptUrl: `${CHECKOUT}?sig=${'a'.repeat(64)}` }, 'QT-2026-ABCDEFGHJK5'),
  );

const notices = (): Filled[] =>
  DEBTS.flatMap((debt) =>
    AGREEMENT_NOTICES.map((notice) =>
      agreementNotice({ notice, instalment: 60, of: 60, dueDate: '2026-12-31', lastDay: '2027-01-15' }, debt),
    ),
  );

const fill = (body: string, parameters: readonly string[]): string =>
  body.replace(/\{\{(\d+)\}\}/g, (_, number: string) => parameters[Number(number) - 1]!);

describe('the template of a message', () => {
  it('says what the message says, for every step, tone and addressee', async () => {
    const used = new Set<string>();
    for (const { text, template } of [...(await collectionMessages()), ...receipts(), ...notices()]) {
      const approved = TEXTS.find(({ name }) => name === template.name);
      expect(fill(approved?.body ?? '', template.parameters)).toBe(text);
      expect(template.parameters).toHaveLength(approved!.examples.length);
      expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
      used.add(template.name);
    }
    expect([...used].sort()).toEqual(TEXTS.map(({ name }) => name).sort());
  });

  it('has no parameter that WhatsApp refuses', async () => {
    for (const { template } of [...(await collectionMessages()), ...receipts(), ...notices()]) {
      for (const parameter of template.parameters)
        expect(parameter).not.toMatch(/[\p{Cc}\u2028\u2029]| {2}|^\s|\s$|^$/u);
    }
  });
});

describe.each(TEXTS.map((text) => [text.name, text] as const))('the template %s', (name, text) => {
  const { body, examples, buttons, document } = text;
  const pieces = body.split(/\{\{\d+\}\}/);
  const words = (piece: string): number => (piece.match(/[\p{L}\p{N}]+/gu) ?? []).length;

  it('has a name, a length and placeholders that Meta takes', () => {
    expect(name).toMatch(/^[a-z0-9_]{1,512}$/);
    expect(name).toMatch(/_v\d+$/);
    expect(body.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(fill(body, examples).length).toBeLessThanOrEqual(MAX_CHARACTERS);
    const numbers = [...body.matchAll(/\{\{(\d+)\}\}/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(examples.map((_, index) => index + 1));
    expect(body.replace(/\{\{\d+\}\}/g, '')).not.toMatch(/[{}]/);
  });

  it('has words before, between and after its values, and enough of them', () => {
    // A value followed by punctuation alone counts as the end of the text.
    for (const piece of pieces) expect(words(piece)).toBeGreaterThan(0);
    expect(pieces.reduce((sum, piece) => sum + words(piece), 0)).toBeGreaterThanOrEqual(4 * examples.length);
    expect(body).not.toMatch(/\n{3}|\t| {4}|^\s|\s$/);
  });

  it('has plausible examples, and the buttons of a message that collects', () => {
    for (const example of examples) expect(example).toMatch(/^\S(?:[^\n\t]*\S)?$/);
    const expected = [
      ['Pagar', 'wants_to_pay'],
      ['Já paguei', 'already_paid'],
      ['Não sou eu', 'wrong_person'],
      ['Parar', 'opt_out'],
    ];
    expect(buttons.map(({ title, intent }) => [title, intent])).toEqual(document ? [] : expected);
    for (const { title } of buttons) expect(title.length).toBeLessThanOrEqual(25);
    expect(document).toBe(name.startsWith('quita_receipt_'));
  });
});

const fake = await opened(startFakeWhatsApp());
fake.templates.firstStatus = 'APPROVED';
const channel = createWhatsAppChannel({ baseUrl: fake.baseUrl, templates: TEXTS });

it('no template, example or button has a word that would make it marketing', () => {
  for (const { name, body, buttons, examples } of [...TEMPLATE_TEXTS, ...PIX_TEMPLATE_TEXTS, CHANNEL_TEST_TEMPLATE]) {
    const texts = [body, ...examples, ...buttons.map(({ title }) => title)];
    expect({ name, words: texts.flatMap(marketingWords) }).toEqual({ name, words: [] });
  }
});

describe('at WhatsApp', () => {
  it('a text with such a word is not even asked for, and the others are created', async () => {
    const [first, second] = TEXTS;
    const offering = {
      ...first!,
      name: 'quita_offering_v1',
      body: `${first!.body} Aproveite o DESCONTO desta página.`,
    };
    const asked = fake.requests.length;
    await expect(channel.templates!.push([offering, second!], fake.credentials)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/quita_offering_v1 .*Aproveite.*DESCONTO/),
    });
    const created = fake.requests.slice(asked).filter(({ method }) => method === 'POST');
    expect(created.map(({ body }) => JSON.parse(body.toString()).name)).toEqual([second!.name]);
  });

  it('all are created, and a debtor reads exactly the text that is kept', async () => {
    await channel.templates!.push(TEXTS, fake.credentials);
    const names = TEXTS.map(({ name }) => name);
    const states = await channel.templates!.states(names, fake.credentials);
    expect(states).toEqual(names.map((name) => ({ name, state: 'approved', reason: null, isMarketing: false })));
    const messages = [...(await collectionMessages()), ...receipts(), ...notices()];
    for (const [index, { text, template }] of messages.entries()) {
      const isReceipt = template.name.startsWith('quita_receipt_');
      const file = {
        filename: 'quitacao.pdf',
        contentType: 'application/pdf',
        content: Buffer.from('%PDF-1.7'),
        url: CHECKOUT,
      };
      await channel.send({
        id: randomUUID(),
        to: { phone: `+55619${String(80_000_000 + index)}` },
        text,
        template: { ...template, language: 'pt_BR' },
        ...(isReceipt ? { document: file } : {}),
        context: {
          clientId: randomUUID(),
          debtId: randomUUID(),
          purpose: isReceipt ? 'receipt' : 'collection',
          at: new Date(),
        },
        credentials: fake.credentials,
      });
    }
    expect(fake.taken.map(({ text }) => text)).toEqual(messages.map(({ text }) => text));
    const payloads = JSON.stringify(fake.taken[0]?.body).match(/quita:\w+/g) ?? [];
    expect(payloads.map(intentOf)).toEqual(['wants_to_pay', 'already_paid', 'wrong_person', 'opt_out']);
  });
});
