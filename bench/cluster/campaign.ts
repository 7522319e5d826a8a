import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { debtInput } from '../../testing/debts.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import type { Stack } from '../stack/stack.ts';

/** Debts of one import; a request has a bound. */
const IMPORT_SIZE = 5_000;
const ACCOUNT = { name: 'Escola Aurora', email: 'financeiro@escola-aurora.com.br', password: 'Segredo123' };

export interface CampaignRun {
  readonly debts: number;
  readonly seconds: number;
  readonly contactsPerSecond: number;
  /** What is not as it should be; empty after a good run. */
  readonly wrong: readonly string[];
}

/** Tries a call again while the process that answered it is being killed. Each call of this run may be repeated. */
async function call(
  stack: Stack,
  token: string | null,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      const response = await fetch(`${stack.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.status < 500 && response.status !== 429) {
        const answer = (await response.json()) as Record<string, unknown>;
        if (response.status >= 400 && response.status !== 409) {
          throw new Refused(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
        }
        return answer;
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
    if (Date.now() > deadline) throw new Error(`${path} was not answered within two minutes`);
    await sleep(300);
  }
}
class Refused extends Error {}

/** The last four digits make the simulated debtor pay after the first message. */
const payer = (n: number): string => `+55${11 + (n % 9)}9${String(1_000 + Math.floor(n / 9)).slice(-4)}0001`;

/**
 * Runs a sandbox campaign in which every debtor pays after the first message, while `meanwhile` does what it likes to the
 * processes, and checks every debt at the end.
 */
export async function runCampaign(
  stack: Stack,
  debts: number,
  say: (line: string) => void,
  meanwhile: (isOver: () => boolean) => Promise<void> = async () => undefined,
): Promise<CampaignRun> {
  await letOwnerSee(stack);
  const signedUp = await call(stack, null, '/api/onboarding/signup', ACCOUNT);
  const { apiKey } = await call(stack, String(signedUp['token']), '/api/onboarding/me/api-key', {});
  const token = String(apiKey);
  const campaign = await call(stack, token, '/api/campaigns', { name: 'Mensalidades' });
  const campaignId = String(campaign['id']);
  for (let from = 0; from < debts; from += IMPORT_SIZE) {
    const some = Array.from({ length: Math.min(IMPORT_SIZE, debts - from) }, (_, n) =>
      debtInput(from + n + 1, { debtorPhone: payer(from + n) }),
    );
    await call(stack, token, `/api/import/json/${campaignId}`, { clientId: signedUp['id'], debts: some });
  }
  const began = performance.now();
  await call(stack, token, `/api/campaigns/${campaignId}/launch?sandbox=true`, {});
  let over = false;
  const disturbing = meanwhile(() => over);
  try {
    for (let next = 10_000; ; ) {
      const { status } = await call(stack, token, `/api/campaigns/${campaignId}`);
      if (status === 'COMPLETED') break;
      if (performance.now() - began > next) {
        const { debts: counted } = await call(stack, token, `/api/campaigns/${campaignId}/statistics`);
        say(`${Math.round(next / 1_000)} s: ${JSON.stringify(counted)}`);
        next += 10_000;
      }
      await sleep(500);
    }
  } finally {
    over = true;
  }
  const seconds = (performance.now() - began) / 1_000;
  await disturbing;
  const wrong = await checkCampaign(stack, campaignId, debts);
  return { debts, seconds, contactsPerSecond: debts / seconds, wrong };
}

const COUNTS = `
  select
    count(*)::int as debts,
    count(*) filter (where status = 'PAID')::int as paid,
    count(*) filter (where exists (select from messages where debt_id = debts.id and purpose = 'collection'))::int
      as contacted,
    count(*) filter (where not exists (
      select from messages where debt_id = debts.id and purpose = 'collection'
      group by (at at time zone 'America/Sao_Paulo')::date having count(*) > 1))::int
      as never_contacted_twice_a_day,
    count(*) filter (where (select count(*) from receipts where debt_id = debts.id and pdf is not null) = 1)::int
      as with_one_receipt,
    count(*) filter (where (select count(*) from charges where debt_id = debts.id and approved_at is not null) = 1)::int
      as settled_once
  from debts where campaign_id = $1`;
const LEFT = `select (select count(*)::int from outbox where delivered_at is null) as outbox,
  (select count(*)::int from payment_notifications where handled_at is null) as notifications`;

/** Receipts and the last rows of the outbox may follow the end of the campaign. */
const SETTLES_WITHIN_MS = 120_000;

/** Happens before the campaign, because new policies want each table for themselves and would meet its transactions. */
async function letOwnerSee({ databaseUrl }: Stack): Promise<void> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query(LET_OWNER_SEE);
  } finally {
    await owner.end();
  }
}

async function checkCampaign(stack: Stack, campaignId: string, debts: number): Promise<string[]> {
  const owner = new Client({ connectionString: stack.databaseUrl });
  await owner.connect();
  try {
    const deadline = Date.now() + SETTLES_WITHIN_MS;
    for (;;) {
      const { rows: counted } = await owner.query<Record<string, number>>(COUNTS, [campaignId]);
      const { rows: waiting } = await owner.query<Record<string, number>>(LEFT);
      const wrong = [
        ...Object.entries(counted[0] ?? {})
          .filter(([, count]) => count !== debts)
          .map(([what, count]) => `${what}: ${count} of ${debts}`),
        ...Object.entries(waiting[0] ?? {})
          .filter(([, count]) => count !== 0)
          .map(([what, count]) => `${what}: ${count} left`),
      ];
      if (wrong.length === 0 || Date.now() > deadline) return wrong;
      await sleep(1_000);
    }
  } finally {
    await owner.end();
  }
}
