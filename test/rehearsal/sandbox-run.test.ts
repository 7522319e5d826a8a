import { expect, it } from '@jest/globals';
import { addDays, localDate, localTime, startOfDay, weekday } from '../../src/kernel/calendar.ts';
import { areaCodeOf, displayOffset } from '../../src/kernel/phone.ts';
import { debtInput } from '../../testing/debts.ts';
import { collector, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SATURDAY = 6;

/** Shifts the clock of the service to a Saturday, so that the moments do not depend on how fast the engine starts. */
function clockOffset(): number {
  const today = localDate(Date.now(), 0);
  const days = (SATURDAY - weekday(today) + 7) % 7 || 7;
  return startOfDay(addDays(today, days), 0) + 15 * HOUR - Date.now();
}

const offset = Math.round(clockOffset() / 60_000);

const app = await opened(startCollectionApp({ env: { CLOCK_OFFSET: `${offset}m` } }));
const client = collector(await app.newClient());

it('a campaign in the sandbox contacts its silent debtors in the hours that the rehearsal said', async () => {
  const now = Date.now() + offset * 60_000;
  const dueDate = (daysAgo: number) => localDate(now - daysAgo * DAY, -3);
  const AREAS = ['11', '92', '97', '31', '81', '68', '61', '21'];
  // Debts of one person wake up in any order in the sandbox, because each has a clock of its own.
  const inputs = [400, 30, 90, 1, 0, -3, -9, 700, 1_200, 1_822, 5, 2_000].map((daysAgo, n) =>
    debtInput(n + 1, {
      debtorPhone: `+55${AREAS[n % AREAS.length]}9${80_000_000 + 10_000 * n}`,
      dueDate: dueDate(daysAgo),
    }),
  );
  const campaignId = await client.draft(inputs);
  const { status, body: rehearsal } = await client.call('POST', `/api/campaigns/${campaignId}/rehearse?sandbox=true`);
  expect(status).toBe(200);
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  const listed = await client.allDebts(campaignId);
  const debts = await Promise.all(listed.map(({ id }) => client.ended(id, 120_000)));

  const contacts = debts.flatMap((debt) => {
    const utcOffset = displayOffset(areaCodeOf(debt.debtorPhone));
    return sent(debt, 'collection').map(({ at }) => ({ at: Date.parse(at), utcOffset }));
  });
  const rehearsed = contacts.filter(({ at }) => at <= Date.parse(rehearsal.to));
  const hours = Map.groupBy(rehearsed, ({ at, utcOffset }) => {
    return `${localDate(at, utcOffset)} ${Math.floor(localTime(at, utcOffset) / HOUR)}`;
  });
  const counts = [...hours].map(([hour, { length }]) => `${hour}: ${length}`);
  type Hour = { date: string; hour: number; count: number };
  expect(rehearsal.contacts.map(({ date, hour, count }: Hour) => `${date} ${hour}: ${count}`).toSorted()).toEqual(
    counts.toSorted(),
  );
  expect(Date.parse(rehearsal.firstAt)).toBe(Math.min(...rehearsed.map(({ at }) => at)));
  expect(rehearsed.length).toBeGreaterThan(30);
  const uncontacted = debts.filter((debt) => sent(debt, 'collection').length === 0).length;
  expect(rehearsal.never).toEqual([{ rule: 'prescription', debts: uncontacted }]);
});
