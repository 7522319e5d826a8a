import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { waitingSessions } from '../../../testing/waiting-sessions.ts';
import {
  addMember,
  confirmAddress,
  logIn,
  mailedToken,
  mailsAsked,
  mailsTo,
  me,
  newEmail,
  PASSWORD,
  refusal,
  signUp,
  tryLogIn,
} from './accounts.ts';

const app = await opened(
  startApp({
    roles: ['api', 'worker', 'relay'],
    env: { LOGIN_RATE_PER_MINUTE: '1000', SIGNUP_RATE_PER_MINUTE: '1000', PUBLIC_RATE_PER_MINUTE: '10000' },
  }),
);

const GONE = '400 validation_failed /token:token_invalid';
const ask = (bearer: string, body: unknown) => app.post('/api/onboarding/me/email', body, bearer);
const confirm = (token: string) => app.post<{ changed: boolean }>('/api/onboarding/confirm-email-change', { token });
const outcome = async (token: string) => {
  const { status, body } = await confirm(token);
  return [status, body.changed];
};

async function newMember() {
  const { id, email } = await signUp(app);
  await confirmAddress(app, id);
  const { token, refreshToken } = await logIn(app, email);
  return { id, email, token, refreshToken };
}
/** The tokens that both addresses got. */
const tokensOf = async (present: string, next: string, nth = 1) => ({
  present: await mailedToken(app, present, 'email_change_present', nth),
  next: await mailedToken(app, next, 'email_change_new', nth),
});

describe('the address of a login', () => {
  it.each(['present', 'new'] as const)(
    'changes with the second confirmation, whichever is first: %s',
    async (first) => {
      const { id, email, token } = await newMember();
      const next = newEmail();
      expect((await ask(token, { email: next.toUpperCase() })).status).toBe(202);
      const tokens = await tokensOf(email, next);
      const [one, other] = first === 'present' ? [tokens.present, tokens.next] : [tokens.next, tokens.present];
      expect(await outcome(one)).toEqual([200, false]);
      // Said twice, one confirmation stays one.
      expect(await outcome(one)).toEqual([200, false]);
      expect((await tryLogIn(app, email)).status).toBe(200);
      expect(refusal(await tryLogIn(app, next))).toBe('401 invalid_credentials');
      expect(await outcome(other)).toEqual([200, true]);
      expect(refusal(await tryLogIn(app, email))).toBe('401 invalid_credentials');
      expect((await logIn(app, next)).member.email).toBe(next);
      // The address of the company is another thing, and the session goes on.
      expect((await me(app, token)).body).toMatchObject({ id, email });
      for (const used of [one, other]) expect(refusal(await confirm(used))).toBe(GONE);
    },
  );

  it('is told to nobody but the two, and in no text that the caller wrote', async () => {
    const { email, token } = await newMember();
    const next = newEmail();
    await ask(token, { email: next });
    const tokens = await tokensOf(email, next);
    const [toPresent] = await mailsTo(app, email, 'email_change_present');
    expect(toPresent?.text).not.toContain(next);
    const kept = await app.query('select row_to_json(email_changes)::text as row from email_changes');
    const outbox = await app.query('select row_to_json(outbox)::text as row from outbox');
    for (const secret of Object.values(tokens)) expect(JSON.stringify([kept, outbox])).not.toContain(secret);
    expect(JSON.stringify(outbox)).not.toContain(next);
    const audit = await app.query(
      `select row_to_json(audit_log)::text as row from audit_log where action like 'email_change%'`,
    );
    expect(JSON.stringify(audit)).not.toContain(next);
  });

  it('gives way to a later wish, whose links alone count', async () => {
    const { email, token } = await newMember();
    const [first, second] = [newEmail(), newEmail()];
    await ask(token, { email: first });
    const earlier = await tokensOf(email, first);
    await confirm(earlier.next);
    await ask(token, { email: second });
    const later = await tokensOf(email, second, 1).then(async ({ next }) => ({
      next,
      present: await mailedToken(app, email, 'email_change_present', 2),
    }));
    for (const used of Object.values(earlier)) expect(refusal(await confirm(used))).toBe(GONE);
    expect(await outcome(later.present)).toEqual([200, false]);
    expect(await outcome(later.next)).toEqual([200, true]);
    expect((await tryLogIn(app, second)).status).toBe(200);
  });

  it('ends the reset links of the earlier address, and both confirmations at once change it once', async () => {
    const { id, email, token } = await newMember();
    const next = newEmail();
    await app.post('/api/auth/password/forgot', { email });
    const reset = await mailedToken(app, email, 'password_reset');
    await ask(token, { email: next });
    const tokens = await tokensOf(email, next);
    const outcomes = await Promise.all([outcome(tokens.present), outcome(tokens.next)]);
    expect(outcomes.map(([, changed]) => changed).sort()).toEqual([false, true]);
    expect(refusal(await app.post('/api/auth/password/reset', { token: reset, password: 'Outra1234' }))).toBe(GONE);
    const changes = await app.query(`select from audit_log where client_id = $1 and action = 'email_changed'`, [id]);
    expect(changes).toHaveLength(1);
  });

  it('is where a link goes that is made while the address changes', async () => {
    const { id, email } = await newMember();
    const next = newEmail();
    // These are the steps of the last confirmation, which holds the lock of the client's row.
    await app.query('begin');
    await app.query('select from clients where id = $1 for no key update', [id]);
    await app.query('update members set email = $2 where client_id = $1', [id, next]);
    await app.query('update password_resets set used_at = now() where client_id = $1 and used_at is null', [id]);
    await app.post('/api/auth/password/forgot', { email });
    await until('the mail waits', async () => (await waitingSessions(app)) > 0);
    await app.query('commit');
    const token = await mailedToken(app, next, 'password_reset');
    expect(await mailsTo(app, email, 'password_reset')).toEqual([]);
    expect((await app.post('/api/auth/password/reset', { token, password: 'Outra1234' })).status).toBe(204);
  });

  it('is refused where it is taken, unchanged, personal or unproven', async () => {
    const { email, token } = await newMember();
    const other = await newMember();
    expect(refusal(await ask(token, { email: other.email }))).toBe('409 email_taken');
    expect(refusal(await ask(token, { email }))).toBe('400 validation_failed /email:email_unchanged');
    expect(refusal(await ask(token, { email: 'ana@gmail.com' }))).toBe(
      '400 validation_failed /email:email_not_corporate',
    );
    const unproven = await signUp(app);
    expect(refusal(await ask(unproven.token, { email: newEmail() }))).toBe('409 email_not_confirmed');
    for (const guessed of ['A'.repeat(43), 'x']) expect(refusal(await confirm(guessed))).toBe(GONE);
  });

  it('is refused at the end when somebody else has taken it meanwhile', async () => {
    const { email, token } = await newMember();
    const next = newEmail();
    await ask(token, { email: next });
    const tokens = await tokensOf(email, next);
    await confirm(tokens.present);
    const { status } = await app.post('/api/onboarding/signup', { name: 'Outra', email: next, password: PASSWORD });
    expect(status).toBe(201);
    expect(refusal(await confirm(tokens.next))).toBe('409 email_taken');
    expect((await tryLogIn(app, email)).status).toBe(200);
  });

  it('does not change for a member that has left, nor after its day', async () => {
    const owner = await newMember();
    const agent = await addMember(app, owner.id, 'agent');
    const next = newEmail();
    await ask(agent.token, { email: next });
    const tokens = await tokensOf(agent.member.email, next);
    await confirm(tokens.present);
    expect((await app.call('DELETE', `/api/members/${agent.member.id}`, { bearer: owner.token })).status).toBe(204);
    expect(refusal(await confirm(tokens.next))).toBe(GONE);

    const later = newEmail();
    await ask(owner.token, { email: later });
    const late = await tokensOf(owner.email, later);
    await app.query(`update email_changes set expires_at = now() - interval '1 second' where client_id = $1`, [
      owner.id,
    ]);
    expect(refusal(await confirm(late.next))).toBe(GONE);
  });

  it('is asked for once by calls with one Idempotency-Key, and the first links count', async () => {
    const { id, email, token } = await newMember();
    const next = newEmail();
    const call = { bearer: token, body: { email: next }, headers: { 'idempotency-key': randomUUID() } };
    for (let time = 0; time < 2; time += 1) {
      expect((await app.call('POST', '/api/onboarding/me/email', call)).status).toBe(202);
    }
    const tokens = await tokensOf(email, next);
    expect([await outcome(tokens.present), await outcome(tokens.next)]).toEqual([
      [200, false],
      [200, true],
    ]);
    expect(await mailsAsked(app, id, 'email_change_new')).toBe(1);
  });

  it('asks at most three times an hour', async () => {
    const { token } = await newMember();
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await ask(token, { email: newEmail() })).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
  });
});

describe('the address of the company', () => {
  it('is changed by an owner, and changes no member’s', async () => {
    const { id, email, token } = await newMember();
    const agent = await addMember(app, id, 'agent');
    const next = newEmail();
    expect(refusal(await ask(agent.token, { email: next, of: 'company' }))).toBe('403 role_insufficient');
    expect((await ask(token, { email: next, of: 'company' })).status).toBe(202);
    const tokens = await tokensOf(email, next);
    await confirm(tokens.next);
    expect(await outcome(tokens.present)).toEqual([200, true]);
    expect((await me(app, token)).body).toMatchObject({ email: next, emailConfirmed: true });
    expect((await tryLogIn(app, email)).status).toBe(200);
  });
});
