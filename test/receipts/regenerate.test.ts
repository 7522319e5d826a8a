import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { downloadPath, type PaidDebt, paidDebt, paidDebts } from '../../testing/receipts-harness.ts';

const app = await opened(startCampaignsApp());

const regenerate = (client: TestClient, query = '') => client.call('POST', `/api/receipts/regenerate-all${query}`);

interface Stored {
  readonly protocol: string;
  readonly sha256: string;
  readonly rendered_at: Date;
}
const stored = (client: TestClient) =>
  app.query<Stored>(
    'select protocol, sha256, rendered_at from receipts where client_id = $1 and pdf is not null order by protocol',
    [client.id],
  );

describe('POST /api/receipts/regenerate-all', () => {
  it('issues missing receipts page by page in the order of approval, and reports the end', async () => {
    const client = await app.newClient();
    const debts = await paidDebts(app.query, client.id, 5);
    await paidDebt(app.query, client.id, { status: 'IN_COLLECTION', approvedAt: null });
    await paidDebt(app.query, client.id, { duplicate: true });
    const issuedIn = async () =>
      (
        await app.query<{ debt_id: string }>(
          `select r.debt_id from receipts r join charges c on c.id = r.charge_id
           where r.client_id = $1 order by c.approved_at, c.id`,
          [client.id],
        )
      ).map(({ debt_id }) => debt_id);

    expect((await regenerate(client, '?take=2')).body).toEqual({
      total: 2,
      regenerated: 2,
      skipped: 0,
      failed: [],
      capped: true,
      nextSkip: 2,
    });
    expect(await issuedIn()).toEqual(debts.slice(0, 2).map(({ debtId }) => debtId));
    expect((await regenerate(client, '?take=2&skip=2')).body).toMatchObject({ total: 2, capped: true, nextSkip: 4 });
    expect((await regenerate(client, '?take=2&skip=4')).body).toMatchObject({
      total: 1,
      capped: false,
      nextSkip: null,
    });
    expect(await issuedIn()).toEqual(debts.map(({ debtId }) => debtId));

    const nothing = { total: 0, regenerated: 0, skipped: 0, failed: [], capped: false, nextSkip: null };
    expect((await regenerate(client, '?take=2&skip=5')).body).toEqual(nothing);
    expect((await regenerate(client, '?skip=1000')).body).toEqual(nothing);
    expect((await regenerate(client, '?take=5')).body).toMatchObject({ total: 5, capped: false, nextSkip: null });
    expect((await regenerate(client)).body).toMatchObject({ total: 5, regenerated: 0, skipped: 5 });
    expect((await regenerate(await app.newClient())).body).toEqual(nothing);
  });

  it('keeps protocols, and bytes where the content is equal; a change is in the audit log with the former hash', async () => {
    const client = await app.newClient();
    await paidDebts(app.query, client.id, 3);
    await regenerate(client);
    const before = await stored(client);
    expect((await regenerate(client, '?force=true')).body).toMatchObject({ total: 3, regenerated: 3, skipped: 0 });
    const same = await stored(client);
    expect(same.map(({ sha256 }) => sha256)).toEqual(before.map(({ sha256 }) => sha256));
    for (const [index, { rendered_at }] of same.entries()) {
      expect(rendered_at.getTime()).toBeGreaterThan(before[index]!.rendered_at.getTime());
    }
    const redrawn = () =>
      app.query(
        `select target as protocol, details ->> 'formerSha256' as sha256 from audit_log
         where client_id = $1 and action = 'receipt_redrawn' order by target`,
        [client.id],
      );
    expect(await redrawn()).toEqual([]);

    const address = {
      street: 'Rua das Acácias',
      number: '120',
      district: 'Centro',
      city: 'Manaus',
      state: 'AM',
      postalCode: '69005000',
    };
    expect((await client.call('PATCH', '/api/onboarding/me', { address })).status).toBe(200);
    expect((await regenerate(client)).body).toMatchObject({ skipped: 3 });
    expect((await regenerate(client, '?force=true')).body).toMatchObject({ regenerated: 3 });
    const after = await stored(client);
    expect(after.map(({ protocol }) => protocol)).toEqual(before.map(({ protocol }) => protocol));
    expect(after.some(({ sha256 }, index) => sha256 === before[index]!.sha256)).toBe(false);
    expect(await redrawn()).toEqual(before.map(({ protocol, sha256 }) => ({ protocol, sha256 })));
    const file = await fetch(app.url + downloadPath(before[0]!.protocol));
    expect(file.headers.get('etag')).toBe(`"${after[0]!.sha256}"`);
  });

  it('draws receipts on an older template again, without force', async () => {
    const client = await app.newClient();
    await paidDebts(app.query, client.id, 2);
    await regenerate(client);
    const [old] = await stored(client);
    await app.query('update receipts set template_version = 0 where protocol = $1', [old!.protocol]);
    expect((await regenerate(client)).body).toMatchObject({ total: 2, regenerated: 1, skipped: 1 });
    expect((await regenerate(client)).body).toMatchObject({ regenerated: 0, skipped: 2 });
  });

  it.each(['', '?force=true'])('counts each receipt once in five concurrent runs%s', async (query) => {
    const client = await app.newClient();
    await paidDebts(app.query, client.id, 30);
    if (query !== '') await regenerate(client);
    // All five have read their page before any of them may lease a receipt.
    await app.query('begin');
    await app.query('lock table receipts in exclusive mode');
    const asked = Promise.all(Array.from({ length: 5 }, () => regenerate(client, query)));
    await until('all five wait', async () => {
      const [row] = await app.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks where relation = 'receipts'::regclass and not granted`,
      );
      return row?.waiting === 5 || null;
    });
    await app.query('commit');
    const pages = await asked;
    for (const { status, body } of pages) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 30, failed: [], capped: false, nextSkip: null });
      expect(body.regenerated + body.skipped).toBe(30);
    }
    expect(pages.reduce((sum, { body }) => sum + body.regenerated, 0)).toBe(30);
    expect(await stored(client)).toHaveLength(30);
    const events = await app.query(`select debt_id from debt_events where client_id = $1 and kind = 'receipt_issued'`, [
      client.id,
    ]);
    expect(events).toHaveLength(30);
  });

  it('reports an invalid row and continues with the others', async () => {
    const client = await app.newClient();
    const debts = await paidDebts(app.query, client.id, 4);
    await app.query('update charges set paid_centavos = 1 where id = $1', [debts[1]!.paymentId]);
    const { body } = await regenerate(client);
    expect(body).toMatchObject({ total: 4, regenerated: 3, skipped: 0 });
    expect(body.failed).toEqual([
      {
        paymentId: debts[1]!.paymentId,
        protocol: null,
        code: 'bad_data',
        message: 'receipt data: payment.amountCentavos does not settle the debt',
      },
    ]);
    // After the correction, the failed attempt does not delay it.
    await app.query('update charges set paid_centavos = amount_centavos where id = $1', [debts[1]!.paymentId]);
    expect((await regenerate(client)).body).toMatchObject({ total: 4, regenerated: 1, skipped: 3, failed: [] });
  });

  it('skips a receipt that another process draws, until its lease has expired', async () => {
    const client = await app.newClient();
    const [debt] = (await paidDebts(app.query, client.id, 1)) as [PaidDebt];
    await regenerate(client);
    const leaseUntil = (seconds: number) =>
      app.query(
        `update receipts set rendering_by = gen_random_uuid(), rendering_until = now() + make_interval(secs => $2)
         where charge_id = $1`,
        [debt.paymentId, seconds],
      );
    await leaseUntil(60);
    expect((await regenerate(client, '?force=true')).body).toMatchObject({ regenerated: 0, skipped: 1 });
    await leaseUntil(-1);
    expect((await regenerate(client, '?force=true')).body).toMatchObject({ regenerated: 1, skipped: 0 });
  });

  it.each(['take=0', 'take=101', 'take=abc', 'take=1.5', 'take=', 'skip=-1', 'skip=x', 'force=maybe', 'force=1'])(
    'refuses ?%s',
    async (query) => {
      const client = await app.newClient();
      expect(await regenerate(client, `?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ parameter: query.split('=')[0] }] },
      });
    },
  );

  it('does not change receipts of another client', async () => {
    const [mine, theirs] = [await app.newClient(), await app.newClient()];
    await paidDebts(app.query, theirs.id, 2);
    expect((await regenerate(mine, '?force=true')).body).toMatchObject({ total: 0 });
    expect(await stored(theirs)).toEqual([]);
  });
});
