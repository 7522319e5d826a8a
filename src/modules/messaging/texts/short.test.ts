import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fitsSms, STRICT_SEGMENTS, smsSize } from '../../../kernel/sms-text.ts';
import { INTENTS, QUESTION_TOPICS } from '../../debts/rules/intents.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import type { CollectionStep } from './collection-bodies.ts';
import { fitsShortTexts, SHORT_BODIES, shortCollectionMessage, shortReceiptMessage } from './short.ts';
import { shortReplyMessage } from './short-replies.ts';

const PAGE_URL = 'https://cobranca.example.com.br/checkout/7b0f3c1e-52d4-4c0e-9a37-1f6e0d2b8c45';
const FACTS: MessageFacts = {
  debtorName: 'JOSÉ ALVES',
  debtorIsCompany: false,
  creditor: {
    name: 'Clínica São João Ltda',
    cnpj: '12ABC34501DE35',
    address: 'Av. Brasil, 1290, Centro, Manaus/AM, CEP 69005-141',
    email: null,
  },
  amountCentavos: 123_456,
  dueDate: '2026-10-05',
  invoiceId: 'F-2041',
  description: null,
  together: null,
  disputed: null,
  checkoutUrl: PAGE_URL,
  shortUrl: 'https://cobranca.example.com.br/p/dew88HlLUTA6aNx9uDSuMRQ',
  brCode: '00020126580014br.gov.bcb.pix',
  receiptUrl: null,
};
const SEVERAL: MessageFacts = { ...FACTS, together: { count: 3, amountCentavos: 345_600 } };
const RECEIPT_URL =
  'https://cobranca.example.com.br/api/receipts/download/QT-2026-ABCDEFGHJK5?sig=abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE';
const STEPS = Object.keys(SHORT_BODIES) as CollectionStep[];
const ASKED = { intent: 'question', date: null, topics: [], mentionsDeath: false, situation: 'open' } as const;

const words = fc.array(fc.stringMatching(/^[A-Za-zãçéÀ.,&-]{1,14}$/), { minLength: 1, maxLength: 40 });
const line = (most: number) => words.map((parts) => parts.join(' ').slice(0, most).trim());
/** The short address of a page at hosts of 4 to 43 characters. */
const link = fc
  .integer({ min: 1, max: 40 })
  .map((length) => `https://${'q'.repeat(length)}.br/p/dew88HlLUTA6aNx9uDSuMRQ`);
const creditors = fc.record({
  name: line(200),
  cnpj: fc.constant('12ABC34501DE35'),
  address: line(400),
  email: fc.constantFrom(null, `${'f'.repeat(200)}@empresa.com.br`),
});
const facts = fc.record({
  debtorIsCompany: fc.boolean(),
  debtorName: fc.oneof(line(200), fc.constantFrom('Анна Иванова', 'ß'.repeat(40), '😀')),
  creditor: creditors,
  amountCentavos: fc.integer({ min: 1, max: 9_999_999_999 }),
  dueDate: fc.constant('2026-10-05'),
  invoiceId: fc.option(line(100)),
  description: fc.option(line(200)),
  together: fc.option(
    fc.record({ count: fc.integer({ min: 2, max: 999 }), amountCentavos: fc.constant(99_999_999_999) }),
  ),
  disputed: fc.option(line(400)),
  checkoutUrl: fc.constant(PAGE_URL),
  shortUrl: link,
  brCode: fc.constantFrom(null, '0'.repeat(300)),
  receiptUrl: fc.constantFrom(null, RECEIPT_URL),
});

describe('short collection messages', () => {
  it.each(STEPS.flatMap((step) => [FACTS, SEVERAL].map((debt) => [step, debt] as const)))(
    '%s carries the identity of the creditor, the link and the opt-out line in two segments',
    (step, debt) => {
      const text = shortCollectionMessage(step, debt);
      for (const part of [
        'Jose',
        'Clinica Sao Joao Ltda',
        'CNPJ 12.ABC.345/01DE-35',
        'Av. Brasil, 1290, Centro, Manaus/AM',
        FACTS.shortUrl,
        'responda PARAR',
      ])
        expect(text).toContain(part);
      expect(text).not.toMatch(/ALVES|R\$|05\/10|F-2041|00020126|checkout/);
      expect(smsSize(text, STRICT_SEGMENTS)).toMatchObject({ alphabet: 'gsm7', segments: 2 });
      expect(text.includes('3 pagamentos')).toBe(debt === SEVERAL && text.includes('pagamentos'));
    },
  );

  it('asks the first time whether the phone is the right one, when there is room for it', () => {
    expect(shortCollectionMessage('first', FACTS)).toContain('Se voce nao e Jose, avise.');
    const name = 'Comercial de Alimentos e Bebidas Bom Preço do Nordeste Ltda';
    const cramped = { ...FACTS, creditor: { ...FACTS.creditor, name } };
    expect(shortCollectionMessage('first', cramped)).toMatch(/^Comercial .*Bom Preco.*: Jose, ha .*AM.*PARAR\.$/);
    expect(shortCollectionMessage('first', cramped)).not.toContain('avise');
  });

  it('fit whatever the debtor is called, when the creditor fits', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...STEPS), (debt, step) => {
        fc.pre(fitsShortTexts(debt.creditor, debt.shortUrl).fits);
        expect(fitsSms(shortCollectionMessage(step, debt))).toBe(true);
      }),
    );
  });
});

describe('a creditor whose name and address are too long', () => {
  const long = { ...FACTS.creditor, name: 'Nome '.repeat(40).trim(), address: 'Rua '.repeat(60).trim() };

  it('does not fit, and is told by how much', () => {
    expect(fitsShortTexts(FACTS.creditor, FACTS.shortUrl)).toEqual({ fits: true });
    const answer = fitsShortTexts(long, FACTS.shortUrl);
    expect(answer).toMatchObject({ fits: false });
    expect(answer.fits ? 0 : answer.excess).toBeGreaterThan(280);
  });

  it('is told so exactly when one message to somebody does not fit', () => {
    const together = { count: 999, amountCentavos: 1 };
    const longest = { debtorName: 'M'.repeat(30), shortUrl: `https://q.example/p/${'x'.repeat(40)}` };
    const answers = Array.from({ length: 120 }, (_, length) => {
      const creditor = { ...FACTS.creditor, name: 'N'.repeat(length + 1) };
      const debts = [FACTS, { ...SEVERAL, together }].map((debt) => ({ ...debt, ...longest, creditor }));
      const fits = debts.every((debt) => STEPS.every((step) => fitsSms(shortCollectionMessage(step, debt))));
      expect(fitsShortTexts(creditor, longest.shortUrl).fits).toBe(fits);
      return fits;
    });
    expect(new Set(answers).size).toBe(2);
  });

  it('fits when it is shorter by what it was told', () => {
    fc.assert(
      fc.property(creditors, link, (creditor, page) => {
        const answer = fitsShortTexts(creditor, page);
        fc.pre(!answer.fits && answer.excess <= creditor.address.length);
        const excess = answer.fits ? 0 : answer.excess;
        const kept = creditor.address.length - excess;
        expect(fitsShortTexts({ ...creditor, address: creditor.address.slice(0, kept) }, page).fits).toBe(true);
        expect(fitsShortTexts({ ...creditor, address: creditor.address.slice(0, kept + 1) }, page).fits).toBe(false);
      }),
    );
  });

  it('never fits behind a link that is too long for a segment', () => {
    expect(fitsShortTexts(FACTS.creditor, `https://q.example/${'p'.repeat(160)}`).fits).toBe(false);
  });
});

describe('short replies', () => {
  it('fit in every situation, whatever the debt holds', () => {
    const request = fc.record({
      intent: fc.constantFrom(...INTENTS),
      date: fc.constantFrom(null, '2026-12-10'),
      topics: fc.uniqueArray(fc.constantFrom(...QUESTION_TOPICS), { maxLength: 4 }),
      mentionsDeath: fc.boolean(),
      situation: fc.constantFrom('open', 'exhausted', 'opted_out', 'wrong_person', 'paid', 'closed'),
    });
    fc.assert(
      fc.property(request, facts, (asked, debt) => {
        const text = shortReplyMessage(asked, debt);
        expect({ text, fits: fitsSms(text) }).toEqual({ text, fits: true });
        expect(text).not.toMatch(/\{\{|undefined|null/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('answer as many questions as fit', () => {
    const text = shortReplyMessage({ ...ASKED, topics: ['amount', 'due_date', 'cnpj'] }, FACTS);
    expect(text).toContain('R$ 1.234,56');
    expect(text).toContain('05/10/2026');
    expect(text).toContain('12.ABC.345/01DE-35');
    const long = shortReplyMessage({ ...ASKED, topics: ['fraud', 'bureau', 'amount'] }, FACTS);
    expect(long).toContain('desconfiar');
    expect(long).not.toContain('inadimplentes');
  });

  it('keep what was agreed rather than an answer that does not fit beside it', () => {
    const promised = { ...ASKED, intent: 'promise', date: '2026-12-10', topics: ['bureau', 'fraud'] } as const;
    expect(shortReplyMessage(promised, FACTS)).toContain('10/12/2026');
  });

  it('do not mention the debt after a wrong-person message', () => {
    for (const intent of INTENTS) {
      const text = shortReplyMessage({ ...ASKED, intent, topics: ['amount'], situation: 'wrong_person' }, FACTS);
      expect(text).not.toMatch(/Jose|Clinica|R\$|Pix|https/);
    }
  });

  it('contain the receipt once the debt is paid', () => {
    for (const debt of [FACTS, SEVERAL]) {
      const paid = { ...debt, receiptUrl: RECEIPT_URL };
      expect(shortReplyMessage({ ...ASKED, intent: 'other', situation: 'paid' }, paid)).toContain(RECEIPT_URL);
    }
  });

  it('say how to stop the messages, to everybody who may get more', () => {
    const ends = (request: Parameters<typeof shortReplyMessage>[0]) =>
      shortReplyMessage(request, FACTS).endsWith('Para sair, responda PARAR.');
    expect(ends({ ...ASKED, intent: 'promise', date: '2026-12-10' })).toBe(true);
    expect(ends({ ...ASKED, topics: ['fraud', 'bureau', 'privacy'] })).toBe(true);
    expect(ends({ ...ASKED, intent: 'opt_out' })).toBe(false);
  });
});

describe('the short receipt message', () => {
  it('names the amount, the protocol and the address of the document', () => {
    const text = shortReceiptMessage({ ...FACTS, receiptUrl: RECEIPT_URL }, 'QT-2026-ABCDEFGHJK5');
    expect(text).toMatch(/^Pagamento confirmado, Jose\. .*R\$ 1\.234,56 .*Clinica.*QT-2026-ABCDEFGHJK5: https/);
    expect(text).toContain(RECEIPT_URL);
  });

  it('fits for every debt', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(RECEIPT_URL, `https://q.example/${'r'.repeat(200)}`), (debt, receiptUrl) => {
        expect(fitsSms(shortReceiptMessage({ ...debt, receiptUrl }, 'QT-2026-ABCDEFGHJK5'))).toBe(true);
      }),
    );
  });
});
