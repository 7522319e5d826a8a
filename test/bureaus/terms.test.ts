import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { changeOffersPolicy } from '../../src/modules/agreements/use-cases/offers-policy.ts';
import { loadBureauTerms } from '../../src/modules/bureaus/use-cases/load-bureau-terms.ts';
import { recordListing } from '../../src/modules/bureaus/use-cases/record-listing.ts';
import { DAY, type MadeDebt, openEngine, somebody, WEDNESDAY } from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());

const list = recordListing({ ...engine.ofApi, bureauTerms: loadBureauTerms() });

const clockAt = (at: number) => ({ at, offsetMs: 0, exact: true });
const follow = ({ clientId, id }: MadeDebt, at: number) =>
  engine.services.followListings({ clientId, debtId: id, clock: clockAt(at) });
const item = async (debt: MadeDebt) =>
  (
    await engine.query<{ due: string; told: boolean; closed: boolean }>(
      debt,
      `select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as due,
         told_at is not null as told, closed_at is not null as closed
       from inbox_items where debt_id = $1 and reason = 'negativation' order by since desc limit 1`,
      [debt.id],
    )
  )[0];
const listing = async (debt: MadeDebt) =>
  (
    await engine.query<{ removeBy: Date | null; remindAt: Date | null }>(
      debt,
      'select remove_by as "removeBy", remind_at as "remindAt" from bureau_listings where debt_id = $1',
      [debt.id],
    )
  )[0];

it('asks for the removal within five business days of an agreement, and for none once it is broken', async () => {
  engine.reset();
  const debt = await engine.debt({ ...somebody(), dueDate: '2026-08-10' });
  const { clientId, id: debtId } = debt;
  await engine.contact(debt);
  const days = { listedOn: '2026-11-01', notifiedOn: '2026-10-01' } as const;
  await list({ clientId, debtId, listingId: randomUUID(), bureau: 'Bureau A', ...days, source: SOURCE });
  expect(await follow(debt, WEDNESDAY)).toEqual({ until: null });
  expect(await listing(debt)).toEqual({ removeBy: null, remindAt: null });

  await changeOffersPolicy(engine.ofApi)({
    clientId,
    policy: { ...OFFERS_POLICY, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy,
    source: SOURCE,
  });
  await engine.hear(debt, 'Quero negociar, dá para parcelar?');
  await engine.hear(debt, 'Aceito a opção 2');
  expect(await engine.status(debt)).toBe('AGREEMENT');
  const woken = await engine.query<{ workflow: string }>(debt, 'select workflow from outbox where workflow_id = $1', [
    `listings-${debtId}`,
  ]);
  expect(woken.map(({ workflow }) => workflow)).toContain('follow-listings');
  // The workflow is found by this moment if it is lost before its first step.
  expect(await listing(debt)).toMatchObject({ removeBy: null, remindAt: expect.any(Date) });

  // Wednesday, 18 November. Friday is a holiday, so that the fifth business day is Thursday, 26 November.
  const days26 = new Date('2026-11-27T02:59:59.999Z');
  let { until } = await follow(debt, WEDNESDAY);
  expect(await listing(debt)).toEqual({ removeBy: days26, remindAt: new Date(until!) });
  expect(await item(debt)).toMatchObject({ due: '2026-11-27 02:59:59.999', told: false, closed: false });

  // The day before the last one, the last one, the day after it: each time the digest tells it again.
  const reminded: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    reminded.push(new Date(until!).toISOString());
    await engine.query(debt, `update inbox_items set told_at = quita_now() where debt_id = $1`, [debtId]);
    ({ until } = await follow(debt, until!));
    expect(await item(debt)).toMatchObject({ due: '2026-11-27 02:59:59.999', told: false, closed: false });
  }
  expect(reminded).toEqual(['2026-11-25T12:00:00.000Z', '2026-11-26T12:00:00.000Z', '2026-11-27T12:00:00.000Z']);

  const [agreement] = await engine.query<{ id: string }>(debt, 'select id from agreements where debt_id = $1', [
    debtId,
  ]);
  let at = WEDNESDAY;
  for (let turn = 0; turn < 12 && (await engine.status(debt)) === 'AGREEMENT'; turn += 1) {
    engine.clock.now = at;
    const next = await engine.services.followAgreement({
      clientId,
      agreementId: agreement!.id,
      clock: clockAt(at),
      attemptKey: randomUUID(),
    });
    at = next.kind === 'wait' ? Math.max(next.until ?? 0, at + DAY) : at;
  }
  expect(await engine.status(debt)).not.toBe('AGREEMENT');
  expect(await follow(debt, at)).toEqual({ until: null });
  expect(await listing(debt)).toEqual({ removeBy: null, remindAt: null });
  expect(await item(debt)).toMatchObject({ closed: true });
});
