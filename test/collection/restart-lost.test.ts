import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkflowRequest } from '../../src/kernel/ports/collection-workflows.ts';
import type { RunState } from '../../src/kernel/ports/workflow-runs.ts';
import type { RunsDeps } from '../../src/modules/collection/deps.ts';
import { holdIfEnded } from '../../src/modules/collection/recovery/hold-if-ended.ts';
import { restartLost } from '../../src/modules/collection/recovery/restart-lost.ts';
import { createEventWorkflows } from '../../src/platform/temporal/event-workflows.ts';
import { newAgreement } from '../../testing/agreements-harness.ts';
import { ask } from '../../testing/database.ts';
import { type GivenDebt, type MadeDebt, openEngine } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { agreementWorkflowId, campaignWorkflowId, collectionWorkflowId } from '../../workflows/ids.ts';

/** What the fake Temporal answers, and what was asked of it. */
let states: Map<string, RunState>;
let earlier: string | null;
let asked: string[];
let started: WorkflowRequest[];
let signalled: string[];
let turns: number[];

const engine = await opened(openEngine());
const runs: RunsDeps['runs'] = {
  latest: async (workflowId) => {
    asked.push(workflowId);
    return states.get(workflowId) ?? { kind: 'none' };
  },
  lastEnded: async () => (earlier === null ? null : { debtStatus: earlier }),
  startOrSignal: async (request, signal) => {
    started.push({ ...request, signal });
  },
  start: async (request) => void started.push(request),
  signal: async (workflowId, signal) => void signalled.push(`${workflowId} ${signal}`),
};
// The rows are written at the present of the database, so these suites use its clock.
const events = { workflows: createEventWorkflows(engine.deps.workflows) };
const deps = { ...engine.deps, now: () => new Date(engine.present()), runs, events };
beforeEach(async () => {
  states = new Map();
  earlier = null;
  [asked, started, signalled, turns] = [[], [], [], []];
  // The debts of the tests before are not looked at any more.
  for (const one of made.splice(0)) {
    await engine.query(one, `update clients set status = 'CANCELLED' where id = $1`, [one.clientId]);
    await engine.query(one, 'update messages set handled_at = quita_now() where debt_id = $1', [one.id]);
    await engine.query(one, 'update payment_notifications set handled_at = quita_now()');
  }
});

const made: MadeDebt[] = [];
/** A debt of a running campaign; its workflow should have worked `late` ago. */
async function debt(given: GivenDebt & { readonly late?: string; readonly set?: string } = {}): Promise<MadeDebt> {
  const { late = '1 hour', set, ...rest } = given;
  const one = await engine.debt({ status: 'IN_COLLECTION', ...rest });
  made.push(one);
  const values = `updated_at = quita_now() - interval '${late}', next_contact_at = quita_now() - interval '${late}'`;
  await engine.query(one, `update debts set ${set ?? values} where id = $1`, [one.id]);
  await engine.query(one, `update campaigns set updated_at = quita_now() - interval '2 hours' where id = $1`, [
    one.campaignId,
  ]);
  return one;
}
const running = (...debts: MadeDebt[]): void => {
  for (const { campaignId } of debts) states.set(campaignWorkflowId(campaignId), { kind: 'running' });
};
const restart = (task = {}) =>
  restartLost(deps)(task, async (ms) => {
    turns.push(ms);
  });
const startedIds = (): string[] => started.map(({ workflowId }) => workflowId);
const wf = ({ id }: MadeDebt): string => collectionWorkflowId(id);
const askedDebts = (): string[] => asked.filter((id) => id.startsWith('collection-'));
const needsPerson = async (one: MadeDebt): Promise<object[]> =>
  (
    await engine.query<{ data: object }>(
      one,
      `select data from debt_events where debt_id = $1 and kind = 'needs_person' order by seq`,
      [one.id],
    )
  ).map(({ data }) => data);

describe('a collection', () => {
  it.each([
    ['that nobody knows', { kind: 'none' }],
    ['that was terminated or has failed', { kind: 'broken' }],
    ['whose last workflow answered a message before the launch', { kind: 'ended', debtStatus: 'IMPORTED' }],
  ] as const)('%s is started as its campaign would have started it', async (_, state) => {
    const one = await debt({ set: `next_contact_at = quita_now() - interval '1 hour', clock_offset_ms = 77` });
    running(one);
    states.set(wf(one), state);
    expect(await restart()).toMatchObject({ asked: 1, running: 0, started: 1, heldCount: 0, more: false });
    expect(started).toMatchObject([
      {
        workflow: 'collect-debt',
        workflowId: wf(one),
        signal: 'stateChanged',
        payload: {
          clientId: one.clientId,
          campaignId: one.campaignId,
          debtId: one.id,
          sandbox: false,
          maxWaitMs: null,
          offsetMs: 77,
          firstAt: null,
        },
      },
    ]);
  });

  it('that runs is left alone, however late it is', async () => {
    const one = await debt({ late: '3 days' });
    running(one);
    states.set(wf(one), { kind: 'running' });
    expect(await restart()).toMatchObject({ asked: 1, running: 1, started: 0, woken: 0 });
    expect([started, signalled]).toEqual([[], []]);
  });

  it.each(['PAID', 'OPTED_OUT', 'EXHAUSTED'])(
    'that has ended as %s, which the database has forgotten, is held for the client, once',
    async (status) => {
      const one = await debt();
      running(one);
      states.set(wf(one), { kind: 'ended', debtStatus: status });
      expect(await restart()).toMatchObject({
        started: 0,
        heldCount: 1,
        held: [{ debtId: one.id, clientId: one.clientId, campaignId: one.campaignId }],
      });
      expect(await engine.status(one)).toBe('ON_HOLD');
      expect(await needsPerson(one)).toEqual([{ reason: 'end_forgotten', endedAs: status }]);
      // The client has decided, so the debt is collected again.
      await engine.query(
        one,
        `update debts set status = 'IN_COLLECTION', updated_at = quita_now() - interval '1 hour' where id = $1`,
        [one.id],
      );
      await engine.query(
        one,
        `update campaigns set status = 'RUNNING', updated_at = quita_now() - interval '1 hour' where id = $1`,
        [one.campaignId],
      );
      expect(await restart()).toMatchObject({ started: 1, heldCount: 0 });
    },
  );

  it('that has ended as its timeline says, and was resumed since, is started', async () => {
    const one = await debt();
    running(one);
    await engine.query(
      one,
      `insert into debt_events (client_id, debt_id, at, kind, data)
       values ($2, $1, quita_now(), 'status_changed', '{"from":"IN_COLLECTION","to":"EXHAUSTED"}')`,
      [one.id, one.clientId],
    );
    states.set(wf(one), { kind: 'ended', debtStatus: 'EXHAUSTED' });
    expect(await restart()).toMatchObject({ started: 1, heldCount: 0 });
  });

  it('is looked for when it is a quarter of an hour late, waits for no pause, and its client is active', async () => {
    const late = await debt({ late: '16 minutes' });
    const nullMoment = await debt({ set: `next_contact_at = null, updated_at = quita_now() - interval '16 minutes'` });
    const promised = await debt({ status: 'PROMISED', late: '20 minutes' });
    const planned = await debt({ status: 'QUEUED', late: '20 minutes' });
    const sandbox = await debt({
      sandbox: true,
      set: `next_contact_at = quita_now() + interval '9 days', updated_at = quita_now() - interval '16 minutes'`,
    });
    const wanted = [late, nullMoment, promised, planned, sandbox];
    const others = [
      await debt({ late: '14 minutes' }),
      await debt({
        set: `next_contact_at = quita_now() + interval '1 hour', updated_at = quita_now() - interval '2 days'`,
      }),
      await debt({ set: `next_contact_at = null, updated_at = quita_now() - interval '14 minutes'` }),
      await debt({ sandbox: true, set: `updated_at = quita_now() - interval '14 minutes'` }),
      await debt({ status: 'ON_HOLD' }),
      await debt({ status: 'PAID' }),
      await debt({
        set: `next_contact_at = null, paused_at = quita_now() - interval '1 day', updated_at = quita_now() - interval '1 day'`,
      }),
      // The campaign's workflow plans it.
      await debt({ status: 'QUEUED', set: `next_contact_at = null, updated_at = quita_now() - interval '45 minutes'` }),
    ];
    const paused = await debt();
    await engine.query(paused, `update campaigns set status = 'PAUSED' where id = $1`, [paused.campaignId]);
    const inactive = await debt();
    await engine.query(inactive, `update clients set status = 'PAUSED' where id = $1`, [inactive.clientId]);
    running(...wanted, ...others, paused, inactive);
    await restart();
    expect(askedDebts().sort()).toEqual(wanted.map(wf).sort());
    // An operator asks for all live debts, late or not.
    asked = [];
    await restart({ atOnce: true });
    expect(askedDebts()).toHaveLength(wanted.length + 5);
    expect(askedDebts()).not.toContain(wf(paused));
    expect(askedDebts()).not.toContain(wf(inactive));
  });

  it('that runs and is an hour late is woken when an operator asks', async () => {
    const [stuck, late] = [await debt({ late: '61 minutes' }), await debt({ late: '50 minutes' })];
    running(stuck, late);
    for (const one of [stuck, late]) states.set(wf(one), { kind: 'running' });
    expect(await restart({ atOnce: true })).toMatchObject({ running: 2, woken: 1, started: 0 });
    expect(signalled).toEqual([`${wf(stuck)} stateChanged`]);
  });
});

describe('what waits for a lost workflow, whatever the status of its debt', () => {
  const waits = async (minutes: number, given: GivenDebt = {}): Promise<MadeDebt> => {
    const one = await debt({ status: 'AGREEMENT', ...given });
    running(one);
    const message = { clientId: one.clientId, debtId: one.id, channel: 'sandbox', text: 'Aceito a 2' };
    await engine.services.receiveMessage({ ...message, channelMessageId: randomUUID() });
    await engine.query(
      one,
      `update messages set created_at = quita_now() - make_interval(mins => $2) where debt_id = $1`,
      [one.id, minutes],
    );
    return one;
  };

  it('is a message, for which the workflow is started with the signal that went with it', async () => {
    const [old, live] = [await waits(16), await waits(16, { status: 'IN_COLLECTION' })];
    await waits(14);
    await restart();
    const ofMessages = started.filter(({ signal }) => signal === 'messageReceived');
    expect(ofMessages.map(({ workflowId }) => workflowId).sort()).toEqual([wf(old), wf(live)].sort());
    expect(startedIds().indexOf(wf(live))).toBe(
      started.indexOf(ofMessages.find((one) => one.workflowId === wf(live))!),
    );
  });

  it('is a payment, also one of an agreement', async () => {
    const one = await debt({ status: 'STOPPED' });
    const query = <Row extends object>(text: string, params?: unknown[]) => ask<Row>(engine.url, text, params);
    await query(LET_OWNER_SEE);
    const agreement = await newAgreement(query, one.clientId);
    for (const [debtId, agreementId] of [
      [one.id, null],
      [agreement.debtIds[0], agreement.id],
    ]) {
      await query(
        `with charge as (
           insert into charges (id, client_id, debt_id, agreement_id, attempt, provider, provider_payment_id,
             provider_payment_key, status, amount_centavos, expires_at)
           values (gen_random_uuid(), $1, $2::text::uuid, $3, 1, 'sandbox', $2::text, $2::text, 'PENDING', 100, $4)
           returning id)
         insert into payment_notifications (client_id, charge_id, request_id, created_at)
         select $1, id, 'r', $4 from charge`,
        [one.clientId, debtId, agreementId, new Date(engine.present() - 20 * 60_000)],
      );
    }
    await restart();
    expect(started.filter(({ signal }) => signal === 'paymentNoticed').map(({ workflowId }) => workflowId)).toEqual([
      wf(one),
      agreementWorkflowId(agreement.id),
    ]);
  });

  it('is left to a workflow that runs, and an operator wakes that after an hour', async () => {
    const [hours, minutes] = [await waits(61), await waits(30)];
    for (const one of [hours, minutes]) states.set(wf(one), { kind: 'running' });
    expect(await restart()).toMatchObject({ asked: 2, running: 2, started: 0, woken: 0 });
    expect(await restart({ atOnce: true })).toMatchObject({ started: 0, woken: 1 });
    expect(signalled).toEqual([`${wf(hours)} messageReceived`]);
  });
});

describe('starting', () => {
  it('keeps the pace of first contacts, and gives each client its turn', async () => {
    const first = await debt();
    const { clientId, campaignId } = first;
    const many = [first];
    while (many.length < 120) many.push(await debt({ clientId, campaignId, late: '2 hours' }));
    const single = await debt({ late: '20 minutes' });
    running(first, single);
    expect(await restart()).toMatchObject({ asked: 121, started: 121 });
    expect(startedIds().indexOf(wf(single))).toBeLessThanOrEqual(50);
    expect(turns.filter((ms) => ms > 0)).toEqual(Array(121).fill(50));
  });

  it('stops after a limited number, and says that there is more', async () => {
    const one = await debt();
    running(one);
    await engine.query(
      one,
      `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status, next_contact_at)
       select client_id, campaign_id, n, 'Maria', '+5511980000000', lpad(n::text, 11, '0'), 100, due_date, status,
         next_contact_at
       from debts, generate_series(2, 2100) n where id = $1`,
      [one.id],
    );
    const report = await restart();
    expect(report.more).toBe(true);
    expect(report.started).toBe(2_000);
    for (const id of startedIds()) states.set(id, { kind: 'running' });
    expect(await restart()).toMatchObject({ asked: 2_100, running: 2_000, started: 100, more: false });
  });
});

describe('a campaign', () => {
  it('without a workflow is started, plans and starts its queued debts itself, and is told that it was lost', async () => {
    const queued = await debt({
      status: 'QUEUED',
      set: `next_contact_at = null, updated_at = quita_now() - interval '1 day'`,
    });
    const { clientId, campaignId } = queued;
    const planned = await debt({ status: 'QUEUED', clientId, campaignId });
    const contacted = await debt({ clientId, campaignId });
    await engine.query(queued, `update campaigns set updated_at = quita_now() - interval '16 minutes' where id = $1`, [
      campaignId,
    ]);
    states.set(campaignWorkflowId(campaignId), { kind: 'broken' });
    const report = await restart();
    expect(report).toMatchObject({ campaigns: [{ campaignId, did: 'started' }], started: 1 });
    expect(started.map(({ workflowId, payload }) => [workflowId, payload['restarted']])).toEqual([
      [campaignWorkflowId(campaignId), true],
      [wf(contacted), undefined],
    ]);
    expect(started[0]).toMatchObject({ workflow: 'run-campaign', signal: 'stateChanged' });
    expect(started[0]?.payload).toMatchObject({ clientId, campaignId, sandbox: false, maxWaitMs: null });
    expect(typeof started[0]?.payload['launchedAt']).toBe('number');
    expect(startedIds()).not.toContain(wf(planned));
  });

  it('that was launched just now is left to the outbox', async () => {
    const one = await debt();
    await engine.query(one, 'update campaigns set updated_at = quita_now() where id = $1', [one.campaignId]);
    expect((await restart()).campaigns).toEqual([]);
    expect((await restart({ atOnce: true })).campaigns).toEqual([{ campaignId: one.campaignId, did: 'started' }]);
  });

  it('of which only agreements are left is started like any other', async () => {
    const one = await debt({ status: 'AGREEMENT' });
    expect((await restart()).campaigns).toEqual([{ campaignId: one.campaignId, did: 'started' }]);
  });

  it('whose last debt has ended is completed, although the end was missed', async () => {
    const one = await debt({ status: 'EXHAUSTED' });
    running(one);
    expect(await restart()).toMatchObject({ campaigns: [{ campaignId: one.campaignId, did: 'completed' }] });
    const [row] = await engine.query<{ status: string }>(one, 'select status from campaigns where id = $1', [
      one.campaignId,
    ]);
    expect(row?.status).toBe('COMPLETED');
  });

  it('that has ended tells a workflow that still waits for the end', async () => {
    const [waits, over] = [await debt({ status: 'PAID' }), await debt({ status: 'PAID' })];
    for (const one of [waits, over]) {
      await engine.query(
        one,
        `update campaigns set status = 'COMPLETED', updated_at = quita_now() - interval '1 hour' where id = $1`,
        [one.campaignId],
      );
    }
    running(waits);
    states.set(campaignWorkflowId(over.campaignId), { kind: 'ended', debtStatus: null });
    expect((await restart()).campaigns).toEqual([{ campaignId: waits.campaignId, did: 'told' }]);
    expect(signalled).toEqual([`${campaignWorkflowId(waits.campaignId)} stateChanged`]);
  });

  it('that runs and has missed debts that came in is woken, and left alone while they may still be planned', async () => {
    const first = await debt({ late: '0 minutes' });
    running(first);
    states.set(wf(first), { kind: 'running' });
    const { clientId, campaignId } = first;
    const unplanned = (late: string) =>
      engine.query(first, `update debts set updated_at = quita_now() - $2::interval where id = $1`, [later.id, late]);
    const later = await engine.debt({ clientId, campaignId, status: 'QUEUED' });
    await unplanned('30 minutes');
    expect((await restart()).campaigns).toEqual([]);
    await unplanned('80 minutes');
    expect((await restart()).campaigns).toEqual([{ campaignId, did: 'woken' }]);
    expect(signalled).toEqual([`${campaignWorkflowId(campaignId)} stateChanged`]);
    // The campaign's workflow starts it, in the order of the scores.
    expect(started).toEqual([]);
  });

  it('that an operator names is the only one that is looked at, and must run', async () => {
    const [one, other] = [await debt(), await debt()];
    expect(await restart({ atOnce: true, campaignId: one.campaignId })).toMatchObject({ started: 1, refused: null });
    expect(startedIds()).toEqual([campaignWorkflowId(one.campaignId), wf(one)]);
    expect(await restart({ campaignId: randomUUID() })).toMatchObject({ refused: 'unknown_campaign', asked: 0 });
    await engine.query(other, `update campaigns set status = 'PAUSED' where id = $1`, [other.campaignId]);
    expect(await restart({ campaignId: other.campaignId })).toMatchObject({ refused: 'campaign_not_running' });
  });
});

describe('a run that a signal has started', () => {
  const ask = ({ clientId, id }: MadeDebt) => holdIfEnded(deps)({ clientId, debtId: id });

  it('holds a live debt whose earlier workflow had ended it', async () => {
    const one = await debt();
    earlier = 'PAID';
    await ask(one);
    expect(await engine.status(one)).toBe('ON_HOLD');
    expect(await needsPerson(one)).toEqual([{ reason: 'end_forgotten', endedAs: 'PAID' }]);
  });

  it('changes nothing when no workflow has ended before, when it ended before the launch, or when the debt has ended', async () => {
    const [live, over] = [await debt(), await debt({ status: 'EXHAUSTED' })];
    await ask(live);
    earlier = 'IMPORTED';
    await ask(live);
    earlier = 'PAID';
    await ask(over);
    expect([await engine.status(live), await engine.status(over)]).toEqual(['IN_COLLECTION', 'EXHAUSTED']);
  });
});
