import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { protectAfterRestore } from '../../src/modules/campaigns/use-cases/protect-after-restore.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ask } from '../../testing/database.ts';
import { DAY, HOUR, type MadeDebt, openEngine, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const old = randomUUID();
const recent = [randomUUID(), randomUUID()] as const;

/** The backup is of Tuesday morning, and the service was lost on Wednesday morning. */
const moments = {
  temporalAt: new Date(WEDNESDAY - DAY - 60_000),
  takenAt: new Date(WEDNESDAY - DAY),
  stoppedAt: new Date(WEDNESDAY - HOUR),
};

const deliver = (id: string, at: Date) =>
  ask(
    engine.url,
    `insert into outbox (id, kind, workflow, workflow_id, payload, dedupe_key, delivered_at)
     values ($1, 'start', 'heartbeat', $2, '{}', 'the-same', $3)`,
    [id, `heartbeat-${id}`, at],
  );

const campaignStatus = async (debt: MadeDebt): Promise<string | undefined> =>
  (await engine.query<{ status: string }>(debt, 'select status from campaigns where id = $1', [debt.campaignId]))[0]
    ?.status;

const engine = await opened(openEngine());
const operator = await opened(openDatabase({ url: engine.url, role: 'quita_operator' }));
const real = await engine.debt();
const sandbox = await engine.debt({ sandbox: true, cpf: '10000000001', phone: '+5511980001001' });
await deliver(old, new Date(WEDNESDAY - 2 * DAY));
for (const id of recent) await deliver(id, new Date(WEDNESDAY - DAY + HOUR));
const protection = await protectAfterRestore({ db: operator })(moments);

describe('a database that was restored from a backup', () => {
  it('has its campaigns that contact real people paused, with an entry of the audit log, and no others', async () => {
    expect(protection.paused).toEqual([{ clientId: real.clientId, campaigns: 1 }]);
    expect(await campaignStatus(real)).toBe('PAUSED');
    expect(await campaignStatus(sandbox)).toBe('RUNNING');
    await ask(engine.url, 'alter table audit_log no force row level security');
    expect(
      await ask(engine.url, `select actor, target, details from audit_log where action = 'campaign_paused'`),
    ).toEqual([{ actor: 'operator', target: real.campaignId, details: { from: 'RUNNING', because: 'restored' } }]);
  });

  it('delivers to Temporal again what Temporal may not know, also two rows of one key', async () => {
    expect(protection.deliveries).toBe(2);
    const rows = await ask<{ id: string }>(
      engine.url,
      `select id from outbox where delivered_at is null and workflow = 'heartbeat' order by id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(recent.toSorted());
  });

  it('counts a contact of everybody on each day of which it knows nothing, also when its campaign is resumed', async () => {
    expect(protection.days).toBe(2);
    const { clientId, campaignId } = real;
    await engine.requests.changeCampaign({ clientId, campaignId, change: 'resume', source: { ip: '', by: 'session' } });
    expect(await engine.gate(real)).toEqual({ kind: 'refused' });
    expect(await engine.verdicts(real)).toEqual([
      { allowed: false, rules: ['caps'], notBefore: '2026-11-19T12:00:00.000Z' },
    ]);
    // The API answers as the gate does.
    expect(await engine.requests.checkEligibility({ clientId, debtId: real.id })).toMatchObject({
      allowed: false,
      rules: ['caps'],
    });
    const thursday = WEDNESDAY + DAY;
    engine.clock.now = thursday;
    expect(await engine.gate(real, thursday)).toMatchObject({ kind: 'allowed' });
    // Tuesday, Wednesday and Thursday are three contacts of 168 hours, so the next one follows these 168 hours.
    const [planned] = await engine.query<{ at: Date }>(real, 'select next_contact_at as at from debts where id = $1', [
      real.id,
    ]);
    expect(planned?.at.toISOString()).toMatch(/^2026-11-25T/);
  });

  it('does not limit the sandbox, whose contacts are all in the database', async () => {
    engine.clock.now = WEDNESDAY;
    expect(await engine.gate(sandbox)).toMatchObject({ kind: 'allowed' });
  });

  it('counts nothing when nothing was sent since the backup', async () => {
    const again = await protectAfterRestore({ db: operator })({ ...moments, stoppedAt: moments.takenAt });
    expect(again).toMatchObject({ days: 0, paused: [] });
  });
});
