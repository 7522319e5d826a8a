/**
 * `node bench/channels.ts [debts] [rounds]` measures contacts from the start of the workflow through charge, agent, gate
 * and channel, over the fake of WhatsApp and over the sandbox channel, in turns of the same run. The fake runs in a
 * process of its own, so its CPU time is not counted, but it shares the cores. The goal is a ratio of 0.9 or more.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createGateway } from '../src/platform/temporal/gateway.ts';
import { cpfOf } from '../testing/debts.ts';
import { COMPANY_ADDRESS } from '../testing/verified-company.ts';
import { collectionWorkflowId } from '../workflows/ids.ts';
import { cpuSecondsOf } from './support/cpu.ts';
import { startEngineHarness } from './support/engine-harness.ts';
import { nextWednesday } from './support/next-wednesday.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';
import { startProcess } from './support/start-process.ts';

const DEBTS = Number(process.argv[2] ?? sized(400, 150));
const ROUNDS = Number(process.argv[3] ?? sized(4, 3));
const HOUR = 3_600_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const parts: Awaited<ReturnType<typeof startProcess>>[] = [];
async function start(file: string, env: Record<string, string>) {
  const part = await startProcess(new URL(`./support/${file}`, import.meta.url), env);
  parts.push(part);
  return part;
}

const CHARGE = `
  with made as (select id as debt_id, gen_random_uuid() as id from debts where campaign_id = $1)
  insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
    amount_centavos, br_code, expires_at)
  select id, $2, debt_id, 1, $3, id::text, id::text, 'PENDING', 15075, 'code', now() + interval '30 days' from made`;
const DEBT = `
  insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
    original_amount_centavos, due_date, status, sandbox, score, scored_at, next_contact_at)
  select id, $1, $2, n, 'Maria ' || n, phone, cpf, 15075, current_date - 30, 'QUEUED', $6, 65, now(), $7
  from unnest($3::uuid[], $4::text[], $5::text[]) with ordinality as row (id, phone, cpf, n)`;

const harness = await startEngineHarness();
const owner = new Client({ connectionString: harness.databaseUrl });
await owner.connect();
const gateway = createGateway({
  address: harness.address,
  namespace: 'default',
  taskQueue: 'quita',
  deadlineMs: 20_000,
});
let people = 0;

interface Measured {
  readonly perSecond: number;
  readonly cpuMs: number;
}

try {
  const fakes = await start('channel-fakes.ts', {});
  // How far the service's clock is moved.
  const offsetMs = nextWednesday() - Date.now();
  const env: Record<string, string> = {
    ...(fakes.told as Record<string, string>),
    CLOCK_OFFSET: `${Math.round(offsetMs / 60_000)}m`,
  };
  const common = {
    BENCH_DATABASE_URL: harness.databaseUrl,
    BENCH_TEMPORAL_ADDRESS: harness.address,
    BENCH_ENV: JSON.stringify(env),
  };
  await start('service-process.ts', { ...common, BENCH_ROLES: 'api,relay' });
  await start('service-process.ts', { ...common, BENCH_ROLES: 'worker' });

  async function round(sandbox: boolean): Promise<Measured> {
    const [clientId, campaignId] = [randomUUID(), randomUUID()];
    const ids = Array.from({ length: DEBTS }, () => randomUUID());
    const first = people;
    people += DEBTS;
    const now = Date.now() + offsetMs;
    await owner.query(
      `insert into clients (id, name, email, plan, status, cnpj, address, verified_at, verified_name, verified_cnpj)
       values ($1, 'Bench', $2, 'GROWTH', 'ACTIVE', '11222333000181', $3, now(), 'Bench', '11222333000181')`,
      [clientId, `${clientId}@bench.com.br`, COMPANY_ADDRESS],
    );
    await owner.query(
      `insert into channel_senders (client_id, channel, sender_id, account_id, shown_as, checked_at)
       values ($1, 'whatsapp', $2, $3, 'Bench', now())`,
      [clientId, env['WHATSAPP_PHONE_NUMBER_ID'], env['WHATSAPP_BUSINESS_ACCOUNT_ID']],
    );
    await owner.query(
      `insert into campaigns (id, client_id, name, status, sandbox, launched_at) values ($1, $2, 'Bench', 'RUNNING', $3, now())`,
      [campaignId, clientId, sandbox],
    );
    await owner.query(DEBT, [
      clientId,
      campaignId,
      ids,
      ids.map((_, n) => `+55119${80_000_000 + ((first + n) * 10 + 9)}`),
      ids.map((_, n) => cpfOf(300_000_000 + first + n)),
      sandbox,
      new Date(now),
    ]);
    await owner.query(CHARGE, [campaignId, clientId, sandbox ? 'sandbox' : 'mercadopago']);
    await owner.query('vacuum analyze');
    const cpuBefore = cpuSecondsOf(process.pid, [fakes.pid]);
    const began = Date.now();
    let next = 0;
    const starter = async (): Promise<void> => {
      for (let index = next++; index < ids.length; index = next++) {
        const debtId = ids[index]!;
        const maxWaitMs = sandbox ? HOUR : null;
        const input = { clientId, campaignId, debtId, sandbox, maxWaitMs, offsetMs, firstAt: now };
        await gateway.start({ workflow: 'collect-debt', workflowId: collectionWorkflowId(debtId), input });
      }
    };
    await Promise.all(Array.from({ length: 16 }, starter));
    for (;;) {
      const { rows } = await owner.query<{ sent: number; other: number; failure: string | null }>(
        `select count(*) filter (where delivery in ('sent', 'delivered', 'read'))::int as sent,
           count(*) filter (where delivery in ('failed', 'unknown'))::int as other, min(failure) as failure
         from messages where debt_id = any ($1::uuid[]) and purpose = 'collection'`,
        [ids],
      );
      const { sent = 0, other = 0 } = rows[0] ?? {};
      if (other > 0) throw new Error(`${other} messages failed: ${rows[0]?.failure}`);
      if (sent >= DEBTS) break;
      if (Date.now() - began > 90_000) throw new Error(`only ${sent} of ${DEBTS} were sent`);
      await sleep(100);
    }
    const seconds = (Date.now() - began) / 1_000;
    const cpuMs = ((cpuSecondsOf(process.pid, [fakes.pid]) - cpuBefore) * 1_000) / DEBTS;
    return { perSecond: DEBTS / seconds, cpuMs };
  }

  await round(true);
  await round(false);
  const measured: Record<'sandbox' | 'whatsapp', Measured[]> = { sandbox: [], whatsapp: [] };
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const name of n % 2 === 0 ? (['sandbox', 'whatsapp'] as const) : (['whatsapp', 'sandbox'] as const)) {
      const one = await round(name === 'sandbox');
      measured[name].push(one);
      say(`${name}: ${one.perSecond.toFixed(1)} contacts a second, ${one.cpuMs.toFixed(0)} ms of CPU each`);
    }
  }
  const mean = (of: readonly Measured[], pick: (one: Measured) => number): number =>
    of.reduce((sum, one) => sum + pick(one), 0) / of.length;
  const rates = (name: 'sandbox' | 'whatsapp') => mean(measured[name], (one) => one.perSecond);
  const cpuOf = (name: 'sandbox' | 'whatsapp') => mean(measured[name], (one) => one.cpuMs);
  report(
    `WhatsApp's fake against the sandbox channel: ${(rates('whatsapp') / rates('sandbox')).toFixed(2)} of its rate (goal 0.9), ${(cpuOf('sandbox') / cpuOf('whatsapp')).toFixed(2)} by CPU`,
    {
      name: 'contacts over WhatsApp',
      value: rates('whatsapp'),
      unit: '/s',
      better: 'more',
      baseline: { name: 'over the sandbox channel', value: rates('sandbox') },
      goal: { of: 'ratio', limit: 0.9 },
    },
    {
      name: 'CPU of a contact over WhatsApp',
      value: cpuOf('whatsapp'),
      unit: 'ms',
      better: 'less',
      baseline: { name: 'over the sandbox channel', value: cpuOf('sandbox') },
    },
  );
} finally {
  for (const part of parts) await part.end();
  await gateway.close();
  await owner.end();
  await harness.stop();
}
