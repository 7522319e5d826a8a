import { describe, expect, it } from '@jest/globals';
import { guardMessage } from '../../../kernel/message-guard.ts';
import { fitsSms } from '../../../kernel/sms-text.ts';
import { replyRules } from '../../agent/adapters/guarded/guard-rules.ts';
import { attachmentReply } from './replies.ts';

const facts = {
  debtId: '00000000-0000-4000-8000-000000000000',
  debtorName: 'Maria da Silva',
  debtorIsCompany: false,
  creditor: { name: 'Escola Aurora', cnpj: '11222333000181', address: 'Rua A, 1', email: null },
  amountCentavos: 15_075,
  dueDate: '2026-10-05',
  invoiceId: null,
  description: null,
  together: null,
  disputed: null,
  checkoutUrl: 'https://quita.example/checkout/1',
  shortUrl: 'https://quita.example/p/1',
  brCode: null,
  receiptUrl: null,
  situation: 'open',
} as const;
const OTHER = { intent: 'other', date: null, confidence: 1, also: [], topics: [], mentionsDeath: false } as const;

describe('the answer to a file without words', () => {
  const { text, short } = attachmentReply(facts);

  it('says who will see it, names no amount, and says how to stop the messages', () => {
    expect(text).toMatch(/^Recebi o arquivo, Maria\. Uma pessoa da Escola Aurora vai ver\.\n\n/);
    expect(guardMessage(text, replyRules(OTHER, facts))).toEqual([]);
    expect(guardMessage(short, replyRules(OTHER, facts, 'short'))).toEqual([]);
  });

  it('fits into an SMS, whatever the creditor is called', () => {
    expect(short).toMatch(/^Recebi o arquivo, Maria\. Uma pessoa da Escola Aurora vai ver\. Para sair/);
    const long = attachmentReply({ ...facts, creditor: { ...facts.creditor, name: 'Escola '.repeat(28) } });
    expect(fitsSms(long.short)).toBe(true);
  });
});
