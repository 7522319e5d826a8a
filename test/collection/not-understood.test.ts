import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { automaticWords } from '../../src/modules/agent/adapters/rules/automatic.ts';
import { createRulesAgent } from '../../src/modules/agent/adapters/rules/rules-agent.ts';
import { understandByRules } from '../../src/modules/agent/adapters/rules/understand.ts';
import { NotUnderstoodError } from '../../src/modules/messaging/ports/collection-agent.ts';
import { engineServices, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

/** A text that cannot be read, as if its thread had been ended. */
const UNREADABLE = 'ilegível';

const read: string[] = [];
const engine = await opened(openEngine());
const agent = createRulesAgent({
  understand: async (message, conversation) => {
    if (message.startsWith(UNREADABLE)) throw new NotUnderstoodError('timed_out');
    read.push(message);
    return understandByRules(message, conversation);
  },
  automaticWords: async (message) => {
    if (message.startsWith(UNREADABLE)) throw new NotUnderstoodError('timed_out');
    return automaticWords(message);
  },
});
const services = engineServices({ ...engine.deps, agent });

describe('a turn that cannot be read', () => {
  beforeEach(() => {
    engine.sent.length = 0;
    read.length = 0;
  });

  const make = (status = 'IN_COLLECTION'): Promise<MadeDebt> => engine.debt({ status, phone: somebody().phone });
  const write = async (debt: MadeDebt, ...texts: string[]): Promise<void> => {
    for (const text of texts)
      await services.receiveMessage({
        clientId: debt.clientId,
        debtId: debt.id,
        channel: 'sandbox',
        channelMessageId: randomUUID(),
        text,
      });
  };
  const answer = (debt: MadeDebt) => services.answerDebtor(engine.request(debt));
  const timeline = async (debt: MadeDebt): Promise<string[]> =>
    (
      await engine.query<{ kind: string }>(debt, 'select kind from debt_events where debt_id = $1 order by seq', [
        debt.id,
      ])
    ).map(({ kind }) => kind);
  const unhandled = async (debt: MadeDebt): Promise<number> =>
    (
      await engine.query(
        debt,
        `select id from messages where debt_id = $1 and direction = 'in' and handled_at is null`,
        [debt.id],
      )
    ).length;
  const long = (start: string): string => `${start} ${'x '.repeat(2_100)}`.slice(0, 4_096);

  it('is left to a person, gets no answer, puts the debt on hold, and is not tried again', async () => {
    const debt = await make();
    await write(debt, UNREADABLE);
    expect(await answer(debt)).toMatchObject({ kind: 'waitForSignal' });
    expect(await engine.status(debt)).toBe('ON_HOLD');
    expect(await timeline(debt)).toEqual(['message_received', 'status_changed', 'needs_person']);
    const [entry] = await engine.query<{ data: unknown }>(
      debt,
      `select data from debt_events where debt_id = $1 and kind = 'needs_person'`,
      [debt.id],
    );
    expect(entry).toEqual({ data: { reason: 'not_understood' } });
    expect(engine.sent).toEqual([]);
    expect(await unhandled(debt)).toBe(0);
    expect(await engine.query(debt, 'select intent from messages where debt_id = $1', [debt.id])).toEqual([
      { intent: null },
    ]);
    await answer(debt);
    expect(await timeline(debt)).toHaveLength(3);
    expect(await engine.gate(debt)).toEqual({ kind: 'refused' });
  });

  it.each(['PAID', 'OPTED_OUT', 'DISPUTED'])(
    'leaves a debt %s as it is, and still asks for a person',
    async (status) => {
      const debt = await make(status);
      await write(debt, UNREADABLE);
      await answer(debt);
      expect(await engine.status(debt)).toBe(status);
      expect(await timeline(debt)).toContain('needs_person');
      expect(engine.sent).toEqual([]);
    },
  );

  it.each([
    ['before', [long('PARAR.'), UNREADABLE + long('')]],
    ['after', [UNREADABLE + long(''), 'PARAR']],
  ])('an opt-out %s it still takes effect', async (_, texts) => {
    const debt = await make();
    await write(debt, ...texts.map((text) => text.slice(0, 4_096)));
    await answer(debt);
    expect(await engine.status(debt)).toBe('OPTED_OUT');
    expect(await timeline(debt)).toContain('needs_person');
    expect(engine.sent).toEqual([]);
  });

  it('a promise beside it has no effect', async () => {
    const debt = await make();
    await write(debt, 'pago sexta', UNREADABLE + 'x'.repeat(4_080));
    await answer(debt);
    expect(await engine.status(debt)).toBe('ON_HOLD');
  });

  it('a long turn is read in bounded texts, and an opt-out is recognised at any position', async () => {
    const debt = await make();
    await write(debt, long('oi'), 'PARAR', long('bom dia'), long('ok'));
    await answer(debt);
    expect(read.every(({ length }) => length <= 4_096)).toBe(true);
    expect(await engine.status(debt)).toBe('OPTED_OUT');
    expect(await timeline(debt)).not.toContain('needs_person');
    expect(engine.sent).toHaveLength(1);
  });

  it('a flood of messages is read turn by turn, and each turn wakes the next', async () => {
    const debt = await make();
    await write(debt, ...Array.from({ length: 24 }, (_, n) => `oi ${n}`), 'PARAR');
    await engine.query(debt, 'update outbox set delivered_at = quita_now() where delivered_at is null');
    await answer(debt);
    expect(await unhandled(debt)).toBe(5);
    const wakes = await engine.query<{ signal: string }>(
      debt,
      `select signal from outbox where workflow_id = 'collection-' || $1 and delivered_at is null`,
      [debt.id],
    );
    expect(wakes).toEqual([{ signal: 'messageReceived' }]);
    await answer(debt);
    expect(await unhandled(debt)).toBe(0);
    expect(await engine.status(debt)).toBe('OPTED_OUT');
  });
});
