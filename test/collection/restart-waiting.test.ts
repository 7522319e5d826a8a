import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RunState } from '../../src/kernel/ports/workflow-runs.ts';
import type { RunsDeps } from '../../src/modules/collection/deps.ts';
import { restartLost } from '../../src/modules/collection/recovery/restart-lost.ts';
import { createEventWorkflows } from '../../src/platform/temporal/event-workflows.ts';
import { ask } from '../../testing/database.ts';
import { type MadeDebt, openEngine } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import {
  collectionWorkflowId,
  listingsWorkflowId,
  phoneRequestWorkflowId,
  webhookWorkflowId,
} from '../../workflows/ids.ts';

/** What the fake Temporal answers, and what was asked of it. */
let state: RunState;
let started: string[];
let signalled: string[];

const engine = await opened(openEngine());
const runs: RunsDeps['runs'] = {
  latest: async () => state,
  lastEnded: async () => null,
  startOrSignal: async ({ workflowId }, signal) => void started.push(`${workflowId} ${signal}`),
  start: async ({ workflowId }) => void started.push(workflowId),
  signal: async (workflowId, signal) => void signalled.push(`${workflowId} ${signal}`),
};
const events = { workflows: createEventWorkflows(engine.deps.workflows) };
const deps = { ...engine.deps, now: () => new Date(engine.present()), runs, events };
const query = <Row extends object>(text: string, params?: unknown[]) => ask<Row>(engine.url, text, params);
await query(LET_OWNER_SEE);

beforeEach(() => {
  state = { kind: 'none' };
  [started, signalled] = [[], []];
});

const restart = (task = {}) => restartLost(deps)(task, async () => undefined);
const minutesAgo = (minutes: number) => new Date(engine.present() - minutes * 60_000);

/** What was started for the debt. */
const startedFor = ({ id }: MadeDebt) =>
  started.filter((one) => one.startsWith(collectionWorkflowId(id)) || one.startsWith(listingsWorkflowId(id)));

const outgoing = (one: MadeDebt, minutes: number, how: { delivery: string; staff: boolean; undo: boolean }) =>
  query(
    `insert into messages (id, client_id, debt_id, direction, channel, purpose, text, phone, at, created_at, delivery,
       staff, is_undo_due)
     values ($1, $2, $3, 'out', 'sandbox', 'reply', 'Bom dia, Maria. Já corrigimos.', '+5511980001000', $4, $4, $5, $6,
       $7)`,
    [randomUUID(), one.clientId, one.id, minutesAgo(minutes), how.delivery, how.staff, how.undo],
  );

/** A delivery of an issued receipt that is due by the debt's own clock. */
async function delivery(one: MadeDebt, minutes: number, given: { state: string; revoked?: boolean }) {
  const [chargeId, receiptId, at] = [randomUUID(), randomUUID(), minutesAgo(minutes)];
  await query(
    `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
       amount_centavos, paid_centavos, expires_at, approved_at, paid_at)
     values ($1, $2, $3, 1, 'sandbox', $4, $4, 'APPROVED', 15075, 15075, $5, $5, $5)`,
    [chargeId, one.clientId, one.id, chargeId, at],
  );
  await query(
    `insert into receipts (id, client_id, debt_id, charge_id, protocol, facts, issued_at, pdf, sha256,
       template_version, rendered_at, revoked_at, revoked_reason)
     values ($1, $2, $3, $4, $5, '{}', $6, 'pdf', $7, 1, $6, $8, $9)`,
    [
      ...[receiptId, one.clientId, one.id, chargeId, `QT-${receiptId}`, at, '0'.repeat(64)],
      ...(given.revoked === true ? [at, 'refund'] : [null, null]),
    ],
  );
  await query(
    `insert into receipt_deliveries (id, client_id, debt_id, receipt_id, way, on_confirmation, state, wished_at, due_at)
     select gen_random_uuid(), client_id, id, $2, 'message', true, $3, $4,
       $4::timestamptz + make_interval(secs => clock_offset_ms / 1000.0)
     from debts where id = $1`,
    [one.id, receiptId, given.state, at],
  );
}

const listing = (one: MadeDebt, remindAt: Date | null, removedOn: string | null = null) =>
  query(
    `insert into bureau_listings (id, client_id, debt_id, bureau, listed_on, notified_on, remove_by, remind_at, removed_on)
     values (gen_random_uuid(), $1, $2, 'Bureau A', '2026-11-01', '2026-10-10', $3, $4, $5)`,
    [one.clientId, one.id, minutesAgo(0), remindAt, removedOn],
  );

describe('what staff have written', () => {
  it.each(['waiting', 'booked'])('and is %s is sent by the workflow that was lost', async (state) => {
    const [one, lately] = [await engine.debt({ status: 'ON_HOLD' }), await engine.debt({ status: 'ON_HOLD' })];
    await outgoing(one, 16, { delivery: state, staff: true, undo: false });
    await outgoing(lately, 14, { delivery: state, staff: true, undo: false });
    await restart();
    expect(startedFor(one)).toEqual([`${collectionWorkflowId(one.id)} messageReceived`]);
    expect(startedFor(lately)).toEqual([]);
    await restart({ atOnce: true });
    expect(startedFor(lately)).toHaveLength(1);
  });

  it('and was sent starts nothing, and neither does what the product has booked', async () => {
    const one = await engine.debt({ status: 'ON_HOLD' });
    await outgoing(one, 60, { delivery: 'sent', staff: true, undo: false });
    await outgoing(one, 60, { delivery: 'booked', staff: false, undo: false });
    await restart();
    expect(startedFor(one)).toEqual([]);
  });

  it('is left to a workflow that runs, which an operator wakes after an hour', async () => {
    const one = await engine.debt({ status: 'ON_HOLD' });
    await outgoing(one, 61, { delivery: 'waiting', staff: true, undo: false });
    state = { kind: 'running' };
    await restart();
    expect([started, signalled]).toEqual([[], []]);
    await restart({ atOnce: true });
    expect(signalled).toContain(`${collectionWorkflowId(one.id)} messageReceived`);
    expect(started).toEqual([]);
  });
});

describe('a message that a channel could not deliver', () => {
  it('is undone by the workflow of a debt that has ended; a live debt is found when it is late', async () => {
    const [paid, live] = [await engine.debt({ status: 'PAID' }), await engine.debt({ status: 'IN_COLLECTION' })];
    for (const one of [paid, live]) await outgoing(one, 16, { delivery: 'failed', staff: false, undo: true });
    await query(`update debts set next_contact_at = $2 where id = $1`, [live.id, minutesAgo(-60)]);
    await restart();
    expect(startedFor(paid)).toEqual([`${collectionWorkflowId(paid.id)} stateChanged`]);
    expect(startedFor(live)).toEqual([]);
  });
});

describe('a receipt', () => {
  it.each(['waiting', 'booked'])('that is %s is sent by the workflow that was lost, when it is due', async (state) => {
    const [due, sandbox] = [
      await engine.debt({ status: 'PAID' }),
      await engine.debt({ status: 'PAID', sandbox: true }),
    ];
    const later = await engine.debt({ status: 'PAID' });
    await query('update debts set clock_offset_ms = 86400000 where id = $1', [sandbox.id]);
    for (const one of [due, sandbox]) await delivery(one, 16, { state });
    await delivery(later, -60, { state });
    await restart();
    for (const one of [due, sandbox]) {
      expect(startedFor(one)).toEqual([`${collectionWorkflowId(one.id)} receiptWanted`]);
    }
    expect(startedFor(later)).toEqual([]);
  });

  it('that may not be sent any more, or was sent, starts nothing', async () => {
    const [revoked, open, sent] = [
      await engine.debt({ status: 'PAID' }),
      await engine.debt({ status: 'ON_HOLD' }),
      await engine.debt({ status: 'PAID' }),
    ];
    await delivery(revoked, 60, { state: 'booked', revoked: true });
    await delivery(open, 60, { state: 'booked' });
    await delivery(sent, 60, { state: 'sent' });
    await restart();
    for (const one of [revoked, open, sent]) expect(startedFor(one)).toEqual([]);
  });
});

describe('a listing at a bureau', () => {
  it('reminds the staff again when its workflow was lost', async () => {
    const [due, later] = [await engine.debt({ status: 'PAID' }), await engine.debt({ status: 'AGREEMENT' })];
    await listing(due, minutesAgo(16));
    await listing(later, minutesAgo(-60));
    await restart();
    expect(startedFor(due)).toEqual([`${listingsWorkflowId(due.id)} stateChanged`]);
    expect(startedFor(later)).toEqual([]);
    await restart({ atOnce: true });
    expect(startedFor(later)).toEqual([`${listingsWorkflowId(later.id)} stateChanged`]);
  });

  it('that was removed, or of which nothing is left to tell, starts nothing', async () => {
    const [removed, told] = [await engine.debt({ status: 'PAID' }), await engine.debt({ status: 'PAID' })];
    await listing(removed, minutesAgo(60), '2026-11-20');
    await listing(told, null);
    await restart();
    for (const one of [removed, told]) expect(startedFor(one)).toEqual([]);
  });
});

describe('an event for a webhook', () => {
  /** It wants a type of which these tests cause no event. */
  async function webhook(paused: Date | null = null): Promise<{ readonly id: string; readonly clientId: string }> {
    const { clientId } = await engine.debt({ status: 'PAID' });
    const id = randomUUID();
    await query(
      `insert into webhooks (id, client_id, url, types, secret, paused_until)
       values ($1, $2, 'https://receiver.example/', '{receipt.issued}', 'v1.x.y', $3)`,
      [id, clientId, paused],
    );
    return { id, clientId };
  }
  const event = (to: { readonly id: string; readonly clientId: string }, due: Date | null) =>
    query(
      `insert into webhook_deliveries (client_id, webhook_id, event_seq, next_attempt_at, state)
       values ($1, $2, 1, $3::timestamptz, case when $3::timestamptz is null then 'delivered' else 'pending' end)`,
      [to.clientId, to.id, due],
    );
  const startedTo = ({ id }: { readonly id: string }) => started.filter((one) => one.startsWith(webhookWorkflowId(id)));

  it('that waits for its next attempt is posted by the workflow that was lost', async () => {
    const [due, lately, taken] = [await webhook(), await webhook(), await webhook()];
    for (const minutes of [16, 30]) await event(due, minutesAgo(minutes));
    await event(lately, minutesAgo(14));
    await event(taken, null);
    await restart();
    expect(startedTo(due)).toEqual([`${webhookWorkflowId(due.id)} deliveriesDue`]);
    expect([...startedTo(lately), ...startedTo(taken)]).toEqual([]);
    await restart({ atOnce: true });
    expect(startedTo(lately)).toHaveLength(1);
    expect(startedTo(taken)).toEqual([]);
  });

  it('waits for a pause that its receiver has asked for', async () => {
    const [paused, rested] = [await webhook(minutesAgo(-10)), await webhook(minutesAgo(16))];
    for (const one of [paused, rested]) await event(one, minutesAgo(30));
    await restart();
    expect(startedTo(paused)).toEqual([]);
    expect(startedTo(rested)).toHaveLength(1);
  });

  it('is left to a workflow that runs, which an operator wakes after an hour', async () => {
    const one = await webhook();
    await event(one, minutesAgo(61));
    state = { kind: 'running' };
    await restart();
    expect([started, signalled]).toEqual([[], []]);
    await restart({ atOnce: true });
    expect(signalled).toContain(`${webhookWorkflowId(one.id)} deliveriesDue`);
  });

  it('is not looked for when one campaign is', async () => {
    const one = await webhook();
    await event(one, minutesAgo(30));
    const { campaignId } = await engine.debt({ status: 'PAID' });
    await restart({ atOnce: true, campaignId });
    expect(startedTo(one)).toEqual([]);
  });
});

describe('a request for a phone', () => {
  async function phoneRequest(minutes: number, given: { delivery?: string; askedFor?: number } = {}): Promise<string> {
    const { clientId } = await engine.debt({ status: 'PAID' });
    const id = randomUUID();
    await query(
      `insert into phone_requests (id, client_id, channel, sender_id, person_key, sealed, ask_until, created_at, delivery)
       values ($1, $2, 'whatsapp', 's', 'p', 'x', $3, $4, $5)`,
      [id, clientId, minutesAgo(-(given.askedFor ?? 600)), minutesAgo(minutes), given.delivery ?? 'booked'],
    );
    return phoneRequestWorkflowId(id);
  }

  it.each<RunState['kind']>(['none', 'broken'])('is sent by the workflow that was lost (%s)', async (kind) => {
    const [one, lately] = [await phoneRequest(16), await phoneRequest(14)];
    state = kind === 'broken' ? { kind } : { kind: 'none' };
    await restart();
    expect(started).toContain(one);
    expect(started).not.toContain(lately);
    await restart({ atOnce: true });
    expect(started).toContain(lately);
  });

  it('that was sent, or for which the time is over, starts nothing', async () => {
    const ids = [await phoneRequest(30, { delivery: 'sent' }), await phoneRequest(1_380, { askedFor: -1 })];
    await restart();
    for (const id of ids) expect(started).not.toContain(id);
  });

  it('is not sent again when its workflow runs, or has ended and the database has forgotten it', async () => {
    const one = await phoneRequest(30);
    for (const kind of ['running', 'ended'] as const) {
      state = kind === 'ended' ? { kind, debtStatus: null } : { kind };
      await restart();
      expect(started).not.toContain(one);
      expect(signalled).not.toContain(one);
    }
  });
});
