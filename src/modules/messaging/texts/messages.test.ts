import { describe, expect, it } from '@jest/globals';
import { patternsOf } from '../../../kernel/message-guard.ts';
import { stripAccents } from '../../../kernel/portuguese-text.ts';
import { INTENTS } from '../../debts/rules/intents.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { collectionMessage } from './collection.ts';
import { COLLECTION_BODIES, OPT_OUT_LINE } from './collection-bodies.ts';
import { saysOptOutToday } from './known-facts.ts';
import { receiptMessage } from './receipt.ts';
import { replyMessage } from './replies.ts';
import { LAUNCH_TEXTS } from './templates.ts';
import { fillTemplate, placeholdersOf } from './values.ts';

const FACTS: MessageFacts = {
  debtorName: 'JOSÉ ALVES',
  debtorIsCompany: false,
  creditor: { name: 'Clínica Boa', cnpj: '12ABC34501DE35', address: 'Av. Brasil, 9, Centro, Manaus/AM', email: null },
  amountCentavos: 5,
  dueDate: '2026-10-05',
  invoiceId: null,
  description: null,
  together: null,
  disputed: null,
  checkoutUrl: 'https://q.example/checkout/1',
  shortUrl: 'https://q.example/p/1',
  brCode: null,
  receiptUrl: null,
};
const ASKED = { intent: 'question', date: null, topics: [], mentionsDeath: false, situation: 'open' } as const;

describe('collection messages', () => {
  const all = Object.entries(COLLECTION_BODIES).flatMap(([step, tones]) =>
    Object.keys(tones).map((tone) => [step, tone] as [keyof typeof COLLECTION_BODIES, 'friendly' | 'neutral' | 'firm']),
  );

  it.each(all)('%s %s contains the identity of the creditor, the link and the opt-out line', (step, tone) => {
    const { text, template } = collectionMessage(step, tone, FACTS);
    for (const part of [
      'José',
      'Clínica Boa',
      '12.ABC.345/01DE-35',
      'Av. Brasil, 9',
      `\n${FACTS.shortUrl}\n`,
      'responda PARAR',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/ALVES|R\$|05\/10/);
    expect(template.name).toMatch(new RegExp(`^quita_${step}_.*v3$`));
    expect(template.parameters).toEqual([
      'José',
      'Clínica Boa',
      FACTS.shortUrl,
      ...(step === 'first' ? ['José'] : []),
      'Clínica Boa',
      '12.ABC.345/01DE-35',
      'Av. Brasil, 9, Centro, Manaus/AM',
    ]);
  });

  it('address a company by its whole name, and do not ask the reader to be it', () => {
    const company = { ...FACTS, debtorName: 'Posto 24 Horas Ltda', debtorIsCompany: true };
    const first = collectionMessage('first', 'friendly', company);
    expect(first.text).toMatch(/^Olá! Esta mensagem é para o financeiro da Posto 24 Horas Ltda\. /);
    expect(first.text).toContain('Se este número não é da empresa, por favor, avise');
    expect(first.text).not.toMatch(/tudo bem|Não é Posto|em seu nome/);
    expect(first.template.name).toBe('quita_first_friendly_company_v3');
    for (const [step, tone] of all) {
      for (const together of [null, { count: 2, amountCentavos: 10 }]) {
        const { text } = collectionMessage(step, tone, { ...company, together }, 1);
        expect(text).toMatch(/^Olá! Esta mensagem é para o financeiro da Posto 24 Horas Ltda\. /);
      }
    }
    expect(replyMessage({ ...ASKED, intent: 'wants_to_pay' }, company)).toContain('Que bom, Posto 24 Horas Ltda!');
  });

  it('of one sequence are all different, and so are the short ones that follow each other', () => {
    const { steps } = loadPolicy().sequence;
    const messages = steps.map(({ kind, tone }, index) =>
      collectionMessage(kind, tone, FACTS, steps.slice(0, index).filter((step) => step.kind === 'reminder').length),
    );
    expect(new Set(messages.map(({ text }) => text)).size).toBe(steps.length);
    for (const [index, { short }] of messages.slice(1).entries()) expect(short).not.toBe(messages[index]!.short);
  });
});

it('the templates that a channel approves for a launch offer nothing', () => {
  const texts = LAUNCH_TEXTS.flatMap(({ body, buttons }) => [body, ...buttons.map(({ title }) => title)]);
  const offersIn = (text: string) =>
    patternsOf('offer').filter((pattern) => pattern.test(stripAccents(text).toLowerCase()));
  for (const text of texts) expect({ text, offers: offersIn(text) }).toEqual({ text, offers: [] });
  expect(offersIn('Podemos parcelar.')).not.toEqual([]);
});

describe('replies', () => {
  it('say once a day how to stop the messages', () => {
    const request = { ...ASKED, intent: 'wants_to_pay' } as const;
    expect(replyMessage(request, FACTS)).toContain('responda PARAR');
    expect(replyMessage({ ...request, optOutSaid: true }, FACTS)).not.toContain('PARAR');
    const turn = (at: string, text: string) => ({ from: 'creditor', at: Date.parse(at), text }) as const;
    const told = turn('2026-12-10T02:00:00Z', `Oi\n\n${OPT_OUT_LINE}`);
    expect(saysOptOutToday({ today: '2026-12-09', turns: [told, turn('2026-12-10T02:10:00Z', 'Oi')] })).toBe(true);
    expect(saysOptOutToday({ today: '2026-12-10', turns: [told] })).toBe(false);
  });

  it('never say that somebody was told, because a mail follows later or not at all', () => {
    for (const intent of INTENTS) {
      for (const situation of ['open', 'exhausted', 'opted_out', 'wrong_person', 'paid', 'closed'] as const) {
        expect(replyMessage({ ...ASKED, intent, situation }, FACTS)).not.toMatch(/avis(ei|amos|ad[oa])/i);
      }
    }
  });

  it('answer several questions at once, at most three', () => {
    const text = replyMessage({ ...ASKED, topics: ['amount', 'due_date', 'cnpj', 'fraud'] }, FACTS);
    expect(text).toContain('R$ 0,05');
    expect(text).toContain('05/10/2026');
    expect(text).toContain('12.ABC.345/01DE-35');
    expect(text).not.toContain('desconfiar');
  });

  it('do not mention the debt after a wrong-person message', () => {
    for (const intent of ['wrong_person', 'question', 'other', 'opt_out', 'wants_to_pay'] as const) {
      const text = replyMessage({ ...ASKED, intent, topics: ['amount'], situation: 'wrong_person' }, FACTS);
      expect(text).not.toMatch(/José|Clínica|R\$|Pix|https/);
    }
  });

  it('contain the receipt once the debt is paid', () => {
    const paid = { ...FACTS, receiptUrl: 'https://q.example/r/1?sig=x' };
    expect(replyMessage({ ...ASKED, intent: 'other', situation: 'paid' }, paid)).toContain(paid.receiptUrl);
  });

  it('name the day of a promise, and ask for a missing day', () => {
    expect(replyMessage({ ...ASKED, intent: 'promise', date: '2026-12-10' }, FACTS)).toContain('10/12/2026');
    expect(replyMessage({ ...ASKED, intent: 'promise' }, FACTS)).toContain('Em que dia');
  });
});

describe('what a client has written', () => {
  it('stands on one line in every message', () => {
    const creditor = {
      ...FACTS.creditor,
      name: ' Clínica\n\tBoa ',
      address: 'Av. Brasil,     9\r\nCentro\u2028Manaus',
    };
    const { text, short, template } = collectionMessage('first', 'firm', { ...FACTS, creditor });
    expect(template.parameters).toContain('Clínica Boa');
    expect(template.parameters).toContain('Av. Brasil, 9 Centro Manaus');
    expect(text).toContain('Credor: Clínica Boa · CNPJ 12.ABC.345/01DE-35 · Endereço: Av. Brasil, 9 Centro Manaus\n');
    expect(short).toContain('Av. Brasil, 9 Centro Manaus');
  });
});

describe('parts', () => {
  it('refuses a placeholder without a value', () => {
    expect(() => fillTemplate('{{cpf}}', {})).toThrow('cpf');
    expect(placeholdersOf('{{a}} {{b}} {{a}}')).toEqual(['a', 'b']);
  });

  it('does not fill placeholders inside a value', () => {
    expect(fillTemplate('{{a}}', { a: '{{b}} $& $1', b: 'x' })).toBe('{{b}} $& $1');
  });

  it('sends the receipt with amount, protocol and link', () => {
    const { text, short, template } = receiptMessage(
      { ...FACTS, receiptUrl: 'https://q.example/r/1' },
      'QT-2026-AAAAAAAAAAB',
    );
    expect(text).toMatch(/José.*R\$ 0,05.*QT-2026-AAAAAAAAAAB.*https:\/\/q\.example\/r\/1/);
    expect(short).toMatch(/^Pagamento confirmado, Jose\. .*QT-2026-AAAAAAAAAAB: https:\/\/q\.example\/r\/1$/);
    expect(template.parameters).toEqual([
      'José',
      'R$ 0,05',
      'Clínica Boa',
      'QT-2026-AAAAAAAAAAB',
      'https://q.example/r/1',
    ]);
  });
});
