import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseManifest } from '../../src/platform/runtime/backup/manifest.ts';
import { writeArchive } from '../../src/platform/runtime/backup/write-archive.ts';
import type { InstanceNote } from '../../src/platform/runtime/data-dir-lock.ts';
import { callJson } from '../../testing/call-json.ts';
import { check } from '../../testing/checker/check.ts';
import { loadFacts } from '../../testing/checker/load-facts.ts';
import { everySettlementHasOneReceipt } from '../../testing/checker/payments.ts';
import { nothingIncomingUnhandled, noWorkflowFailed } from '../../testing/checker/work.ts';
import { ask } from '../../testing/database.ts';
import { debtInput } from '../../testing/debts.ts';
import { type Debt, ofKind, sent } from '../../testing/engine-harness.ts';
import { until } from '../../testing/poll.ts';
import { createScratch, type Started } from './support.ts';

/**
 * Two backups of one running service are taken while a sandbox campaign runs. Their parts are put together the other way
 * round, so that Temporal is older than PostgreSQL in one archive, by more than in any real backup, and ahead in the other
 * one, as when the servers of one's own are restored apart. Both are restored and must come to the end of the campaign.
 */
const PATIENCE = 90_000;
/** Long enough that the clocks are held before the sequence of the silent debtor is over. */
const WAIT = '3s';
const scratch = createScratch();
const folderOf = (name: string): string => join(scratch.folder, name);
const settings = (name: string) => ({
  DATA_DIR: folderOf(name),
  PORT: '0',
  TEMPORAL_PORT: '0',
  TEMPORAL_UI_PORT: '0',
  SANDBOX_MAX_WAIT: WAIT,
});

let token: string;
let campaignId: string;
let silent: string;
let paidBetween: string;
let paidBefore: string;
/** What the service knew when the second backup was made. */
let before: ReadonlyMap<string, Debt>;

let behind: Service;
let ahead: Service;

interface Service {
  readonly process: Started;
  readonly call: (method: string, path: string, body?: object) => Promise<unknown>;
  readonly debt: (id: string) => Promise<Debt>;
  readonly note: () => InstanceNote;
}

async function quita(name: string, ...args: string[]): Promise<string> {
  const started = scratch.run(process.execPath, ['src/cli.ts', ...args], settings(name));
  if ((await started.ended) !== 0) throw new Error(`quita ${args.join(' ')}: ${started.output()}`);
  return started.output();
}

async function serve(name: string): Promise<Service> {
  const started = scratch.run(process.execPath, ['src/main.ts'], settings(name));
  const [, url = ''] = await started.says(/API\s+(http:\S+)/, PATIENCE);
  const call = (method: string, path: string, body?: object): Promise<unknown> =>
    callJson(method, `${url}${path}`, { body, token });
  return {
    process: started,
    call,
    debt: async (id) => (await call('GET', `/api/debts/${id}`)) as Debt,
    note: () => JSON.parse(readFileSync(join(folderOf(name), 'instance.json'), 'utf8')) as InstanceNote,
  };
}

async function stop({ process: started }: Service): Promise<void> {
  started.signal('SIGINT');
  expect(await started.ended).toBe(0);
}

/** A client may ask ten times a second. */
const PATIENT = { timeoutMs: PATIENCE, everyMs: 250 };

const reaches = (service: Service, id: string, what: string, holds: (debt: Debt) => boolean): Promise<Debt> =>
  until(
    what,
    async () => {
      const debt = await service.debt(id);
      return holds(debt) && debt;
    },
    { ...PATIENT, explain: () => service.debt(id) },
  );

/** Held clocks keep the sequence from its end however long a backup takes. */
const moveClocks = (service: Service, command: 'hold' | 'release'): Promise<unknown> =>
  service.call('POST', `/api/sandbox/campaigns/${campaignId}/clock`, { command });

const unpack = (archive: string): string => {
  const folder = `${archive}.unpacked`;
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  return folder;
};

/** An archive of PostgreSQL of one backup and Temporal of another. */
async function mix(name: string, parts: { readonly postgres: string; readonly temporal: string }): Promise<string> {
  const manifestOf = (folder: string) => parseManifest(readFileSync(join(folder, 'quita-backup.json'), 'utf8'));
  const { temporalAt } = manifestOf(parts.temporal);
  const data = join(parts.postgres, 'data');
  const secrets = readdirSync(join(data, 'secrets')).map((secret) => `secrets/${secret}`);
  const files = [...secrets, 'postgres.password', 'postgres.backup-password'];
  const cluster = join(data, 'postgres');
  const tar = spawn('tar', ['--format=ustar', '-C', cluster, '-cf', '-', ...readdirSync(cluster)]);
  const target = folderOf(name);
  await writeArchive(
    target,
    `${target}.partial`,
    {
      manifest: { ...manifestOf(parts.postgres), temporalAt },
      files: [
        ...files.map((path) => ({ path, from: join(data, path) })),
        { path: 'temporal.db', from: join(parts.temporal, 'data', 'temporal.db') },
      ],
      postgres: tar.stdout,
    },
    { replace: false },
  );
  return target;
}

const dayOf = ({ at }: { readonly at: string }): string => at.slice(0, 10);
const days = (debt: Debt): string[] => sent(debt, 'collection').map(dayOf);

/** The whole sequence was sent once, each contact on a day of its own, and what was sent before was not sent again. */
function expectWholeSequence(debt: Debt): void {
  expect(debt.status).toBe('EXHAUSTED');
  expect(days(debt)).toHaveLength(6);
  expect(new Set(days(debt)).size).toBe(6);
  const known = days(before.get(debt.id) as Debt);
  expect(days(debt).slice(0, known.length)).toEqual(known);
}

function expectOnePayment(debt: Debt): void {
  expect(debt.status).toBe('PAID');
  expect(ofKind(debt, 'payment_approved')).toHaveLength(1);
  expect(ofKind(debt, 'payment_duplicate')).toEqual([]);
  const [receipt, ...more] = ofKind(debt, 'receipt_issued');
  expect(more).toEqual([]);
  expect(receipt?.['protocol']).toBe(ofKind(before.get(debt.id) as Debt, 'receipt_issued')[0]?.['protocol']);
}

async function asOwner<Row extends object>(service: Service, table: string, text: string): Promise<Row[]> {
  const url = service.note().databaseUrl as string;
  await ask(url, `alter table ${table} no force row level security`);
  return ask<Row>(url, text);
}

async function expectCleanEnd(service: Service): Promise<void> {
  const ended = async () => ((await service.call('GET', `/api/campaigns/${campaignId}`)) as { status: string }).status;
  await until('the end of the campaign', async () => (await ended()) === 'COMPLETED', PATIENT);
  const { databaseUrl = '', temporalAddress = '' } = service.note();
  const undelivered = 'select 1 from outbox where delivered_at is null';
  await until('all work reaches Temporal', async () => (await ask(databaseUrl, undelivered)).length === 0, PATIENT);
  // The rules that need no log of fakes, because this service has none.
  const rules = [everySettlementHasOneReceipt, noWorkflowFailed, nothingIncomingUnhandled];
  expect(check(await loadFacts({ databaseUrl, temporalAddress }), rules)).toEqual([]);
}

beforeAll(async () => {
  const service = await serve('data');
  const account = { name: 'Escola Aurora', email: 'financeiro@escola-aurora.com.br', password: 'Segredo123' };
  const client = (await service.call('POST', '/api/onboarding/signup', account)) as { id: string; token: string };
  token = client.token;
  campaignId = ((await service.call('POST', '/api/campaigns', { name: 'Mensalidades' })) as { id: string }).id;
  const debts = [debtInput(11), debtInput(12), debtInput(13, { debtorPhone: '+5511987650001' })];
  await service.call('POST', `/api/import/json/${campaignId}`, { clientId: client.id, debts });
  await service.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  const { items } = (await service.call('GET', `/api/campaigns/${campaignId}/debts`)) as { items: Debt[] };
  [silent, paidBetween, paidBefore] = items.map(({ id }) => id) as [string, string, string];
  const hasReceipt = (debt: Debt) => ofKind(debt, 'receipt_issued').length > 0;
  await reaches(service, paidBefore, 'the first payment', hasReceipt);
  for (const id of [silent, paidBetween]) await reaches(service, id, 'a contact', (debt) => days(debt).length > 0);

  await moveClocks(service, 'hold');
  await quita('data', 'backup', folderOf('first'));
  await service.call('POST', `/api/sandbox/debts/${paidBetween}/pay`);
  const contacts = days(await service.debt(silent)).length;
  await moveClocks(service, 'release');
  await reaches(service, paidBetween, 'the second payment', hasReceipt);
  await reaches(service, silent, 'another contact', (debt) => days(debt).length > contacts);
  await moveClocks(service, 'hold');
  await quita('data', 'backup', folderOf('second'));
  before = new Map(
    await Promise.all(
      [silent, paidBetween, paidBefore].map(async (id): Promise<[string, Debt]> => [id, await service.debt(id)]),
    ),
  );
  await stop(service);
  const [first, second] = [unpack(folderOf('first')), unpack(folderOf('second'))];
  const olderTemporal = await mix('behind.tar.gz', { postgres: second, temporal: first });
  const olderPostgres = await mix('ahead.tar.gz', { postgres: first, temporal: second });
  for (const [name, archive] of [
    ['behind', olderTemporal],
    ['ahead', olderPostgres],
  ] as const) {
    expect(await quita('data', 'restore', archive, '--data-dir', folderOf(name))).toMatch(/^Restored into /);
  }
  // Both run at the same time, because they mostly wait.
  [behind, ahead] = await Promise.all([serve('behind'), serve('ahead')]);
  // Time has passed between the backup and the restoration, so that the command asks Temporal about each debt.
  await asOwner(ahead, 'debts', `update debts set updated_at = now() - interval '2 hours'`);
  await quita('ahead', 'collections', 'restart');
  for (const service of [behind, ahead]) await moveClocks(service, 'release');
}, 3 * PATIENCE);
afterAll(scratch.clean, PATIENCE);

describe('a service that was restored from a backup of the running one', () => {
  it(
    'and whose Temporal is older goes on without a second contact, payment or receipt',
    async () => {
      const service = behind;
      expectWholeSequence(await reaches(service, silent, 'the end', ({ status }) => status === 'EXHAUSTED'));
      await expectCleanEnd(service);
      for (const id of [paidBefore, paidBetween]) expectOnePayment(await service.debt(id));
      const count = `select count(*)::int as n from receipts`;
      expect(await asOwner(service, 'receipts', count)).toEqual([{ n: 2 }]);
      await stop(service);
    },
    // Longer than each wait in it, so that the wait says what was missing.
    3 * PATIENCE,
  );

  it(
    'and whose Temporal is ahead contacts nobody twice, and asks the client about a payment that the database forgot',
    async () => {
      const service = ahead;
      expectWholeSequence(await reaches(service, silent, 'the end', ({ status }) => status === 'EXHAUSTED'));
      const held = await reaches(service, paidBetween, 'held', ({ status }) => status === 'ON_HOLD');
      expect(ofKind(held, 'needs_person')).toMatchObject([{ reason: 'end_forgotten' }]);
      expect(days(held).length).toBeLessThanOrEqual(days(before.get(paidBetween) as Debt).length);
      expectOnePayment(await service.debt(paidBefore));
      await expectCleanEnd(service);
      await stop(service);
    },
    // Longer than each wait in it, so that the wait says what was missing.
    3 * PATIENCE,
  );
});
