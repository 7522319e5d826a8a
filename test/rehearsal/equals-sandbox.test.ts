import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NextStep } from '../../src/domain/next-step.ts';
import { type PlayedCampaign, playCampaign } from '../../src/domain/rehearsal/play-campaign.ts';
import { summarize } from '../../src/domain/rehearsal/summarize.ts';
import type { RehearsalBatch, RehearsalRunner } from '../../src/ports/rehearsal-runner.ts';
import { rehearseCampaign } from '../../src/services/campaigns/rehearse-campaign.ts';
import type { CollectionDeps } from '../../src/services/collection/deps.ts';
import { loadPrices } from '../../src/services/shared/load-prices.ts';
import { type Engine, HOUR, openEngine } from '../collection/engine.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runInTransaction } from '../support/raw-sql.ts';
import { campaignDebts, debtsOf, launchMoment, type RandomDebt } from './campaigns.ts';

/** A nightly run may take more: `REHEARSED_CAMPAIGNS=100 REHEARSED_DEBTS=40`. */
const CAMPAIGNS = Number(process.env['REHEARSED_CAMPAIGNS'] ?? 3);
const DEBTS = Number(process.env['REHEARSED_DEBTS'] ?? 20);
const DAYS = 30 * 24 * HOUR;

let database: TestDatabase;
let engine: Engine;

beforeAll(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
});
afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

interface Draft {
  readonly clientId: string;
  readonly campaignId: string;
}

async function draftOf(debts: readonly RandomDebt[], clientId: string = randomUUID()): Promise<Draft> {
  const campaignId = randomUUID();
  await engine.db.tenant(clientId).transactional(async (em) => {
    await runInTransaction(
      em,
      `insert into clients (id, name, email, plan, status) values ($1, 'Escola Aurora', $2, 'GROWTH', 'ACTIVE')
       on conflict do nothing`,
      [clientId, `f@${clientId}.com.br`],
    );
    await runInTransaction(
      em,
      `insert into campaigns (id, client_id, name, status) values ($1, $2, 'Março', 'DRAFT')`,
      [campaignId, clientId],
    );
    for (const [at, { id, cpf, phone, dueDate, amountCentavos }] of debts.entries()) {
      await runInTransaction(
        em,
        `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf,
           original_amount_centavos, due_date, status)
         values ($1, $2, $3, $4, 'Maria da Silva', $5, $6, $7, $8, 'IMPORTED')`,
        [id, clientId, campaignId, at + 1, phone, cpf, amountCentavos, dueDate],
      );
    }
  });
  return { clientId, campaignId };
}

/** Plays in this thread, and keeps what was played. */
function keepingRunner(): RehearsalRunner & { played: PlayedCampaign } {
  const runner = {
    played: { contacts: [], debts: [] } as PlayedCampaign,
    async run(frame: Parameters<RehearsalRunner['run']>[0], batches: AsyncIterable<RehearsalBatch>) {
      const all: RehearsalBatch[] = [];
      for await (const batch of batches) all.push(batch);
      const debts = all.flatMap((batch) => batch.debts);
      const ledger = all.flatMap((batch) => batch.ledger);
      runner.played = playCampaign({ ...frame, debts, ledger });
      return summarize(frame, runner.played);
    },
  };
  return runner;
}

interface Contact {
  readonly at: number;
  readonly debtId: string;
  readonly alsoAbout: readonly string[];
}

async function rehearse(deps: CollectionDeps, draft: Draft) {
  const rehearsals = keepingRunner();
  const answer = await rehearseCampaign({ ...deps, rehearsals, prices: loadPrices() })({ ...draft, sandbox: true });
  const contacts = rehearsals.played.contacts.map(
    ({ at, debtId, alsoAbout }): Contact => ({ at, debtId, alsoAbout: alsoAbout.toSorted() }),
  );
  return { answer, contacts };
}

/**
 * Launches the draft in the sandbox and does what its workflows do, until `until`: each debt is contacted at the moment
 * that the last activity named, in the order of time. Sandbox workflows do not wait for each other.
 */
async function run({ clientId, campaignId }: Draft, until: number): Promise<void> {
  const source = { ip: '127.0.0.1', by: 'api_key' } as const;
  await engine.requests.launchCampaign({ clientId, campaignId, sandbox: true, source });
  await engine.services.scoreCampaign({ clientId, campaignId }, () => {});
  const timers: { debtId: string; at: number; order: number }[] = [];
  for (let after: string | null = null; ; ) {
    const page = await engine.services.planCollection({ clientId, campaignId, after });
    for (const { debtId, firstAt } of page.debts) {
      timers.push({ debtId, at: firstAt ?? engine.clock.now, order: timers.length });
    }
    after = page.next;
    if (after === null) break;
  }
  for (;;) {
    timers.sort((one, other) => one.at - other.at || one.order - other.order);
    const timer = timers.shift();
    if (timer === undefined || timer.at > until) return;
    const clock = { at: timer.at, offsetMs: Math.max(0, timer.at - engine.clock.now), exact: true };
    const task = { clientId, debtId: timer.debtId, clock, attemptKey: randomUUID() };
    const step: NextStep = await engine.services.contactDebtor(task);
    if (step.kind === 'wait') timers.push({ ...timer, at: step.until });
  }
}

async function contactsMade({ clientId, campaignId }: Draft, until: number): Promise<Contact[]> {
  const rows = await engine.query<{ at: Date; debt_id: string; also_about: string[] | null }>(
    { id: '', clientId, campaignId },
    `select messages.at, debt_id, also_about from messages join debts on debts.id = debt_id
     where campaign_id = $1 and purpose = 'collection' and messages.at <= $2`,
    [campaignId, new Date(until)],
  );
  return rows.map(({ at, debt_id: debtId, also_about: about }) => ({
    at: at.getTime(),
    debtId,
    alsoAbout: (about ?? []).toSorted(),
  }));
}

const inOrder = (contacts: readonly Contact[]): Contact[] =>
  contacts.toSorted((one, other) => one.at - other.at || (one.debtId < other.debtId ? -1 : 1));

describe('a rehearsal and the sandbox run of the same campaign', () => {
  it('have the same contacts at the same moments, to the millisecond', async () => {
    await fc.assert(
      fc.asyncProperty(campaignDebts(DEBTS), launchMoment, async (sample, now) => {
        engine.clock.now = now;
        const draft = await draftOf(debtsOf(sample, now));
        const rehearsed = await rehearse(engine.ofApi, draft);
        await run(draft, now + DAYS);
        const made = await contactsMade(draft, now + DAYS);
        expect(inOrder(rehearsed.contacts)).toEqual(inOrder(made));
        expect(made.length).toBeGreaterThan(DEBTS / 2);
      }),
      { numRuns: CAMPAIGNS, endOnFailure: true },
    );
  }, 600_000);
});
