import { describe, expect, it } from '@jest/globals';
import { fitsSms } from '../../../kernel/sms-text.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { OPT_OUT_LINE } from './collection-bodies.ts';
import { dueReminder, dueReminderTemplate } from './due-reminder.ts';
import { REMINDER_TEXTS } from './templates.ts';
import { fillTemplate, messageValues, SHORT_OPT_OUT_LINE } from './values.ts';

const FACTS: MessageFacts = {
  debtorName: 'Maria da Silva',
  debtorIsCompany: false,
  creditor: {
    name: 'Escola Aurora Ltda',
    cnpj: '11222333000181',
    address: 'Rua das Laranjeiras, 120, Centro, Recife/PE, CEP 50010-000',
    email: null,
  },
  amountCentavos: 15_075,
  dueDate: '2026-12-10',
  invoiceId: null,
  description: null,
  together: null,
  disputed: null,
  checkoutUrl: 'https://cobranca.example.com.br/checkout/7b0f3c1e-52d4-4c0e-9a37-1f6e0d2b8c45',
  shortUrl: 'https://quita.example/p/dew88HlLUTA6aNx9uDSuMRQ',
  brCode: null,
  receiptUrl: null,
};
const several = { count: 3, amountCentavos: 45_000 };
const company = { debtorName: 'Padaria Sol Nascente Ltda', debtorIsCompany: true };
const ALL: readonly MessageFacts[] = [
  FACTS,
  { ...FACTS, together: several },
  { ...FACTS, ...company },
  { ...FACTS, ...company, together: several },
];

const OF_COLLECTION =
  /d[ií]vida|d[ée]bito|atras|cobran[cç]|pend[êe]n|em aberto|vencid|inadimpl|credor|devedor|quitar|regulariz/i;

describe('a reminder before the due date', () => {
  it('has no word of what is owed, late or collected, and neither amount nor date, in every form', () => {
    for (const facts of ALL) {
      const { text, short } = dueReminder(facts);
      for (const form of [text.replace(facts.shortUrl, ''), short.replace(facts.shortUrl, '')]) {
        expect(form).not.toMatch(OF_COLLECTION);
        expect(form).not.toMatch(/150,75|450,00|10\/12/);
      }
    }
    for (const { body } of REMINDER_TEXTS) expect(body).not.toMatch(OF_COLLECTION);
  });

  it('says who writes and how to end the messages, and leads to the page', () => {
    for (const facts of ALL) {
      const { text, short, template } = dueReminder(facts);
      for (const part of ['Escola Aurora Ltda', '11.222.333/0001-81', 'Rua das Laranjeiras', facts.shortUrl]) {
        expect(text).toContain(part);
        expect(short).toContain(part);
      }
      expect(text).toContain(OPT_OUT_LINE);
      expect(short).toContain(SHORT_OPT_OUT_LINE);
      expect(fitsSms(short)).toBe(true);
      const { name, body } = dueReminderTemplate(facts);
      expect([template.name, text]).toEqual([name, fillTemplate(body, messageValues(facts))]);
      expect(body).not.toMatch(/^\{\{|\}\}$/);
    }
    expect(new Set(REMINDER_TEXTS.map(({ name }) => name)).size).toBe(4);
  });
});
