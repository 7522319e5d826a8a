import { readFileSync } from 'node:fs';
import type { Conversation, DebtFacts, Understanding } from '../../src/modules/messaging/ports/collection-agent.ts';

export const TODAY = '2026-11-18';

/** The Friday after `TODAY` is a national holiday. */
export const isBusinessDay = (date: string): boolean => {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && date !== '2026-11-20';
};

export const DEBT: DebtFacts = {
  debtId: '7b0f3c1e-0000-4000-8000-000000000001',
  debtorName: 'MARIA DAS DORES PEREIRA',
  debtorIsCompany: false,
  creditor: {
    name: 'Escola Azul Ltda',
    cnpj: '11222333000181',
    address: 'Rua das Laranjeiras, 120, Centro, Recife/PE, 50010-000',
    email: 'financeiro@escolaazul.com.br',
  },
  amountCentavos: 123456,
  dueDate: '2026-10-05',
  invoiceId: 'F-2041',
  description: null,
  together: null,
  disputed: null,
  checkoutUrl: 'https://quita.example/checkout/7b0f3c1e-0000-4000-8000-000000000001',
  shortUrl: 'https://quita.example/p/dew88HgAAQACAAAAAAAAAAQ',
  brCode: null,
  receiptUrl: null,
  situation: 'open',
};

export const BARE_DEBT: DebtFacts = {
  ...DEBT,
  creditor: { name: 'Escola Azul Ltda', cnpj: null, address: null, email: null },
  invoiceId: null,
  description: null,
};

export const CONVERSATION: Conversation = {
  debtId: DEBT.debtId,
  debtorName: DEBT.debtorName,
  today: TODAY,
  isBusinessDay,
  turns: [{ from: 'creditor', text: 'Olá, Maria! Há um pagamento em aberto em seu nome.', at: 0 }],
};

export const UNDERSTOOD: Understanding = {
  intent: 'other',
  date: null,
  confidence: 1,
  also: [],
  topics: [],
  mentionsDeath: false,
};

export interface Attack {
  readonly text: string;
  /** What a model that obeys the attacker would add to its answer. */
  readonly obeyed: string;
}

export const readAttacks = (): Attack[] =>
  readFileSync(new URL('../../agent/attacks/attacks.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Attack);
