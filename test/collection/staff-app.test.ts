import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { collector, type Debt, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCollectionApp());
const staff = collector(await app.newClient());

const TEXT = 'Oi! Aqui fala a Ana, da escola. Como posso ajudar?';
const write = (debtId: string, body: object = { text: TEXT }) =>
  staff.call('POST', `/api/debts/${debtId}/messages`, body);
const messages = (debt: Debt) => debt.timeline.filter(({ kind }) => kind === 'message_sent');
const byStaff = (debt: Debt) => messages(debt).filter(({ author }) => author === 'staff');
const replies = (debt: Debt) =>
  messages(debt).filter(({ purpose, author }) => purpose === 'reply' && author === undefined);

describe('a person answers a debtor', () => {
  it('debtor, staff, silence, hand-back, agent; also when the workflow has ended', async () => {
    const id = await staff.launchOne({}, 11);
    await staff.say(id, 'Quero falar com um atendente');
    await staff.reaches(id, 'it is held', (debt) => debt.status === 'ON_HOLD' && replies(debt).length === 1);
    const { status, body } = await write(id);
    expect([status, body]).toEqual([
      202,
      { id: expect.any(String), purpose: 'reply', at: expect.any(String), channel: 'sandbox' },
    ]);
    const answered = await staff.reaches(id, 'staff have answered', (debt) => byStaff(debt).length === 1);
    expect(byStaff(answered)).toMatchObject([{ messageId: body.id, text: TEXT, delivery: 'sent', purpose: 'reply' }]);
    expect(answered).toMatchObject({ staffAnswersUntil: expect.any(String) });

    await staff.say(id, 'Quanto eu devo?');
    const heard = await staff.reaches(id, 'the debtor is heard', (debt) =>
      debt.timeline.some(({ intent }) => intent === 'question'),
    );
    expect(replies(heard)).toHaveLength(1);
    const handedBack = await staff.call('POST', `/api/debts/${id}/hand-back`);
    expect(handedBack).toMatchObject({ status: 200, body: { id, staffAnswersUntil: null } });
    expect(await staff.call('POST', `/api/debts/${id}/hand-back`)).toMatchObject({
      status: 409,
      body: { code: 'debt_state' },
    });
    await staff.say(id, 'E quando venceu a conta?');
    await staff.reaches(id, 'the agent answers again', (debt) => replies(debt).length === 2);

    await staff.call('POST', `/api/debts/${id}/withdraw`);
    await write(id, { text: 'Tudo certo, até logo!' });
    await staff.reaches(id, 'the ended workflow sends', (debt) => byStaff(debt).length === 2);
  });

  it('what is sent by itself waits for two business days of the sandbox’s clock', async () => {
    const id = await staff.launchOne({}, 12);
    // At once, because weeks of the sequence pass in seconds.
    await staff.say(id, 'Quanto eu devo?');
    expect((await write(id)).status).toBe(202);
    const [row] = await app.query<{ until: Date }>(
      `select staff_answers_until as until from person_requests join debts using (client_id, debtor_tax_id, sandbox)
       where debts.id = $1`,
      [id],
    );
    const debt = await staff.ended(id);
    const [message] = byStaff(debt);
    const at = (entry: { readonly at: string } | undefined) => Date.parse(entry?.at ?? '');
    const after = messages(debt).filter((entry) => entry['purpose'] === 'collection' && at(entry) > at(message));
    expect(message).toMatchObject({ purpose: 'reply' });
    expect(after.length).toBeGreaterThan(0);
    expect(at(after[0])).toBeGreaterThanOrEqual(row?.until.getTime() ?? Number.POSITIVE_INFINITY);
  });
});

describe('the route', () => {
  it('takes a JWT only, shows nobody the debts of others, and names every problem of the text', async () => {
    const [id = ''] = (await staff.allDebts(await staff.draft([debtInput(13)]))).map((debt) => debt.id);
    const key = (await staff.call('POST', '/api/onboarding/me/api-key')).body.apiKey;
    const path = `/api/debts/${id}/messages`;
    expect(await app.call('POST', path, { body: { text: TEXT }, bearer: key })).toMatchObject({
      status: 401,
      body: { code: 'access_token_required' },
    });
    const stranger = await app.newClient();
    expect(await stranger.call('POST', path, { text: TEXT })).toMatchObject({ status: 404 });
    expect(await stranger.call('POST', `/api/debts/${id}/hand-back`)).toMatchObject({ status: 404 });
    expect(await write(id, { text: ' \n ' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/text', code: 'too_short' }] },
    });
    expect(await write(id, { text: 'a'.repeat(4_097) })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/text', code: 'too_long' }] },
    });
    expect(await write(id, { text: 'Vamos à polícia amanhã' })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: '/text', code: 'threat' },
          { pointer: '/text', code: 'warning_date' },
        ],
      },
    });
    expect(await write(id)).toMatchObject({
      status: 409,
      body: {
        code: 'contact_blocked',
        verdict: { allowed: false, rules: ['not_launched'], ruleIds: [], pack: { id: 'br' }, notBefore: null },
      },
    });
  });

  it('gives the first answer again for the same Idempotency-Key', async () => {
    const [id = ''] = (await staff.allDebts(await staff.draft([debtInput(14)]))).map((debt) => debt.id);
    await staff.say(id, 'Que conta é essa?');
    const headers = { 'idempotency-key': randomUUID() };
    const send = () =>
      app.call('POST', `/api/debts/${id}/messages`, { body: { text: TEXT }, bearer: staff.token, headers });
    const first = await send();
    expect(first.status).toBe(202);
    expect((await send()).body).toEqual(first.body);
    await staff.reaches(id, 'it is sent from a draft, because the debtor wrote', (debt) => byStaff(debt).length > 0);
    expect(byStaff(await staff.debt(id))).toHaveLength(1);
  });
});
