import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, type MadeDebt, openEngine, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const CLAIMANT = fileURLToPath(new URL('./claimant.ts', import.meta.url));
const run = promisify(execFile);

const engine = await opened(openEngine());

const CPF = '11144477735';

/** Creates debts of one person with four clients. */
async function debtsOfOnePerson(sandbox: boolean, perClient: number): Promise<MadeDebt[]> {
  const debts: MadeDebt[] = [];
  for (let client = 0; client < 4; client += 1) {
    const given = { cpf: CPF, phone: `+551198000${client}100`, sandbox, dueDate: '2026-10-05' };
    const first = await engine.debt(given);
    debts.push(first);
    for (let n = 1; n < perClient; n += 1) {
      debts.push(await engine.debt({ ...given, clientId: first.clientId, campaignId: first.campaignId }));
    }
  }
  return debts;
}

/** Makes all claims concurrently from four processes and returns how many were allowed. */
async function claimAtOnce(claims: readonly (readonly [MadeDebt, number])[]): Promise<number> {
  const parts = [0, 1, 2, 3].map((part) => claims.filter((_, index) => index % 4 === part));
  const answers = await Promise.all(
    parts.map(async (part) => {
      const asked = part.map(([{ id, clientId }, at]) => ({ clientId, debtId: id, at }));
      const input = JSON.stringify({ url: engine.url, claims: asked });
      const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', CLAIMANT, input]);
      return Number(stdout);
    }),
  );
  return answers.reduce((sum, count) => sum + count, 0);
}

const bookings = async (sandbox: boolean): Promise<number[]> =>
  (
    await engine.db.pool.query<{ at: Date }>(
      `select at from contact_ledger where kind = 'booking' and sandbox = $1 order by at`,
      [sandbox],
    )
  ).rows.map(({ at }) => at.getTime());

describe('200 concurrent claims from four processes for one person over four clients', () => {
  it('book one contact when all are for the same day', async () => {
    const debts = await debtsOfOnePerson(false, 50);
    expect(await claimAtOnce(debts.map((debt, index) => [debt, WEDNESDAY + index * 1000]))).toBe(1);
    expect(await bookings(false)).toHaveLength(1);
  });

  it('never book more than one contact a day nor four in 168 hours, on different clocks', async () => {
    const debts = await debtsOfOnePerson(true, 50);
    // The moments lie on three weeks, several at the same time of day, as sandbox clocks produce them.
    const at = (index: number) => WEDNESDAY + ((index * 7) % 21) * DAY + (index % 3) * HOUR;
    const allowed = await claimAtOnce(debts.map((debt, index) => [debt, at(index)]));
    const booked = await bookings(true);
    expect(booked).toHaveLength(allowed);
    // The first claim gets a contact; reserved slots that refused claims do not use may block the other weeks.
    expect(allowed).toBeGreaterThan(0);
    const days = booked.map((moment) => new Date(moment - 3 * HOUR).toISOString().slice(0, 10));
    expect(new Set(days).size).toBe(days.length);
    for (let n = 3; n < booked.length; n += 1) expect(booked[n]! - booked[n - 3]!).toBeGreaterThan(168 * HOUR);
  });
});
