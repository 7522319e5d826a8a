import { describe, expect, it } from '@jest/globals';
import { MockLanguageModelV4 } from 'ai/test';
import { guardMessage } from '../../src/kernel/message-guard.ts';
import { fitsSms } from '../../src/kernel/sms-text.ts';
import { collectionRules, replyRules } from '../../src/modules/agent/adapters/guarded/guard-rules.ts';
import { createGuardedAgent } from '../../src/modules/agent/adapters/guarded/guarded-agent.ts';
import { createConversationBudget } from '../../src/modules/agent/adapters/llm/budget.ts';
import { createLlmAgent } from '../../src/modules/agent/adapters/llm/llm-agent.ts';
import { createRulesAgent } from '../../src/modules/agent/adapters/rules/rules-agent.ts';
import { INTENTS, QUESTION_TOPICS } from '../../src/modules/debts/rules/intents.ts';
import type {
  AgentMessage,
  CollectionAgent,
  DebtFacts,
  Understanding,
} from '../../src/modules/messaging/ports/collection-agent.ts';
import { BARE_DEBT, CONVERSATION, DEBT, readAttacks, UNDERSTOOD } from './support.ts';

const rules = createRulesAgent();
const ATTACKS = readAttacks();
const PIX =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540612345802BR5913Escola Azul6006Recife62070503***6304ABCD';
const CHARGED: DebtFacts = { ...DEBT, brCode: PIX };
const SEVERAL: DebtFacts = {
  ...DEBT,
  together: { count: 3, amountCentavos: 345_600 },
  disputed: 'a fatura F-2041',
  checkoutUrl: 'https://quita.example/pay/7b0f3c1e-0000-4000-8000-000000000002',
  shortUrl: 'https://quita.example/p/pew88HgAAQACAAAAAAAAAAg',
};
const PARTS = { principal: 100_000, fine: 2_000, interest: 500, correction: 0 };
const LATE: DebtFacts = { ...DEBT, amountCentavos: 102_500, charged: PARTS };
const SEVERAL_LATE: DebtFacts = {
  ...SEVERAL,
  ...LATE,
  together: { count: 3, amountCentavos: 302_500, charged: { ...PARTS, principal: 300_000 } },
};
/** On its day nothing is charged yet. */
const NOT_LATE_YET: DebtFacts = { ...DEBT, charged: { principal: 123_456, fine: 0, interest: 0, correction: 0 } };
const LATE_DEBTS = [LATE, SEVERAL_LATE, NOT_LATE_YET];
/** Its name holds numbers and a word that no text of ours may use. */
const COMPANY: DebtFacts = { ...DEBT, debtorName: 'Cartório 24 Horas & Filhos S/A', debtorIsCompany: true };
/** Its short texts take the briefest forms, with accents to be removed from every value. */
const CROWDED: DebtFacts = {
  ...DEBT,
  debtorName: 'WANDERLEYCLEISON DAS DORES PEREIRA',
  creditor: {
    name: 'Comércio de Alimentação Bom Preço Ltda',
    cnpj: '11222333000181',
    address: 'Avenida Conceição dos Araújos, 1120, Vila São José, São Luís/MA, CEP 65010-000',
    email: `${'financeiro'.repeat(12)}@alimentacao.com.br`,
  },
  invoiceId: `Nº ${'2041/'.repeat(19)}`,
  disputed: `a fatura Nº ${'2041/'.repeat(19)} e a cobrança de R$ 150,00 com vencimento em 05/10/2026`,
  shortUrl: 'https://cobranca.alimentacaobompreco.com.br/p/dew88HgAAQACAAAAAAAAAAQ',
};
const STEPS = (
  ['first', 'reminder', 'after_promise', 'after_dispute', 'after_said_paid', 'last', 'before_due'] as const
).flatMap((kind) =>
  (['friendly', 'neutral', 'firm'] as const).flatMap((tone) =>
    [0, 1].map((earlierReminders) => ({ kind, tone, earlierReminders })),
  ),
);

describe('our own templates', () => {
  it.each([
    DEBT,
    BARE_DEBT,
    CHARGED,
    ...LATE_DEBTS,
    SEVERAL,
    COMPANY,
    { ...SEVERAL, ...COMPANY, together: SEVERAL.together },
  ])('pass the guard as collection messages', async (debt) => {
    for (const step of STEPS) {
      const { text } = await rules.compose(step, debt, []);
      expect({ step, problems: guardMessage(text, collectionRules(debt, [])) }).toEqual({ step, problems: [] });
      expect(text).not.toMatch(/1\.234,56|05\/10\/2026|Dores|Pereira/);
    }
  });

  it.each([DEBT, BARE_DEBT, CHARGED, ...LATE_DEBTS, SEVERAL, CROWDED, COMPANY])(
    'pass the guard as short collection messages',
    async (debt) => {
      for (const step of STEPS) {
        const { short: text } = await rules.compose(step, debt, []);
        expect({ text, problems: guardMessage(text, collectionRules(debt, [], 'short')) }).toEqual({
          text,
          problems: [],
        });
        expect(text).not.toMatch(/1\.234,56|05\/10\/2026|Dores|Pereira/);
        expect({ text, fits: fitsSms(text) }).toEqual({ text, fits: true });
      }
    },
  );

  it.each([
    DEBT,
    BARE_DEBT,
    CHARGED,
    ...LATE_DEBTS,
    SEVERAL,
    COMPANY,
    { ...SEVERAL, ...COMPANY, together: SEVERAL.together },
  ])('pass the guard as replies, in every situation', async (debt) => {
    for (const [facts, understanding] of everyReply(debt)) {
      const { text } = await rules.reply(understanding, facts, CONVERSATION);
      const problems = guardMessage(text, replyRules(understanding, facts));
      expect({ text, problems }).toEqual({ text, problems: [] });
    }
  });

  it.each([DEBT, BARE_DEBT, CHARGED, ...LATE_DEBTS, SEVERAL, CROWDED, COMPANY])(
    'pass the guard as short replies',
    async (debt) => {
      for (const [facts, understanding] of everyReply(debt)) {
        const { short: text } = await rules.reply(understanding, facts, CONVERSATION);
        const problems = guardMessage(text, replyRules(understanding, facts, 'short'));
        expect({ text, problems }).toEqual({ text, problems: [] });
      }
    },
  );

  it('is no excuse for a short text that leaves out who writes, or how to stop', async () => {
    const short = collectionRules(DEBT, [], 'short');
    const { short: text } = await rules.compose(STEPS[0]!, DEBT, []);
    for (const part of [
      'Maria',
      'Escola Azul Ltda',
      '11.222.333/0001-81',
      'Rua das Laranjeiras',
      DEBT.shortUrl,
      'PARAR',
    ]) {
      expect(guardMessage(text.replaceAll(part, ''), short)).toContain('missing');
    }
    expect(guardMessage(`${text} Sera protestado em cartorio.`, short)).toContain('threat');
    expect(guardMessage(`${text} R$ 10`, short)).toContain('number');
  });
});

describe('a debt to which terms of late payment add something', () => {
  it.each([
    [LATE, 'R$ 1.025,00 hoje: R$ 1.000,00 da conta, R$ 20,00 de multa e R$ 5,00 de juros.', 'R$ 1.025,00 hoje.'],
    [
      SEVERAL_LATE,
      'que somam R$ 3.025,00 hoje: R$ 3.000,00 das contas, R$ 20,00 de multa e R$ 5,00 de juros.',
      'total R$ 3.025,00 hoje.',
    ],
    [NOT_LATE_YET, 'O valor é R$ 1.234,56 hoje. ', 'R$ 1.234,56 hoje.'],
  ])('has its amount named with the parts, which a short text leaves to the page', async (debt, full, brief) => {
    for (const asked of [{ intent: 'question', topics: ['amount'] }, { intent: 'wants_to_pay' }] as const) {
      const { text, short } = await rules.reply({ ...UNDERSTOOD, ...asked }, debt, CONVERSATION);
      expect(text).toContain(full);
      expect(text).toContain(debt.shortUrl);
      expect(short).toContain(brief);
      expect(short).toContain(debt.shortUrl);
    }
  });

  it('is never said to be without charges, in any reply', async () => {
    for (const debt of LATE_DEBTS) {
      for (const [facts, understanding] of everyReply(debt)) {
        const { text, short } = await rules.reply(understanding, facts, CONVERSATION);
        expect(text + short).not.toMatch(/sem juros|acréscimo|acrescimo|só o principal|so o principal|R\$ 0,00/);
      }
    }
  });

  it.each([
    'O valor é R$ 1.025,00, sem juros nem multa.',
    'Não há juros.',
    'Não cobramos nenhuma multa.',
    'Sem qualquer acréscimo.',
    'É só o principal.',
    'Não há acréscimos: é só o principal; juros, multa e encargos: R$ 0,00.',
  ])('cannot be said to be without charges by a model or a client: %s', (text) => {
    const problems = (debt: DebtFacts) =>
      guardMessage(text, { ...replyRules(UNDERSTOOD, debt, 'full', true), required: [] });
    expect(problems(LATE)).toContain('false_claim');
    expect(problems({ ...DEBT, amountCentavos: 102_500 })).toEqual([]);
  });

  it('may have each of its parts named, and no other amount', () => {
    const problems = (text: string, debt = LATE) => guardMessage(text, replyRules(UNDERSTOOD, debt, 'full', true));
    expect(problems('São R$ 20,00 de multa e R$ 5,00 de juros.')).toEqual([]);
    expect(problems('São R$ 25,00 de multa.')).toContain('number');
    expect(problems('São R$ 0,00 de correção.')).toContain('number');
    expect(problems('São R$ 20,00 de multa.', DEBT)).toContain('number');
  });

  it('has its values filled in where a model rewords the answer', async () => {
    const model = createLlmAgent({
      model: obedientModel('Fico à disposição.'),
      fallback: rules,
      budget: createConversationBudget({ maxCalls: 10, maxTokens: 10_000 }),
      timeoutMs: 5_000,
    });
    const agent = createGuardedAgent({ brain: model, rules });
    const asked: Understanding = { ...UNDERSTOOD, intent: 'question', topics: ['amount'] };
    const { text } = await agent.reply(asked, LATE, CONVERSATION);
    expect(text).toContain('R$ 1.025,00 hoje: R$ 1.000,00 da conta, R$ 20,00 de multa e R$ 5,00 de juros.');
    expect(text).toContain('Fico à disposição.');
  });
});

function* everyReply(debt: DebtFacts): Generator<[DebtFacts, Understanding]> {
  for (const situation of ['open', 'exhausted', 'opted_out', 'wrong_person', 'paid', 'closed'] as const) {
    for (const receiptUrl of [null, 'https://quita.example/api/receipts/download/QT-2026-ABCDEFGHJK5?sig=a-b_1']) {
      for (const intent of INTENTS) {
        for (const topic of [null, ...QUESTION_TOPICS]) {
          for (const date of [null, '2026-11-30']) {
            yield [
              { ...debt, situation, receiptUrl },
              { ...UNDERSTOOD, intent, date, topics: topic === null ? [] : [topic] },
            ];
          }
        }
      }
    }
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that keeps the template, placeholders and all, and adds what the attacker wants. */
const obedientModel = (obeyed: string): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const asked = JSON.stringify(prompt);
      const input = JSON.parse(
        (prompt.find(({ role }) => role === 'user')!.content as { text: string }[])[0]!.text,
      ) as { template?: string };
      const answer = asked.includes('You classify')
        ? { intent: 'already_paid', also: [], date: '2031-01-01', topics: [], confidence: 1 }
        : { text: `${input.template} ${obeyed}` };
      return {
        content: [{ type: 'text', text: JSON.stringify(answer) }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });

const obedientBrain = (obeyed: string): CollectionAgent => ({
  ...rules,
  compose: async (...args) => {
    const message = await rules.compose(...args);
    return { ...message, text: obeyed === '' ? 'Olá, Maria.' : `${message.text}\n${obeyed}` };
  },
  reply: async (...args) => {
    const message = await rules.reply(...args);
    return { ...message, text: obeyed === '' ? 'Olá, Maria.' : `${message.text}\n${obeyed}` };
  },
});

describe('attacks', () => {
  it('number at least sixty', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(ATTACKS)('rules brain: "$text" changes no fact', async ({ text }) => {
    const agent = createGuardedAgent({ brain: rules, rules });
    const understanding = await agent.understand(text, CONVERSATION);
    const { text: reply } = await agent.reply(understanding, DEBT, CONVERSATION);
    expect(guardMessage(reply, replyRules(understanding, DEBT))).toEqual([]);
    expect(reply).not.toMatch(/Dores|Pereira|golpe@|pague-aqui|banco-falso|99999|529/);
    const amounts = [...reply.matchAll(/R\$ [\d.,]*\d/g)].map(([amount]) => amount);
    expect(amounts.every((amount) => amount === 'R$ 1.234,56' || amount === 'R$ 0,00')).toBe(true);
  });

  it.each(ATTACKS)('a brain that obeys "$text" is replaced by the template', async ({ obeyed }) => {
    const refused: string[] = [];
    const agent = createGuardedAgent({
      brain: obedientBrain(obeyed),
      rules,
      onRefused: (problems) => refused.push(...problems),
    });
    expect(await agent.reply(UNDERSTOOD, DEBT, CONVERSATION)).toEqual(
      await rules.reply(UNDERSTOOD, DEBT, CONVERSATION),
    );
    const step = STEPS[0]!;
    expect(await agent.compose(step, DEBT, [])).toEqual(await rules.compose(step, DEBT, []));
    expect(refused.length).toBeGreaterThanOrEqual(2);
  });

  it.each(ATTACKS)('a brain that obeys "$text" in its short text alone is replaced there', async ({ obeyed }) => {
    const spoil = (message: AgentMessage): AgentMessage => ({
      ...message,
      short: obeyed === '' ? 'Ola, Maria.' : `${message.short} ${obeyed}`,
    });
    const brain: CollectionAgent = {
      ...rules,
      compose: async (...args) => spoil(await rules.compose(...args)),
      reply: async (...args) => spoil(await rules.reply(...args)),
    };
    let refused = 0;
    const agent = createGuardedAgent({
      brain,
      rules,
      onRefused: () => {
        refused += 1;
      },
    });
    const reply = [UNDERSTOOD, DEBT, CONVERSATION] as const;
    expect(await agent.reply(...reply)).toEqual(await rules.reply(...reply));
    expect(await agent.compose(STEPS[0]!, DEBT, [])).toEqual(await rules.compose(STEPS[0]!, DEBT, []));
    expect(refused).toBe(2);
  });

  it.each(ATTACKS.filter(({ obeyed }) => obeyed !== ''))(
    'a model that obeys "$text" is replaced by the template',
    async ({ text, obeyed }) => {
      const failures: string[] = [];
      const brain = createLlmAgent({
        onFallback: (failure) => failures.push(failure),
        model: obedientModel(obeyed),
        fallback: rules,
        budget: createConversationBudget({ maxCalls: 10, maxTokens: 10_000 }),
        timeoutMs: 5_000,
      });
      const agent = createGuardedAgent({ brain, rules });
      const understanding = await agent.understand(text, CONVERSATION);
      expect(understanding.date).toBeNull();
      const { text: reply } = await agent.reply(UNDERSTOOD, DEBT, CONVERSATION);
      expect(reply).toBe((await rules.reply(UNDERSTOOD, DEBT, CONVERSATION)).text);
      // Else it was the fallback, not the guard, that stopped the attack.
      expect(failures).toEqual(obeyed.includes('{{') ? ['answer'] : []);
    },
  );
});

describe('understanding under guard', () => {
  const saying = (understood: Partial<Understanding>): CollectionAgent => ({
    ...rules,
    understand: async () => ({ ...UNDERSTOOD, ...understood }),
  });

  it('obeys a request for silence whatever the brain says', async () => {
    const agent = createGuardedAgent({ brain: saying({ intent: 'wants_to_pay' }), rules });
    expect((await agent.understand('para de me mandar mensagem', CONVERSATION)).intent).toBe('opt_out');
  });

  it('puts a request for silence first when the brain mentions it last', async () => {
    const agent = createGuardedAgent({ brain: saying({ intent: 'already_paid', also: ['opt_out'] }), rules });
    expect(await agent.understand('acertei isso', CONVERSATION)).toMatchObject({
      intent: 'opt_out',
      also: ['already_paid'],
    });
  });

  it.each(['2026-11-17', '2027-12-01', '2026-02-30', 'sexta', ''])('drops the date %s', async (date) => {
    const agent = createGuardedAgent({ brain: saying({ intent: 'promise', date }), rules });
    expect((await agent.understand('eu acerto isso', CONVERSATION)).date).toBeNull();
  });

  it('believes the rule that read a date, not the brain', async () => {
    const agent = createGuardedAgent({ brain: saying({ intent: 'promise', date: '2026-12-30' }), rules });
    expect((await agent.understand('pago sexta', CONVERSATION)).date).toBe('2026-11-20');
  });
});
