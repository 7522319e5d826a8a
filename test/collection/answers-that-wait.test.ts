import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { insertOffersPolicy } from '../../src/modules/agreements/queries/offers-policies.ts';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { HOUR, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

const MINUTE = 60_000;
/** Thursday 26 November 2026, 15:00 in São Paulo. */
const ASKED = Date.UTC(2026, 10, 26, 18);
const busy = () => new MessagingError('retryable', 'busy', { retryAfterSeconds: 90 });
const answerAt = (debt: MadeDebt, at: number) => {
  engine.clock.now = at;
  return engine.services.answerDebtor(engine.request(debt));
};
const asked = (debt: MadeDebt) =>
  engine.query(debt, 'select requests, said_paid_at as "saidPaidAt" from person_requests where client_id = $1', [
    debt.clientId,
  ]);

describe('a decision of the staff, while the answer waits,', () => {
  it.each(['Quero falar com um atendente', 'Já paguei em dinheiro na recepção', 'Não reconheço essa dívida'])(
    'is kept: %s',
    async (text) => {
      const one = await engine.debt(somebody());
      engine.clock.now = ASKED;
      engine.failNext(busy());
      await engine.hear(one, text);
      expect(await engine.status(one)).toMatch(/ON_HOLD|DISPUTED/);
      engine.clock.now = ASKED + 30_000;
      await engine.requests.resumeDebt({
        clientId: one.clientId,
        debtId: one.id,
        source: SOURCE,
        reason: 'Conferido com o financeiro: nada recebido.',
      });
      expect(await engine.status(one)).toBe('IN_COLLECTION');
      await answerAt(one, ASKED + 90_000);
      expect(await engine.status(one)).toBe('IN_COLLECTION');
      expect(await engine.inbox(one)).toEqual([]);
      expect(engine.sent).toHaveLength(1);
    },
  );
});

describe('an agreement whose confirmation waits', () => {
  it('asks for no negotiation when staff have taken the conversation over', async () => {
    const person = somebody();
    const one = await engine.debt({ ...person, dueDate: '2026-06-10' });
    const { minInstalment: _, personAbove: __, ...more } = OFFERS_POLICY;
    const policy = { ...more, holdDays: 3, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy;
    await engine.ofApi.db
      .tenant(one.clientId)
      .transactional((tx) => insertOffersPolicy(tx, { clientId: one.clientId, version: 1, policy }));
    engine.clock.now = ASKED - HOUR;
    await engine.hear(one, 'quero negociar, tem desconto?');
    engine.clock.now = ASKED;
    engine.failNext(busy());
    await engine.hear(one, 'aceito a 1');
    expect(await engine.status(one)).toBe('AGREEMENT');
    // Another debt of the person, which the agreement is not about.
    const other = await engine.debt({ ...person, clientId: one.clientId, campaignId: one.campaignId });
    await engine.requests.writeToDebtor({
      clientId: one.clientId,
      debtId: one.id,
      source: SOURCE,
      messageId: randomUUID(),
      text: 'Oi, Maria. Aqui fala a Ana, da escola: como posso ajudar?',
      confirm: true,
    });
    await answerAt(one, ASKED + 20 * MINUTE);
    expect(await asked(one)).toMatchObject([{ requests: [] }]);
    expect([await engine.inbox(one), await engine.inbox(other)]).toEqual([[], []]);
    expect(await engine.status(other)).toBe('QUEUED');
    // What was agreed is confirmed also while a person writes.
    expect(engine.sent.map(({ text }) => text)).toContainEqual(expect.stringContaining('Fechamos o acordo'));
  });
});

describe('an answer that waits', () => {
  it.each(['quanto é mesmo?', 'Bom dia, tudo bem?'])(
    'is not sent after the person has asked for silence elsewhere: %s',
    async (text) => {
      const person = somebody();
      const one = await engine.debt(person);
      const other = await engine.debt({ ...person, clientId: one.clientId, campaignId: one.campaignId });
      engine.clock.now = ASKED;
      engine.failNext(busy());
      await engine.hear(one, text);
      expect(engine.sent).toEqual([]);
      engine.clock.now = ASKED + HOUR;
      await engine.hear(other, 'PARAR. Não quero mais receber mensagens.');
      expect(engine.sent.map(({ purpose }) => purpose)).toEqual(['opt_out_confirmation']);
      expect(await engine.status(one)).toBe('OPTED_OUT');
      await answerAt(one, Date.UTC(2026, 10, 27, 12));
      expect(engine.sent).toHaveLength(1);
      expect(await engine.inbox(one)).toEqual([]);
    },
  );
});

describe('a turn whose answer waits', () => {
  it('takes effect once, and what is added to it takes effect too', async () => {
    const one = await engine.debt(somebody());
    engine.clock.now = ASKED;
    engine.failNext(busy());
    await engine.hear(one, 'Quero falar com um atendente');
    await engine.requests.resumeDebt({ clientId: one.clientId, debtId: one.id, source: SOURCE });
    engine.clock.now = ASKED + MINUTE;
    await engine.hear(one, 'e não reconheço essa dívida');
    expect(await engine.status(one)).toBe('DISPUTED');
    expect(await engine.inbox(one)).toEqual(['disputed']);
  });
});
