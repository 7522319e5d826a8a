import { afterEach, describe, expect, it } from '@jest/globals';
import { type Reconciled, reconcileCharges } from '../../src/modules/payments/use-cases/reconcile-charges.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { type Answer, failure, type StoredCharge, startDueCharges } from './due-charges.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const due = await opened(startDueCharges());

afterEach(() => due.clear());

const reconcile = (answer: Answer, laterMs = 0): Promise<Reconciled> => reconcileCharges(due.deps(answer, laterMs))();
const pending: Answer = async () => ({});
const askedOf = (clientId: string) => due.asked.filter((question) => question.clientId === clientId);
const never = new Promise<never>(() => {});
const stored = async (clientId: string, { id }: StoredCharge) => {
  const [row] = await due.query<{ status: string; ask_at: Date | null; ask_failures: number; problem: string | null }>(
    clientId,
    'select status, ask_at, ask_failures, problem from charges where id = $1',
    [id],
  );
  return row!;
};
/** Counts the charges that no run has taken. */
const stillDue = async (clientId: string): Promise<number> =>
  (await due.query(clientId, 'select id from charges where ask_at <= now()')).length;
/** The minutes from now to the next question. */
const minutesLeft = async (clientId: string, charge: StoredCharge, laterMs = 0): Promise<number> =>
  Math.round((((await stored(clientId, charge)).ask_at?.getTime() ?? 0) - Date.now() - laterMs) / MINUTE);
const pauseOf = async (clientId: string, account = 'A') => {
  const [row] = await due.query<{ ask_failures: number; ask_from: Date | null }>(
    clientId,
    'select ask_failures, ask_from from client_credentials where account_id = $1',
    [account],
  );
  const minutes = row?.ask_from === null ? null : Math.round((row!.ask_from.getTime() - Date.now()) / MINUTE);
  return { times: row?.ask_failures, minutes };
};

describe('a client whose account refuses', () => {
  it('does not delay the others: two of its 1,500 charges are asked about, then one at a time', async () => {
    const [revoked, other] = [await due.client(), await due.client()];
    await due.charges(revoked, 1_500, { dueMs: HOUR });
    const [charge] = await due.charges(other, 1, { dueMs: 1_000 });
    const answer: Answer = async ({ clientId }) => {
      if (clientId === revoked) throw failure('unauthorized', { httpStatus: 401 });
      return { status: 'APPROVED' };
    };
    expect(await reconcile(answer)).toEqual({ asked: 3, changed: 1, more: false });
    expect(askedOf(revoked)).toHaveLength(2);
    expect(await stillDue(revoked)).toBeGreaterThan(1_300);
    expect((await stored(other, charge!)).status).toBe('APPROVED');
    expect(await pauseOf(revoked)).toEqual({ times: 1, minutes: 2 });

    expect(await reconcile(answer, MINUTE)).toEqual({ asked: 0, changed: 0, more: false });
    await reconcile(answer, 3 * MINUTE);
    expect(askedOf(revoked)).toHaveLength(3);
    expect(await pauseOf(revoked)).toEqual({ times: 2, minutes: 7 });
  });

  it('sees the refusal on the timelines of the debts that were asked about', async () => {
    const client = await due.client();
    const [charge] = await due.charges(client, 1);
    await reconcile(() => Promise.reject(failure('unauthorized')));
    await reconcile(() => Promise.reject(failure('unauthorized')), 10 * MINUTE);
    const events = await due.query(client, 'select kind, data from debt_events where debt_id = $1', [charge?.debtId]);
    expect(events).toEqual([
      { kind: 'payment_changed', data: { paymentId: charge?.id, problem: 'provider_unauthorized' } },
    ]);
    await reconcile(pending, DAY);
    expect((await stored(client, charge!)).problem).toBeNull();
  });

  it('is asked about all its charges in the run in which it answers again', async () => {
    const client = await due.client();
    await due.charges(client, 60);
    await reconcile(() => Promise.reject(failure('unauthorized')));
    due.asked.length = 0;
    expect(await reconcile(pending, 20 * MINUTE)).toEqual({ asked: 60, changed: 0, more: false });
    expect(await pauseOf(client)).toEqual({ times: 0, minutes: null });
  });

  it('is asked about the charges of its other account', async () => {
    const client = await due.client();
    await due.connect(client, 'B');
    await due.charges(client, 40);
    await due.charges(client, 40, { account: 'B', dueMs: 1_000 });
    const answer: Answer = async ({ accountId }) => (accountId === 'A' ? Promise.reject(failure('unauthorized')) : {});
    await reconcile(answer);
    expect(askedOf(client).filter(({ accountId }) => accountId === 'B')).toHaveLength(40);
    expect(askedOf(client).filter(({ accountId }) => accountId === 'A')).toHaveLength(2);
  });

  it('is not asked again and again to cancel the codes of closed debts', async () => {
    const client = await due.client();
    await due.charges(client, 50);
    await due.query(client, `update debts set status = 'STOPPED'`);
    expect(await reconcile(() => Promise.reject(failure('unauthorized')))).toMatchObject({ asked: 2, more: false });
  });

  it('may be the account of the deployment, which stores no pause', async () => {
    const [client, other] = [await due.client(null), await due.client(null)];
    await due.charges(client, 500, { account: null });
    await due.charges(other, 30, { account: null, dueMs: 1_000 });
    const answer: Answer = async ({ clientId }) => (clientId === client ? Promise.reject(failure('retryable')) : {});
    expect(await reconcile(answer)).toEqual({ asked: 32, changed: 0, more: false });
    expect(await stillDue(client)).toBeGreaterThan(300);
  });
});

describe('an account that is throttled', () => {
  it('is asked after the time that the provider names', async () => {
    const client = await due.client();
    await due.charges(client, 20);
    await reconcile(() => Promise.reject(failure('retryable', { retryAfterSeconds: 1_800 })));
    expect(askedOf(client)).toHaveLength(1);
    expect(await pauseOf(client)).toEqual({ times: 1, minutes: 30 });
  });
});

describe('an account that hangs', () => {
  it('occupies one question, while 40 other clients are asked about all their charges', async () => {
    const hanging = await due.client();
    await due.charges(hanging, 300, { dueMs: HOUR });
    const others = await Promise.all(Array.from({ length: 40 }, () => due.client()));
    for (const other of others) await due.charges(other, 5, { dueMs: 1_000 });
    let release = (): void => {};
    const held = new Promise<never>((_, reject) => {
      release = () => reject(failure('retryable'));
    });
    const run = reconcile(({ clientId }) => (clientId === hanging ? held : Promise.resolve({})));
    await until('the others are asked', () => due.asked.length - askedOf(hanging).length === 200);
    expect(askedOf(hanging)).toHaveLength(1);
    release();
    await run;
    expect(askedOf(hanging)).toHaveLength(2);
  });
});

describe('the turns of the clients', () => {
  it('let a client with one charge not wait for a client with 2,000', async () => {
    const large = await due.client();
    await due.charges(large, 2_000, { dueMs: HOUR });
    const small = await Promise.all(Array.from({ length: 40 }, () => due.client()));
    for (const client of small) await due.charges(client, 1, { dueMs: 1_000 });
    expect(await reconcile(pending)).toEqual({ asked: 2_040, changed: 0, more: false });
    const places = small.map((client) => due.asked.findIndex(({ clientId }) => clientId === client));
    expect(Math.max(...places)).toBeLessThan(128);
  });

  it('reach every client before any is asked about a third charge, when they are more than one taking holds', async () => {
    const clients = await Promise.all(Array.from({ length: 300 }, () => due.client()));
    for (const client of clients) await due.charges(client, 4);
    await reconcile(pending);
    expect(new Set(due.asked.slice(0, 600).map(({ clientId }) => clientId)).size).toBe(300);
    expect(new Set(due.asked.map(({ id }) => id)).size).toBe(1_200);
    expect(due.asked).toHaveLength(1_200);
  });
});

describe('a charge that always fails', () => {
  it('is asked about ever less often, and its account is not paused', async () => {
    const client = await due.client();
    const [broken] = await due.charges(client, 1, { dueMs: HOUR });
    await due.charges(client, 20);
    const answer: Answer = async ({ id }) => (id === broken!.id ? Promise.reject(failure('retryable')) : {});
    expect(await reconcile(answer)).toMatchObject({ asked: 21 });
    expect(await pauseOf(client)).toEqual({ times: 0, minutes: null });
    expect(await minutesLeft(client, broken!)).toBe(7);
    let later = 0;
    for (const [n, minutes] of [
      [2, 8],
      [3, 16],
      [4, 32],
      [8, 360],
    ] as const) {
      later += 6 * HOUR;
      await due.query(client, 'update charges set created_at = $2, ask_failures = $3, ask_at = now() where id = $1', [
        broken!.id,
        new Date(Date.now() + later),
        n - 1,
      ]);
      await reconcile(answer, later);
      expect(await minutesLeft(client, broken!, later)).toBe(minutes);
    }
    await reconcile(pending, later + 7 * HOUR);
    expect((await stored(client, broken!)).ask_failures).toBe(0);
  });

  it('does not keep the others from being asked when the failure is a fault of ours, which the run reports', async () => {
    const client = await due.client();
    const [broken] = await due.charges(client, 1, { dueMs: HOUR });
    await due.charges(client, 20);
    const answer: Answer = async ({ id }) => (id === broken!.id ? Promise.reject(new TypeError('a fault')) : {});
    await expect(reconcile(answer)).rejects.toThrow('a fault');
    expect(due.asked).toHaveLength(21);
    expect((await stored(client, broken!)).ask_failures).toBe(1);
  });

  it('is given up a month after its expiry, and not before', async () => {
    const client = await due.client();
    const [charge] = await due.charges(client, 1, { ageMs: 0 });
    const refuse: Answer = () => Promise.reject(failure('unauthorized'));
    await reconcile(refuse, 32 * DAY);
    expect(await stored(client, charge!)).toMatchObject({ status: 'PENDING' });
    await reconcile(refuse, 34 * DAY);
    expect(await stored(client, charge!)).toMatchObject({ status: 'CANCELLED', ask_at: null });
  });
});

describe('a run that is killed in the middle', () => {
  it('is continued by the next ones: every charge is asked about, and a payment is recorded once', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => due.client()));
    const charges: StoredCharge[] = [];
    for (const client of clients) charges.push(...(await due.charges(client, 50)));
    const paid: Answer = async () => ({ status: 'APPROVED' });
    let answers = 0;
    void reconcile(async (question) => {
      answers += 1;
      return answers > 40 ? never : paid(question);
    });
    await until('the run stands still', async () => {
      const before = due.asked.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return due.asked.length === before && before > 40;
    });
    await reconcile(paid);
    // What the killed run had taken is due again when its lease has ended.
    await reconcile(paid, 3 * MINUTE);
    for (const client of clients) {
      const rows = await due.query<{ status: string; approvals: number }>(
        client,
        `select status, (select count(*)::int from debt_events e where e.debt_id = c.debt_id
           and e.kind = 'payment_approved') as approvals from charges c`,
      );
      expect(rows).toEqual(Array(50).fill({ status: 'APPROVED', approvals: 1 }));
    }
  });

  it('does not lose the wish to be asked earlier that came meanwhile', async () => {
    const client = await due.client();
    const [charge] = await due.charges(client, 1);
    await reconcile(async () => {
      await due.query(client, "update charges set ask_at = now() + interval '1 minute' where id = $1", [charge!.id]);
      return {};
    });
    expect(await minutesLeft(client, charge!)).toBe(1);
  });
});
