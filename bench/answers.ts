/**
 * `node bench/answers.ts [debts] [seconds]` measures how long debtors wait for an answer, and payments for APPROVED,
 * while debts become due after an opening. By default 5,000 debts keep the pace of first contacts; with seconds they
 * are due within that time, as 10 was before. The same load without the debts is measured first, in the same run. The
 * goals are a p95 under 15 s from the message to the answer, of which 10 s let the debtor finish writing, and under 1 s
 * from the accepted notification to APPROVED.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { signatureManifest } from '../src/modules/payments/rules/webhook-signature.ts';
import { readTemporalConfig } from '../src/platform/config/temporal-config.ts';
import { createGateway } from '../src/platform/temporal/gateway.ts';
import { cpfOf } from '../testing/debts.ts';
import { collectionWorkflowId } from '../workflows/ids.ts';
import { cpuSecondsOf } from './support/cpu.ts';
import { startEngineHarness } from './support/engine-harness.ts';
import { nextWednesday } from './support/next-wednesday.ts';
import { sized } from './support/quick.ts';
import { type Figure, report } from './support/report.ts';
import { BENCH_WEBHOOK_SECRET } from './support/secrets.ts';
import { startProcess } from './support/start-process.ts';

const DEBTS = Number(process.argv[2] ?? sized(5_000, 400));
const { contactsPerSecond } = readTemporalConfig();
const WAVE_MS = 1_000 * Number(process.argv[3] ?? DEBTS / contactsPerSecond);
const BASELINE_SECONDS = sized(40, 20);
/** After the wave the last answers come in. */
const REST_SECONDS = 25;
/** A long wave is measured for its first minutes, because it does not change. */
const WAVE_SECONDS = Math.min(240, WAVE_MS / 1_000);
const LOAD_SECONDS = BASELINE_SECONDS + WAVE_SECONDS;
const HOUR = 3_600_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const harness = await startEngineHarness();
const owner = new Client({ connectionString: harness.databaseUrl });
await owner.connect();
const gateway = createGateway({
  address: harness.address,
  namespace: 'default',
  taskQueue: 'quita',
  deadlineMs: 20_000,
});
const parts: Awaited<ReturnType<typeof startProcess>>[] = [];
async function startRoles(roles: string): Promise<string> {
  const part = await startProcess(new URL('./support/service-process.ts', import.meta.url), {
    BENCH_ROLES: roles,
    BENCH_DATABASE_URL: harness.databaseUrl,
    BENCH_TEMPORAL_ADDRESS: harness.address,
  });
  parts.push(part);
  return (part.told as { url: string }).url;
}

const DEBT = `
  insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
    original_amount_centavos, due_date, status, sandbox, step, score, scored_at, next_contact_at)
  select id, $1, $2, n, 'Maria ' || n, phone, cpf, 15075, current_date - 30, 'IN_COLLECTION', true, $6, 65, now(), $7
  from unnest($3::uuid[], $4::text[], $5::text[]) with ordinality as row (id, phone, cpf, n)`;
const CHARGE = `
  with made as (select id as debt_id, gen_random_uuid() as id from debts where campaign_id = $1),
  charged as (
    insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
      amount_centavos, br_code, expires_at)
    select id, $2, debt_id, 1, 'sandbox', 'sbx_' || id, 'sbx_' || id, 'PENDING', 15075, 'code', now() + interval '3 days'
    from made returning debt_id, provider_payment_id
  ), provider as (
    insert into sandbox_charges (id, idempotency_key, fingerprint, status, status_detail, amount_centavos,
      paid_amount_centavos, refunded_centavos, currency, external_reference, br_code, notification_url, end_to_end_id,
      expires_at, paid_at, updated_at, notified_at)
    select 'sbx_' || id, id::text, 'f', 'approved', 'accredited', 15075, 15075, 0, 'BRL', id::text, 'code', 'http://x',
      'E1', now() + interval '3 days', now(), now(), now()
    from made
  )
  select debt_id as debt, provider_payment_id as charge from charged`;

let people = 0;
interface Made {
  readonly campaignId: string;
  readonly ids: readonly string[];
}

/** Stores debts of a running sandbox campaign, each of a person of its own who does nothing by itself. */
async function makeDebts(clientId: string, count: number, step: number, nextAt: number): Promise<Made> {
  const campaignId = randomUUID();
  const ids = Array.from({ length: count }, () => randomUUID());
  const first = people;
  people += count;
  await owner.query(
    `insert into campaigns (id, client_id, name, status, sandbox, launched_at) values ($1, $2, 'Bench', 'RUNNING', true, now())`,
    [campaignId, clientId],
  );
  const phones = ids.map(
    (_, n) => `+55119${String(10_000 + first + n).slice(-5)}${String((first + n) % 1_000).padStart(3, '9')}`,
  );
  const people_ = ids.map((_, n) => cpfOf(200_000_000 + first + n));
  await owner.query(DEBT, [clientId, campaignId, ids, phones, people_, step, new Date(nextAt)]);
  return { campaignId, ids };
}

interface Wait {
  readonly firstAt: number;
  /** The real moment at which the wait ends. */
  readonly realAt: (index: number) => number;
}

async function startWorkflows(clientId: string, { campaignId, ids }: Made, { firstAt, realAt }: Wait): Promise<void> {
  let next = 0;
  const starter = async (): Promise<void> => {
    for (let index = next++; index < ids.length; index = next++) {
      const debtId = ids[index]!;
      const maxWaitMs = Math.max(1_000, Math.round(realAt(index) - Date.now()));
      const input = { clientId, campaignId, debtId, sandbox: true, maxWaitMs, offsetMs: 0, firstAt };
      await gateway.start({ workflow: 'collect-debt', workflowId: collectionWorkflowId(debtId), input });
    }
  };
  await Promise.all(Array.from({ length: 16 }, starter));
}

const cpuSeconds = (): number => cpuSecondsOf(process.pid);

const part = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
const summary = (times: readonly number[]): string =>
  `p50 ${part(times, 0.5)} ms, p95 ${part(times, 0.95)} ms, longest ${part(times, 1)} ms`;

try {
  const [url] = await Promise.all([startRoles('api,relay'), startRoles('worker')]);
  const account = { name: 'Escola Aurora', email: 'financeiro@escola-aurora.com.br', password: 'Segredo123' };
  const call = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text;
  };
  const { id: clientId, token } = JSON.parse(await call('/api/onboarding/signup', account)) as {
    id: string;
    token: string;
  };
  const seconds = Math.ceil(LOAD_SECONDS);
  const opening = nextWednesday();
  const later = opening + 30 * 24 * HOUR;
  const writers = await makeDebts(clientId, seconds, 1, later);
  const payers = await makeDebts(clientId, seconds, 1, later);
  // Each of these is contacted once, for the last time, so that nothing else of it falls into the measurement.
  const wave = await makeDebts(clientId, DEBTS, 5, opening);
  const { rows: charges } = await owner.query<{ debt: string; charge: string }>(CHARGE, [payers.campaignId, clientId]);
  await owner.query('vacuum analyze');
  const sleeping = { firstAt: later, realAt: () => Date.now() + HOUR };
  for (const made of [writers, payers]) await startWorkflows(clientId, made, sleeping);
  const preparing = Date.now();
  // All sleep before the first one is due: fifty start each second, also on a busy machine.
  const begin = preparing + 20_000 + DEBTS * 20;
  const dueAt = (index: number): number => begin + BASELINE_SECONDS * 1_000 + (index * WAVE_MS) / DEBTS;
  await startWorkflows(clientId, wave, { firstAt: opening, realAt: dueAt });
  say(`${DEBTS} collections sleep after ${((Date.now() - preparing) / 1_000).toFixed(0)} s`);
  if (Date.now() > begin) throw new Error('The collections were started too slowly for this plan');
  await sleep(begin - Date.now());

  const wroteAt = new Map<string, number>();
  const acceptedAt = new Map<string, number>();
  const failures: unknown[] = [];
  const write = async (debtId: string): Promise<void> => {
    wroteAt.set(debtId, Date.now());
    await call(
      `/api/sandbox/debts/${debtId}/messages`,
      { text: 'Qual é o valor da dívida?' },
      { authorization: `Bearer ${token}` },
    );
  };
  const notify = async (charge: string): Promise<void> => {
    const requestId = randomUUID();
    const ts = String(Math.floor(Date.now() / 1_000));
    const manifest = signatureManifest({ dataId: charge, requestId, ts });
    const v1 = createHmac('sha256', BENCH_WEBHOOK_SECRET).update(manifest).digest('hex');
    const headers = { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId };
    await call(
      `/api/payments/webhook?data.id=${charge}&type=payment`,
      { type: 'payment', data: { id: charge } },
      headers,
    );
    acceptedAt.set(charge, Date.now());
  };
  const cpuAtBegin = cpuSeconds();
  let cpuAtWave = cpuAtBegin;
  for (let second = 0; second < LOAD_SECONDS; second += 1) {
    await sleep(Math.max(0, begin + second * 1_000 - Date.now()));
    if (second === BASELINE_SECONDS) cpuAtWave = cpuSeconds();
    for (const work of [write(writers.ids[second]!), notify(charges[second]!.charge)]) {
      work.catch((error: unknown) => failures.push(error));
    }
  }
  await sleep(REST_SECONDS * 1_000);

  const { rows: answers } = await owner.query<{ debt: string; at: Date }>(
    `select debt_id as debt, min(created_at) as at from sandbox_outbox where purpose = 'reply' group by 1`,
  );
  const { rows: approved } = await owner.query<{ charge: string; at: Date }>(
    'select provider_payment_id as charge, approved_at as at from charges where approved_at is not null',
  );
  const { rows: contacts } = await owner.query<{ count: number; first: Date; last: Date }>(
    `select count(*)::int as count, min(created_at) as first, max(created_at) as last from sandbox_outbox
     where purpose = 'collection'`,
  );
  const cpuAtEnd = cpuSeconds();
  const waveAt = dueAt(0);
  const answerTimes = (during: boolean): number[] =>
    answers.flatMap(({ debt, at }) => {
      const wrote = wroteAt.get(debt);
      return wrote !== undefined && wrote >= waveAt === during ? [at.getTime() - wrote] : [];
    });
  const paymentTimes = (during: boolean): number[] =>
    approved.flatMap(({ charge, at }) => {
      const accepted = acceptedAt.get(charge);
      return accepted !== undefined && accepted >= waveAt === during ? [Math.max(0, at.getTime() - accepted)] : [];
    });
  for (const [name, during] of [
    ['without the debts', false],
    ['while they are due', true],
  ] as const) {
    const p95 = (what: string, times: (of: boolean) => readonly number[], limit: number): Figure => ({
      name: `${what} ${name}, p95`,
      value: part(times(during), 0.95),
      unit: 'ms',
      better: 'less',
      ...(during ? { baseline: { name: 'without the debts', value: part(times(false), 0.95) } } : {}),
      goal: { of: 'value', limit },
    });
    report(
      `${name}: ${answerTimes(during).length} answers ${summary(answerTimes(during))} (goal p95 < 15000)`,
      p95('answer', answerTimes, 15_000),
    );
    report(
      `${name}: ${paymentTimes(during).length} payments ${summary(paymentTimes(during))} (goal p95 < 1000)`,
      p95('payment', paymentTimes, 1_000),
    );
  }
  const made = contacts[0];
  const lasted = made === undefined ? Number.NaN : (made.last.getTime() - waveAt) / 1_000;
  say(
    `${made?.count} of ${DEBTS} contacts, due within ${(WAVE_MS / 1_000).toFixed(0)} s, made within ${lasted.toFixed(1)} s (${((made?.count ?? 0) / lasted).toFixed(1)} a second, load ${loadavg()[0]?.toFixed(1)})`,
  );
  const perSecond = (cpuAtWave - cpuAtBegin) / BASELINE_SECONDS;
  const ofWave = cpuAtEnd - cpuAtWave - perSecond * WAVE_SECONDS;
  const each = (1_000 * ofWave) / (made?.count ?? Number.NaN);
  report(`CPU without the debts: ${perSecond.toFixed(2)} s a second; of each contact ${each.toFixed(0)} ms`, {
    name: 'CPU of a contact',
    value: each,
    unit: 'ms',
    better: 'less',
  });
  say(
    `unanswered: ${wroteAt.size - answers.length}, unsettled: ${acceptedAt.size - approved.length}, failed calls: ${failures.length}`,
  );
} finally {
  for (const part of parts) await part.end();
  await gateway.close();
  await owner.end();
  await harness.stop();
}
