import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Turn } from '../../src/modules/messaging/ports/collection-agent.ts';
import { MessagingError } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { pressButton } from '../../src/modules/payments/use-cases/press-button.ts';
import {
  DAY,
  engineServices,
  HOUR,
  type MadeDebt,
  openEngine,
  somebody,
  WEDNESDAY,
  withoutKnown,
} from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const AWAY = 'No momento não podemos atender. Retornaremos em breve.';
/** An automatic answer by nothing in its words. */
const UNKNOWN = 'Aqui é da oficina, logo mais a gente se fala';

const engine = await opened(openEngine());

describe('automatic answers', () => {
  beforeEach(engine.reset);

  const contacted = async (): Promise<MadeDebt> => {
    const debt = await engine.debt(somebody());
    await engine.contact(debt);
    engine.sent.length = 0;
    return debt;
  };
  /** Lets real time pass, so that the next message does not come at once after ours. */
  const later = (debt: MadeDebt): Promise<object[]> =>
    engine.query(debt, `update messages set created_at = created_at - interval '1 minute' where debt_id = $1`, [
      debt.id,
    ]);
  const write = async (debt: MadeDebt, text: string): Promise<void> => {
    await engine.services.receiveMessage({
      clientId: debt.clientId,
      debtId: debt.id,
      channel: 'sandbox',
      channelMessageId: `m${Math.random()}`,
      text,
    });
  };
  const answer = (debt: MadeDebt) => engine.services.answerDebtor(engine.request(debt));
  const hearLater = async (debt: MadeDebt, text: string) => {
    await later(debt);
    return engine.hear(debt, text);
  };
  const state = async (debt: MadeDebt) =>
    (
      await engine.query<object>(
        debt,
        `select status, step, next_contact_at, (select count(*) from person_requests) as told from debts where id = $1`,
        [debt.id],
      )
    )[0];
  const heard = (debt: MadeDebt) =>
    engine.query<{ intent: string; automatic: boolean }>(
      debt,
      `select intent, automatic from messages where debt_id = $1 and direction = 'in' order by created_at, id`,
      [debt.id],
    );
  const kinds = async (debt: MadeDebt): Promise<string[]> =>
    (
      await engine.query<{ kind: string }>(debt, 'select kind from debt_events where debt_id = $1 order by seq', [
        debt.id,
      ])
    ).map(({ kind }) => kind);

  it('change nothing, are not answered, and do not move the next contact (issue 15, 8)', async () => {
    const debt = await contacted();
    const before = await state(debt);
    const steps: object[] = [];
    for (let time = 0; time < 8; time += 1) {
      engine.clock.now += HOUR;
      steps.push(withoutKnown(await hearLater(debt, AWAY)));
    }
    expect(await state(debt)).toEqual(before);
    expect(engine.sent).toEqual([]);
    expect(await heard(debt)).toEqual(Array.from({ length: 8 }, () => ({ intent: 'other', automatic: true })));
    expect((await kinds(debt)).slice(-8)).toEqual(Array.from({ length: 8 }, () => 'message_received'));
    expect(new Set(steps.map((step) => JSON.stringify(step))).size).toBe(1);
  });

  it('are recognised by speed and repetition where their words say nothing', async () => {
    const debt = await contacted();
    await hearLater(debt, UNKNOWN);
    expect(engine.sent).toHaveLength(1);
    const before = await state(debt);
    engine.clock.now += HOUR;
    // The reply of this moment is answered at once with the same text.
    await engine.hear(debt, ` ${UNKNOWN.toUpperCase()} `);
    expect(engine.sent).toHaveLength(1);
    expect(await state(debt)).toEqual(before);
    expect((await heard(debt)).map(({ automatic }) => automatic)).toEqual([false, true]);
  });

  it('are told from a person who answers at once, and from one who says the same later', async () => {
    const quick = await contacted();
    await engine.hear(quick, 'perdi o emprego, nao tenho como pagar');
    expect(await engine.status(quick)).toBe('ON_HOLD');
    const again = await contacted();
    await hearLater(again, 'não reconheço essa dívida');
    await engine.requests.resumeDebt({
      clientId: again.clientId,
      debtId: again.id,
      source: { by: 'session', ip: '127.0.0.1' },
      reason: 'O contrato foi conferido.',
    });
    await hearLater(again, 'não reconheço essa dívida');
    expect(await engine.status(again)).toBe('DISPUTED');
    // The same text is not answered again.
    expect(engine.sent).toHaveLength(1);
  });

  it('beside what a person writes in the same turn are left out', async () => {
    const debt = await contacted();
    await later(debt);
    await write(debt, AWAY);
    await write(debt, 'Agradecemos o contato');
    await write(debt, 'pago sexta');
    await answer(debt);
    expect(await engine.status(debt)).toBe('PROMISED');
    expect(await heard(debt)).toEqual([
      { intent: 'other', automatic: true },
      { intent: 'other', automatic: true },
      { intent: 'promise', automatic: false },
    ]);
    expect(engine.sent).toHaveLength(1);
  });

  it.each([
    ['inside one', `${AWAY} PARAR`],
    ['of its own words', 'Mensagem automática: não envie mais mensagens para este número.'],
    ['at once', 'PARAR'],
  ])('a request for silence is obeyed: %s', async (_, text) => {
    const debt = await contacted();
    await engine.hear(debt, text);
    expect(await engine.status(debt)).toBe('OPTED_OUT');
    expect(engine.sent.map(({ purpose }) => purpose)).toEqual(['opt_out_confirmation']);
    await engine.hear(debt, text);
    expect(engine.sent).toHaveLength(1);
  });

  it('that tell their readers how to unsubscribe ask for nothing', async () => {
    const debt = await contacted();
    await engine.hear(debt, 'Auto Peças Norte agradece seu contato. Para não receber mais mensagens, responda SAIR.');
    expect(await engine.status(debt)).toBe('IN_COLLECTION');
    expect(engine.sent).toEqual([]);
  });

  it('are never a press of a button', async () => {
    const debt = await contacted();
    const press = pressButton({ ...engine.deps, receipts: engine.deps.payments.receipts });
    for (let time = 0; time < 2; time += 1) {
      await press({ debtId: debt.id, button: 'dispute' });
      await answer(debt);
      expect(await engine.status(debt)).toBe('DISPUTED');
      await engine.query(debt, `update debts set status = 'IN_COLLECTION' where id = $1`, [debt.id]);
    }
  });

  it('do not count as an answer of the debtor', async () => {
    const histories: (readonly Turn[])[] = [];
    const { compose } = engine.deps.agent;
    const services = engineServices({
      ...engine.deps,
      agent: {
        ...engine.deps.agent,
        compose: (step, facts, history) => {
          histories.push(history);
          return compose(step, facts, history);
        },
      },
    });
    const debt = await contacted();
    await hearLater(debt, AWAY);
    engine.clock.now = WEDNESDAY + 6 * DAY;
    await services.contactDebtor(engine.request(debt));
    expect(histories.flat().map(({ from }) => from)).toEqual(['creditor']);
  });

  describe('replies', () => {
    const questions = [
      'qual o valor?',
      'quando venceu?',
      'qual o cnpj de vocês?',
      'isso é golpe?',
      'meu nome sai do serasa quando?',
      'como conseguiram meu numero?',
    ];

    it('are at most five a day and debt; on the next day of the debtor the rest may be answered', async () => {
      const debt = await contacted();
      engine.clock.now = Date.UTC(2026, 10, 19, 2);
      for (const text of questions) await hearLater(debt, text);
      expect(engine.sent).toHaveLength(5);
      // Half past midnight in São Paulo.
      engine.clock.now = Date.UTC(2026, 10, 19, 3, 30);
      await hearLater(debt, questions[5] ?? '');
      expect(engine.sent).toHaveLength(6);
    });

    it('a request for silence is confirmed after five of them', async () => {
      const debt = await contacted();
      for (const text of [...questions, 'PARAR']) await hearLater(debt, text);
      expect(engine.sent.map(({ purpose }) => purpose)).toEqual([
        ...Array.from({ length: 5 }, () => 'reply'),
        'opt_out_confirmation',
      ]);
    });

    it('answer no text twice, and do not repeat themselves', async () => {
      const debt = await contacted();
      for (const text of ['qual o valor?', ' QUAL  o valor?', 'quanto eu devo?', 'bom dia', 'obrigada']) {
        await hearLater(debt, text);
      }
      expect(engine.sent.filter(({ text }) => text.includes('O valor é'))).toHaveLength(1);
      expect(new Set(engine.sent.map(({ text }) => text)).size).toBe(engine.sent.length);
      expect(engine.sent).toHaveLength(2);
    });

    it('that were certainly not sent may be sent again', async () => {
      const debt = await contacted();
      await later(debt);
      await write(debt, 'qual o valor?');
      engine.failNext(new MessagingError('retryable', 'busy'));
      expect(await answer(debt)).toMatchObject({ kind: 'tryAgain' });
      await answer(debt);
      expect(engine.sent).toHaveLength(1);
    });
  });
});
