import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RehearsalBatch, RehearsalRunner } from '../../src/modules/campaigns/ports/rehearsal-runner.ts';
import { type PlayedCampaign, playCampaign } from '../../src/modules/campaigns/rules/rehearsal/play-campaign.ts';
import { summarize } from '../../src/modules/campaigns/rules/rehearsal/summarize.ts';
import { rehearseCampaign } from '../../src/modules/campaigns/use-cases/rehearse-campaign.ts';
import type { CollectionDeps } from '../../src/modules/collection/deps.ts';
import type { NextStep } from '../../src/modules/debts/rules/next-step.ts';
import { loadPrices } from '../../src/modules/messaging/use-cases/load-prices.ts';
import { cpfOf } from '../../testing/debts.ts';
import { DAY, engineServices, openEngine } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';
import { campaignDebts, debtsOf, launchMoment, type RandomDebt } from './campaigns.ts';

/** A nightly run may take more: `REHEARSED_CAMPAIGNS=100 REHEARSED_DEBTS=40`. */
const CAMPAIGNS = Number(process.env['REHEARSED_CAMPAIGNS'] ?? 3);
const DEBTS = Number(process.env['REHEARSED_DEBTS'] ?? 20);
const DAYS = 30 * DAY;

const engine = await opened(openEngine());
/** The deployment writes by two kinds of channel, so that a person may prefer the second one. */
const senders = (['whatsapp', 'email'] as const).map((policyChannel) => ({
  channel: { ...engine.channel, capabilities: { ...engine.channel.capabilities, policyChannel } },
  credentials: null,
  id: null,
  number: null,
}));
const sendersOf = async () => senders;
const services = engineServices({ ...engine.deps, sendersOf });
const ofApi = { ...engine.ofApi, sendersOf };

interface Draft {
  readonly clientId: string;
  readonly campaignId: string;
}

async function draftOf(debts: readonly RandomDebt[], clientId: string = randomUUID()): Promise<Draft> {
  const campaignId = randomUUID();
  await engine.db.tenant(clientId).transactional(async (tx) => {
    await runInTransaction(
      tx,
      `insert into clients (id, name, email, plan, status) values ($1, 'Escola Aurora', $2, 'GROWTH', 'ACTIVE')
       on conflict do nothing`,
      [clientId, `f@${clientId}.com.br`],
    );
    await runInTransaction(
      tx,
      `insert into campaigns (id, client_id, name, status, reminders)
       values ($1, $2, 'Março', 'DRAFT', '{"daysBefore": [5, 1, 0]}')`,
      [campaignId, clientId],
    );
    for (const [at, { id, cpf, phones, heard, preference, dueDate, amountCentavos }] of debts.entries()) {
      await runInTransaction(
        tx,
        `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
           original_amount_centavos, due_date, status)
         values ($1, $2, $3, $4, 'Maria da Silva', $5, $6, $7, $8, 'IMPORTED')`,
        [id, clientId, campaignId, at + 1, phones[0], cpf, amountCentavos, dueDate],
      );
      // It was said before all of this: a wish that changes has the debts planned again, which no test here does.
      await runInTransaction(
        tx,
        `insert into person_requests (client_id, debtor_tax_id, sandbox, preference) values ($1, $2, true, $3)
         on conflict do nothing`,
        [clientId, cpf, preference === null ? null : JSON.stringify(preference)],
      );
      if (heard === null) continue;
      const { person, phone } = engine.deps.personKeys;
      await runInTransaction(
        tx,
        `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values (true, $1, $2, $3, $4)`,
        [heard, person(cpf), phone(phones[0] ?? ''), clientId],
      );
    }
  });
  await engine.ofApi.db.tenant(clientId).transactional(async (tx) => {
    for (const { id, phones } of debts.filter((debt) => debt.phones.length > 1)) {
      await runInTransaction(
        tx,
        `insert into debt_phones (client_id, debt_id, phone, position)
         select $1, $2, phone, position from unnest($3::text[]) with ordinality as each (phone, position)`,
        [clientId, id, phones],
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
  readonly purpose: string;
}

async function rehearse(deps: CollectionDeps, draft: Draft) {
  const rehearsals = keepingRunner();
  const answer = await rehearseCampaign({ ...deps, rehearsals, prices: loadPrices() })({
    ...draft,
    sandbox: true,
    days: 30,
  });
  const { debts, contacts: all } = rehearsals.played;
  const own = new Set(debts.filter(({ given }) => given.isOwn).map(({ given }) => given.debtId));
  const contacts = all
    .filter(({ debtId, alsoAbout }) => [debtId, ...alsoAbout].some((id) => own.has(id)))
    .map(({ at, debtId, alsoAbout, purpose }): Contact => ({ at, debtId, alsoAbout: alsoAbout.toSorted(), purpose }));
  return { answer, contacts };
}

interface Timer {
  readonly debtId: string;
  readonly at: number;
  readonly order: number;
}

/** Launches the draft in the sandbox, and returns the timers of its workflows. */
async function launch({ clientId, campaignId }: Draft): Promise<Timer[]> {
  const source = { ip: '127.0.0.1', by: 'api_key' } as const;
  await engine.requests.launchCampaign({ clientId, campaignId, sandbox: true, source });
  await services.scoreCampaign({ clientId, campaignId }, () => {});
  const timers: Timer[] = [];
  for (let after: string | null = null; ; ) {
    const page = await services.planCollection({ clientId, campaignId, after });
    for (const { debtId, firstAt } of page.debts) {
      timers.push({ debtId, at: firstAt ?? engine.clock.now, order: timers.length });
    }
    after = page.next;
    if (after === null) return timers;
  }
}

/**
 * Does what the workflows do until a moment, and returns the timers that are left: each debt is contacted at the moment
 * that the last activity named, in the order of time. Sandbox workflows do not wait for each other.
 */
async function play(clientId: string, timers: Timer[], until: number): Promise<Timer[]> {
  for (;;) {
    timers.sort((one, other) => one.at - other.at || one.order - other.order);
    const [timer] = timers;
    if (timer === undefined || timer.at > until) return timers;
    timers.shift();
    const clock = { at: timer.at, offsetMs: Math.max(0, timer.at - engine.clock.now), exact: true };
    const task = { clientId, debtId: timer.debtId, clock, attemptKey: randomUUID() };
    const step: NextStep = await services.contactDebtor(task);
    if (step.kind === 'wait') timers.push({ ...timer, at: step.until });
  }
}

async function contactsMade({ clientId, campaignId }: Draft, until: number): Promise<Contact[]> {
  const rows = await engine.query<{ at: Date; debt_id: string; also_about: string[] | null; purpose: string }>(
    { id: '', clientId, campaignId },
    `select at, debt_id, also_about, purpose from messages where purpose in ('collection', 'reminder') and at <= $2
     and exists (select from debts where campaign_id = $1 and id = any (array[debt_id] || coalesce(also_about, '{}')))`,
    [campaignId, new Date(until)],
  );
  return rows.map(({ at, debt_id: debtId, also_about: about, purpose }) => ({
    at: at.getTime(),
    debtId,
    alsoAbout: (about ?? []).toSorted(),
    purpose,
  }));
}

const inOrder = (contacts: readonly Contact[]): Contact[] =>
  contacts.toSorted((one, other) => one.at - other.at || (one.debtId < other.debtId ? -1 : 1));

/** Some debts of the same people are collected already, since some days. */
const earlierDays = fc.integer({ min: 1, max: 12 });

describe('a rehearsal and the sandbox run of the same campaign', () => {
  it('have the same contacts at the same moments, to the millisecond', async () => {
    let contacts = 0;
    await fc.assert(
      fc.asyncProperty(campaignDebts(DEBTS), launchMoment, earlierDays, async (sample, now, days) => {
        const debts = debtsOf(sample, now);
        // A rehearsal plays the other debts of its own people. Of others who share a phone with them, it knows only what is
        // booked or reserved.
        const left = new Set(debts.filter((_, at) => at % 4 > 0).map(({ cpf }) => cpf));
        const collected = debts.filter(({ cpf }, at) => at % 4 === 0 && left.has(cpf));
        engine.clock.now = now - days * DAY;
        const earlier = await draftOf(collected);
        const { clientId } = earlier;
        const timers = collected.length === 0 ? [] : await play(clientId, await launch(earlier), now);

        engine.clock.now = now;
        const draft = await draftOf(
          debts.filter((debt) => !collected.includes(debt)),
          clientId,
        );
        const rehearsed = await rehearse(ofApi, draft);
        // The debts that are collected already wake up after the others of the same moment.
        const waiting = timers.map((timer) => ({ ...timer, order: Number.MAX_SAFE_INTEGER }));
        await play(clientId, [...(await launch(draft)), ...waiting], now + DAYS);
        const made = await contactsMade(draft, now + DAYS);
        expect(inOrder(rehearsed.contacts)).toEqual(inOrder(made));
        contacts += made.length;
      }),
      { numRuns: CAMPAIGNS, endOnFailure: true },
    );
    // A random campaign may have few debtors who are contacted at all.
    expect(contacts).toBeGreaterThan(CAMPAIGNS);
  }, 600_000);

  it('give persons who want another channel their first contacts at the pace of all', async () => {
    const now = Date.parse('2026-12-05T15:00:00Z');
    const wish = { hours: null, weekdays: null, channel: 'email' as const };
    const debts = [1, 2, 3].map((n) => ({
      id: randomUUID(),
      cpf: cpfOf(390_000_000 + n),
      phones: [`+551197900000${n}`],
      heard: null,
      preference: wish,
      dueDate: '2026-10-05',
      amountCentavos: 10_000,
    }));
    engine.clock.now = now;
    const draft = await draftOf(debts);
    const rehearsed = await rehearse(ofApi, draft);
    await play(draft.clientId, await launch(draft), now + 3 * DAY);
    const made = inOrder(await contactsMade(draft, now + 3 * DAY));
    expect(new Set(made.map(({ at }) => at)).size).toBe(3);
    expect(inOrder(rehearsed.contacts).slice(0, 3)).toEqual(made);
  });
});
