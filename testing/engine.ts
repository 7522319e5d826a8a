import { randomUUID } from 'node:crypto';
import { composePayments } from '../src/app/compose/collection.ts';
import { composeEvents } from '../src/app/compose/events.ts';
import { createWorkerServices, type WorkerServices } from '../src/app/services/worker.ts';
import type { WorkflowRuns } from '../src/kernel/ports/workflow-runs.ts';
import { verifyClient } from '../src/modules/accounts/use-cases/verify-client.ts';
import { createWordingGuard } from '../src/modules/agent/adapters/guarded/own-wording.ts';
import { createRulesAgent } from '../src/modules/agent/adapters/rules/rules-agent.ts';
import { changeCampaign } from '../src/modules/campaigns/use-cases/change-campaign.ts';
import { launchCampaign } from '../src/modules/campaigns/use-cases/launch-campaign.ts';
import type { CollectionDeps } from '../src/modules/collection/deps.ts';
import { checkEligibility } from '../src/modules/collection/gate/check-eligibility.ts';
import { askGate, type GateVerdict } from '../src/modules/collection/gate/contact-gate.ts';
import { resumeDebt, withdrawDebt } from '../src/modules/collection/staff/change-debt.ts';
import { handBack } from '../src/modules/collection/staff/staff-conversation.ts';
import { writeToDebtor } from '../src/modules/collection/staff/write-to-debtor.ts';
import type { DebtTask } from '../src/modules/debts/rules/debt-task.ts';
import type { KnowingStep, NextStep } from '../src/modules/debts/rules/next-step.ts';
import { createTextHashes } from '../src/modules/genuine/use-cases/text-hashes.ts';
import { createSandboxChannel } from '../src/modules/messaging/adapters/sandbox/sandbox-channel.ts';
import type { MessagingChannel } from '../src/modules/messaging/ports/messaging-channel.ts';
import { createReceiptLinks } from '../src/modules/messaging/use-cases/receipt-links.ts';
import { readSandboxOutbox, sendSandboxMessage } from '../src/modules/messaging/use-cases/sandbox-messages.ts';
import { createSandboxProvider } from '../src/modules/payments/adapters/sandbox/sandbox-provider.ts';
import { createSandboxChargeStore } from '../src/modules/payments/queries/sandbox-charge-store.ts';
import { openCheckout } from '../src/modules/payments/use-cases/open-checkout.ts';
import { openPersonPage } from '../src/modules/payments/use-cases/open-person-page.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import { readPolicy } from '../src/modules/policy/use-cases/read-policy.ts';
import { createAesGcmCipher } from '../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { loadConfig, SECRET_NAMES } from '../src/platform/config/index.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { createSealedCursors } from '../src/platform/shared/cursor.ts';
import { createPersonKeys } from '../src/platform/shared/person-keys.ts';
import { accountWorkflows } from '../src/platform/temporal/account-workflows.ts';
import { createCollectionWorkflows } from '../src/platform/temporal/collection-workflows.ts';
import { createTestDatabase } from './database.ts';
import { memorySandboxOutbox } from './memory-sandbox-store.ts';
import { runInTransaction } from './raw-sql.ts';

/** A Wednesday inside every window of São Paulo, far from holidays: 18 November 2026, 11:00 there. */
export const WEDNESDAY = Date.UTC(2026, 10, 18, 14);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What the workflow does next, without what the database knew then. */
export const withoutKnown = ({ known: _, ...step }: KnowingStep): NextStep => step;

export interface Sending {
  readonly text: string;
  readonly phone: string;
  readonly purpose: string;
}

const SECRETS = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));
const CONFIG = loadConfig({ NODE_ENV: 'test', ...SECRETS }, { roles: ['worker'] });

/** Accepts every message into `sent`; `next` replaces the outcome of the next sending. */
export function createRecordingChannel() {
  const sent: Sending[] = [];
  const failures: Error[] = [];
  const channel: MessagingChannel = {
    name: 'sandbox',
    capabilities: createSandboxChannel(memorySandboxOutbox()).capabilities,
    async send({ id, to, text, context }) {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      sent.push({ text, phone: to.phone, purpose: context.purpose });
      return { channelMessageId: `rec_${id}`, channelUserId: null };
    },
    checkCredentials: async () => ({ shownAs: 'sandbox', peoplePerDay: null }),
  };
  return { channel, sent, failNext: (...errors: Error[]) => void failures.push(...errors) };
}

/** Creates the dependencies of collection on a database, with a clock that the test sets. */
export function engineDeps(db: Database, now: () => number, channel: MessagingChannel): CollectionDeps {
  const workflows = createCollectionWorkflows({ sandboxMaxWaitMs: 300 });
  const provider = createSandboxProvider({ store: createSandboxChargeStore(db), now: () => new Date(now()) });
  return {
    db,
    now: () => new Date(now()),
    policy: loadPolicy(),
    agent: createRulesAgent(),
    wordingGuard: createWordingGuard(),
    workflows,
    personKeys: createPersonKeys('a-secret-of-the-tests'),
    textHashes: createTextHashes(['a-secret-of-the-tests']),
    usedChannels: [],
    files: {
      channelOf: () => undefined,
      credentialsOf: async () => null,
      cipher: createAesGcmCipher(CONFIG.encryptionKey),
    },
    sendersOf: async () => [{ channel, credentials: null, id: null, number: null }],
    missingConnections: async () => [],
    payments: {
      ...composePayments(CONFIG, db, workflows, () => null),
      now: () => new Date(now()),
      accountFor: async () => ({ provider, credentials: null, accountId: null }),
      accountOf: async () => ({ provider, credentials: null, accountId: null }),
    },
    publicUrl: 'https://quita.example',
    receiptLinks: createReceiptLinks({ secrets: CONFIG.receiptSecret, publicUrl: 'https://quita.example' }),
    cursors: createSealedCursors(createAesGcmCipher(CONFIG.encryptionKey)),
    sandboxOnly: false,
    sandboxMaxWaitMs: 300,
    contactsPerSecond: 20,
    note: () => {},
  };
}

/** The worker's use cases without receipts and mails, which these suites do not use. */
export const engineServices = (deps: CollectionDeps): WorkerServices =>
  createWorkerServices({
    ...deps,
    renderer: { render: () => Promise.reject(new Error('These suites draw no receipts')) },
    mailerOf: () => null,
    mailer: null,
    events: composeEvents(CONFIG, deps),
    runs: noRuns,
  });

/** These suites run without Temporal, so that no workflow runs and none has ever ended. */
const noRuns: WorkflowRuns = {
  latest: async () => ({ kind: 'none' }),
  lastEnded: async () => null,
  startOrSignal: () => Promise.reject(new Error('These suites start no workflow')),
  start: () => Promise.reject(new Error('These suites start no workflow')),
  signal: async () => {},
};

export interface GivenDebt {
  readonly clientId?: string;
  readonly campaignId?: string;
  readonly status?: string;
  readonly cpf?: string;
  readonly phone?: string;
  /** Several phones in order; the first is the one in use. */
  readonly phones?: readonly string[];
  readonly dueDate?: string;
  readonly sandbox?: boolean;
  /** False for a client that the operator has not checked. */
  readonly verified?: boolean;
}

const CLIENT = `
  insert into clients (id, name, email, plan, status, cnpj)
  values ($1, 'Escola Aurora', $2, 'GROWTH', 'ACTIVE', '11222333000181')`;
const CAMPAIGN = `
  insert into campaigns (id, client_id, name, status, sandbox, launched_at) values ($1, $2, 'Mensalidades', 'RUNNING', $3, quita_now())`;
const DEBT = `
  insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
    original_amount_centavos, due_date, status, sandbox)
  values ($1, $2, $3, (select coalesce(max(position), 0) + 1 from debts where campaign_id = $3), 'Maria da Silva', $4, $5,
    15075, $6, $7, $8)`;

export interface MadeDebt {
  readonly id: string;
  readonly clientId: string;
  readonly campaignId: string;
}

async function makeDebt(
  db: Database,
  verify: (clientId: string) => Promise<unknown>,
  given: GivenDebt = {},
): Promise<MadeDebt> {
  const id = randomUUID();
  const clientId = given.clientId ?? randomUUID();
  const campaignId = given.campaignId ?? randomUUID();
  const sandbox = given.sandbox ?? false;
  await db.tenant(clientId).transactional(async (tx) => {
    if (given.clientId === undefined) await runInTransaction(tx, CLIENT, [clientId, `f@${clientId}.com.br`]);
    if (given.campaignId === undefined) await runInTransaction(tx, CAMPAIGN, [campaignId, clientId, sandbox]);
    await runInTransaction(tx, DEBT, [
      id,
      clientId,
      campaignId,
      given.phones?.[0] ?? given.phone ?? '+5511980001000',
      given.cpf ?? '52998224725',
      given.dueDate ?? '2026-10-05',
      given.status ?? 'QUEUED',
      sandbox,
    ]);
  });
  if (given.clientId === undefined && given.verified !== false) await verify(clientId);
  return { id, clientId, campaignId };
}

let people = 0;

/** A person of whom no other test of the file knows. */
export function somebody(): { readonly cpf: string; readonly phone: string } {
  people += 1;
  return { cpf: String(10_000_000_000 + people), phone: `+55119${String(70_000_000 + people)}` };
}

/** Works on a database of its own unless it is given the URL of another. */
export async function openEngine(given?: string) {
  const database = given === undefined ? await createTestDatabase() : undefined;
  const url = given ?? database!.url;
  // PostgreSQL's clock begins at the same moment as the test's, so that no test depends on the day on which it runs.
  const clockOffsetMs = WEDNESDAY - Date.now();
  const db = await openDatabase({ url, role: 'quita_worker', poolSize: 12, clockOffsetMs });
  const api = await openDatabase({ url, role: 'quita_app', poolSize: 4, clockOffsetMs });
  const operator = await openDatabase({ url, role: 'quita_operator', poolSize: 2, clockOffsetMs });
  const recording = createRecordingChannel();
  const clock = { now: WEDNESDAY };
  const deps = engineDeps(db, () => clock.now, recording.channel);
  const services = engineServices(deps);
  const ofApi: CollectionDeps = { ...deps, db: api };

  const verify = verifyClient({ db: operator, workflows: accountWorkflows, now: () => new Date(clock.now) });

  const request = (debt: MadeDebt, at = clock.now, attemptKey: string = randomUUID()): DebtTask => ({
    clientId: debt.clientId,
    debtId: debt.id,
    clock: { at, offsetMs: 0, exact: true },
    attemptKey,
  });
  const query = async <T extends object>(debt: MadeDebt, text: string, params: unknown[] = []): Promise<T[]> =>
    db.tenant(debt.clientId).transactional((tx) => runInTransaction<T>(tx, text, params));

  return {
    url,
    db,
    deps,
    ofApi,
    services,
    requests: {
      changeCampaign: changeCampaign(ofApi),
      checkEligibility: checkEligibility(ofApi),
      handBack: handBack(ofApi),
      launchCampaign: launchCampaign(ofApi),
      openCheckout: openCheckout({ ...deps.payments, personKeys: deps.personKeys, db: api }),
      openPersonPage: openPersonPage({ ...deps.payments, personKeys: deps.personKeys, db: api }),
      readPolicy: readPolicy(ofApi),
      readSandboxOutbox: readSandboxOutbox(ofApi),
      resumeDebt: resumeDebt(ofApi),
      sendSandboxMessage: sendSandboxMessage(ofApi),
      withdrawDebt: withdrawDebt(ofApi),
      writeToDebtor: writeToDebtor(ofApi),
    },
    /** The operator's check of the company. */
    verify,
    clock,
    clockOffsetMs,
    /** The moment of PostgreSQL, which goes on while `clock` stands. */
    present: (): number => Date.now() + clockOffsetMs,
    ...recording,
    /** Each test begins at the same moment, and counts its own messages. */
    reset(): void {
      clock.now = WEDNESDAY;
      recording.sent.length = 0;
    },
    request,
    query,
    async debt(given: GivenDebt = {}): Promise<MadeDebt> {
      const made = await makeDebt(db, verify, given);
      await api.tenant(made.clientId).transactional((tx) =>
        runInTransaction(
          tx,
          `insert into debt_phones (client_id, debt_id, phone, position)
             select $1, $2, phone, position from unnest($3::text[]) with ordinality as each (phone, position)`,
          [made.clientId, made.id, given.phones ?? []],
        ),
      );
      return made;
    },
    contact: (debt: MadeDebt, at?: number, attemptKey?: string) =>
      services.contactDebtor(request(debt, at, attemptKey)),
    gate: (debt: MadeDebt, at?: number): Promise<GateVerdict> =>
      askGate(deps, taskOf(debt), request(debt, at).clock, {
        purpose: 'collection',
        text: 'oi',
        short: 'oi',
        others: [],
        candidates: [
          { sender: { channel: recording.channel, credentials: null, id: null, number: null }, known: null },
        ],
        attemptKey: randomUUID(),
      }),
    async hear(debt: MadeDebt, text: string, phone?: string) {
      await services.receiveMessage({
        clientId: debt.clientId,
        debtId: debt.id,
        channel: 'sandbox',
        phone,
        channelMessageId: randomUUID(),
        text,
      });
      return services.answerDebtor(request(debt));
    },
    /** Returns the reasons for which the debt stands in the inbox. */
    inbox: async (debt: MadeDebt): Promise<string[]> =>
      (
        await query<{ reason: string }>(
          debt,
          'select reason from inbox_items where debt_id = $1 and closed_at is null order by reason',
          [debt.id],
        )
      ).map(({ reason }) => reason),
    status: async (debt: MadeDebt): Promise<string> =>
      (await query<{ status: string }>(debt, 'select status from debts where id = $1', [debt.id]))[0]?.status ?? '',
    verdicts: async (debt: MadeDebt) =>
      (
        await query<{ data: { allowed: boolean; rules: string[]; notBefore: string | null } }>(
          debt,
          `select data from debt_events where debt_id = $1 and kind = 'verdict' order by seq`,
          [debt.id],
        )
      ).map(({ data: { allowed, rules, notBefore } }) => ({ allowed, rules, notBefore })),
    deliveries: async (debt: MadeDebt): Promise<string[]> =>
      (
        await query<{ delivery: string }>(
          debt,
          `select delivery from messages where debt_id = $1 and direction = 'out' order by created_at`,
          [debt.id],
        )
      ).map(({ delivery }) => delivery),
    ledger: async (debt: MadeDebt) =>
      query<{ kind: string; at: Date }>(debt, 'select kind, at from contact_ledger where debt_id = $1 order by at', [
        debt.id,
      ]),
    async close() {
      await operator.close();
      await api.close();
      await db.close();
      await database?.drop();
    },
  };
}

const taskOf = ({ id, clientId }: MadeDebt) => ({ clientId, debtId: id });

export type Engine = Awaited<ReturnType<typeof openEngine>>;
