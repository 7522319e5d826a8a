import { describe, expect, it } from '@jest/globals';
import { guardMessage } from '../../src/kernel/message-guard.ts';
import { fitsSms } from '../../src/kernel/sms-text.ts';
import { replyRules } from '../../src/modules/agent/adapters/guarded/guard-rules.ts';
import { createGuardedAgent } from '../../src/modules/agent/adapters/guarded/guarded-agent.ts';
import { createRulesAgent } from '../../src/modules/agent/adapters/rules/rules-agent.ts';
import { planInstalments } from '../../src/modules/agreements/rules/instalments.ts';
import { acceptedText } from '../../src/modules/agreements/texts/accepted-text.ts';
import { type Intent, QUESTION_TOPICS } from '../../src/modules/debts/rules/intents.ts';
import type { CollectionAgent, Conversation, DebtFacts } from '../../src/modules/messaging/ports/collection-agent.ts';
import type { AgreementInWords, OfferInWords, OffersAnswer } from '../../src/modules/messaging/rules/offers-answer.ts';
import { listedIn, offerLine } from '../../src/modules/messaging/texts/offers.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { BARE_DEBT, CONVERSATION, DEBT, UNDERSTOOD } from './support.ts';

const calendar = { holidays: loadPolicy().holidays, states: ['SP'] as const };
const rules = createRulesAgent();
const offer = (number: number, count: number, entry: number | null = null, total = 85_000): OfferInWords => ({
  number,
  totalCentavos: total,
  discountCentavos: count > 3 ? 0 : 15_000,
  instalments: planInstalments(total, count, entry, '2026-12-01', calendar),
  validUntil: '2026-12-01',
});
const OFFERS = [offer(1, 1), offer(2, 3), offer(3, 10, 20_000)];
const LONGEST = offer(7, 60, 123_456, 9_999_999);
const accepted = (one: OfferInWords): OffersAnswer => ({
  kind: 'accepted',
  protocol: 'AC-2026-ABCDEFGHJK5',
  words: acceptedText({
    creditorName: DEBT.creditor.name,
    invoices: ['F-2041'],
    totalCentavos: one.totalCentavos,
    discountCentavos: one.discountCentavos,
    instalments: one.instalments,
    breachAfterDays: 15,
    afterBreach: 'restore',
  }),
  totalCentavos: one.totalCentavos,
  first: one.instalments[0]!,
});
const AGREEMENT: AgreementInWords = {
  protocol: 'AC-2026-ABCDEFGHJK5',
  restCentavos: 56_667,
  count: 3,
  next: { number: 2, dueDate: '2027-01-04', amountCentavos: 28_333 },
  isLate: false,
};
const AGREEMENTS = [
  AGREEMENT,
  { ...AGREEMENT, isLate: true },
  { ...AGREEMENT, count: 1, next: { ...AGREEMENT.next!, number: 1 } },
  { ...AGREEMENT, restCentavos: 0, next: null },
];
const ANSWERS: readonly OffersAnswer[] = [
  ...(['asked', 'ended', 'unclear'] as const).flatMap((because) =>
    [OFFERS, [OFFERS[2]!], [LONGEST]].map((offers) => ({ kind: 'list', because, offers }) as const),
  ),
  ...(['amount', 'wish', 'too_dear'] as const).flatMap((to) =>
    [OFFERS[1]!, LONGEST].map((one) => ({ kind: 'near', to, offers: [one] }) as const),
  ),
  accepted(OFFERS[0]!),
  accepted(OFFERS[2]!),
  accepted(LONGEST),
];
const ASKED = { ...UNDERSTOOD, intent: 'negotiate' } as const;
const LISTED: DebtFacts = { ...DEBT, offered: { kind: 'list', because: 'asked', offers: OFFERS } };

describe('answers about offers and agreements', () => {
  const facts: DebtFacts[] = [DEBT, BARE_DEBT].flatMap((debt) => [
    ...ANSWERS.map((offered) => ({ ...debt, offered })),
    ...AGREEMENTS.map((agreement) => ({ ...debt, agreement })),
    ...AGREEMENTS.map((agreement) => ({ ...debt, agreement, brCode: '00020126580014br.gov.bcb.pix' })),
    ...AGREEMENTS.map((agreement) => ({ ...debt, agreement, offered: { kind: 'agreed' } as const })),
  ]);

  it('pass the guard, and the short ones fit into an SMS', async () => {
    const intents: readonly Intent[] = [
      'negotiate',
      'propose',
      'accept_offer',
      'question',
      'wants_to_pay',
      'promise',
      'other',
    ];
    for (const debt of facts) {
      for (const intent of intents) {
        for (const topic of [null, ...QUESTION_TOPICS]) {
          const understanding = { ...UNDERSTOOD, intent, topics: topic === null ? [] : [topic] };
          const { text, short } = await rules.reply(understanding, debt, CONVERSATION);
          expect({ text, problems: guardMessage(text, replyRules(understanding, debt)) }).toEqual({
            text,
            problems: [],
          });
          const ofShort = guardMessage(short, replyRules(understanding, debt, 'short'));
          expect({ short, problems: ofShort, fits: fitsSms(short) }).toEqual({ short, problems: [], fits: true });
        }
      }
    }
  });

  it('name every offer with its number, sum, discount, instalments and days', async () => {
    const { text } = await rules.reply(ASKED, LISTED, CONVERSATION);
    for (const line of [
      'Opção 1: R$ 850,00 à vista, para pagar até 01/12/2026, com desconto de R$ 150,00. Vale até 01/12/2026.',
      'Opção 2: R$ 850,00 em 3 parcelas de R$ 283,33, a última de R$ 283,34, a primeira em 01/12/2026, com desconto de R$ 150,00. Vale até 01/12/2026.',
      'Opção 3: R$ 850,00 com entrada de R$ 200,00 e mais 9 parcelas de R$ 72,22, a última de R$ 72,24, a primeira em 01/12/2026. Vale até 01/12/2026.',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).toContain(DEBT.shortUrl);
    const { text: done } = await rules.reply(ASKED, { ...DEBT, offered: accepted(LONGEST) }, CONVERSATION);
    expect(done).toContain('60ª parcela:');
    expect(done).toContain('AC-2026-ABCDEFGHJK5');
    expect(done.length).toBeLessThan(4_096);
  });

  it('are known as a list by exactly their terms alone', async () => {
    const { text, short } = await rules.reply(ASKED, LISTED, CONVERSATION);
    expect(listedIn(text, OFFERS)).toEqual([1, 2, 3]);
    expect(listedIn(short, OFFERS)).toEqual([1, 2, 3]);
    expect(listedIn('Opção 1: metade à vista. Opção 2: em 10x.', OFFERS)).toEqual([]);
    expect(listedIn(offerLine(OFFERS[1]!), [{ ...OFFERS[1]!, totalCentavos: 85_001 }])).toEqual([]);
  });
});

describe('the guard', () => {
  const problems = (text: string, debt: DebtFacts) => guardMessage(text, replyRules(ASKED, debt, 'full', true));

  it('lets the amounts and dates of the offers and of the agreement pass', () => {
    for (const text of ['São R$ 850,00.', 'O primeiro é de R$ 283,33, em 01/12/2026.', 'São R$ 72,22 por vez.']) {
      expect([text, problems(text, LISTED)]).toEqual([text, []]);
      expect([text, problems(text, DEBT)]).not.toEqual([text, []]);
    }
    const agreed = { ...DEBT, agreement: AGREEMENT };
    expect(problems('Faltam R$ 566,67, e R$ 283,33 até 04/01/2027.', agreed)).toEqual([]);
  });

  it.each([
    'São R$ 849,99.',
    'Dou 50% de desconto.',
    'Dou um desconto.',
    'Pode ser em 2 parcelas.',
    'Fecho por R$ 85,00.',
    'Vale até 02/12/2026.',
    'Opção 4: R$ 850,00 à vista.',
    'A entrada fica de graça.',
  ])('refuses any other promise: %s', (text) => {
    for (const debt of [LISTED, { ...DEBT, agreement: AGREEMENT }, { ...DEBT, offered: accepted(OFFERS[1]!) }]) {
      expect(problems(text, debt)).not.toEqual([]);
    }
  });

  it('sends the template where a brain promises more', async () => {
    const promising: CollectionAgent = {
      ...rules,
      reply: async (...given) => {
        const own = await rules.reply(...given);
        return { ...own, text: `${own.text}\nPara você faço R$ 10,00.` };
      },
    };
    const refused: string[] = [];
    const agent = createGuardedAgent({ brain: promising, rules, onRefused: (found) => refused.push(...found) });
    expect(await agent.reply(ASKED, LISTED, CONVERSATION)).toEqual(await rules.reply(ASKED, LISTED, CONVERSATION));
    expect(refused).toContain('number');
  });
});

describe('a brain that understands offers', () => {
  const conversation: Conversation = {
    ...CONVERSATION,
    offers: {
      standing: OFFERS.map(({ number, instalments }) => ({ number, instalments: instalments.length })),
      listed: [1, 2, 3],
    },
  };
  const understands = (intent: Intent) =>
    createGuardedAgent({ brain: { ...rules, understand: async () => ({ ...UNDERSTOOD, intent }) }, rules });

  it('accepts nothing by itself: the rules have to read it too', async () => {
    for (const text of ['aceita a 2?', 'não aceito a 2', 'vou pensar na segunda opção', 'oi']) {
      const understood = await understands('accept_offer').understand(text, conversation);
      expect(understood).toMatchObject({ intent: 'negotiate', offerOpen: 'unclear' });
      expect(understood.offerNumber).toBeUndefined();
    }
    const proposed = await understands('propose').understand('oi', conversation);
    expect(proposed).toMatchObject({ intent: 'negotiate' });
  });

  it('does not hide an acceptance or a proposal, unless a person or silence comes first', async () => {
    for (const intent of ['question', 'wants_to_pay', 'other'] as const) {
      const agent = understands(intent);
      expect(await agent.understand('aceito a 2', conversation)).toMatchObject({ offerNumber: 2 });
      expect(await agent.understand('posso pagar 200 por mês', conversation)).toMatchObject({
        proposal: { monthlyCentavos: 20_000 },
      });
    }
    for (const intent of ['dispute', 'hardship', 'wrong_person', 'opt_out'] as const) {
      const understood = await understands(intent).understand('aceito a 2', conversation);
      expect(understood).toMatchObject({ intent });
      expect(understood.offerNumber).toBeUndefined();
    }
  });
});
