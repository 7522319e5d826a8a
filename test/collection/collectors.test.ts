import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { changeAccount } from '../../src/modules/accounts/use-cases/change-account.ts';
import { changeSettings } from '../../src/modules/campaigns/use-cases/change-settings.ts';
import { requireOpeningsOfCollector } from '../../src/modules/campaigns/use-cases/require-openings.ts';
import { checkEligibility } from '../../src/modules/collection/gate/check-eligibility.ts';
import { askGate } from '../../src/modules/collection/gate/contact-gate.ts';
import { loadPolicy, type Policy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { HOUR, type MadeDebt, openEngine } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';

let people = 0;

const engine = await opened(openEngine());
afterEach(engine.reset);

/** The product's own caps are stricter than any law, so they are taken away to see what the law of a state does. */
const shipped = loadPolicy();
const policy: Policy = {
  ...shipped,
  pack: {
    ...shipped.pack,
    rules: shipped.pack.rules.filter(({ rule, status }) => rule !== 'caps' || status === 'law'),
  },
};

/** A debtor in Cuiabá, where it is 10:00. */
const inMatoGrosso = async (): Promise<MadeDebt> => {
  people += 1;
  return engine.debt({ cpf: String(40_000_000_000 + people), phone: `+55659${String(80_000_000 + people)}` });
};

const collectFor = async (debt: MadeDebt, collectsFor: 'itself' | 'others', { verify = true } = {}): Promise<void> => {
  await changeAccount({
    db: engine.ofApi.db,
    missingConnections: engine.ofApi.missingConnections,
    requireOpeningsOfCollector: requireOpeningsOfCollector(engine.ofApi),
  })({ clientId: debt.clientId, change: { collectsFor }, source: SOURCE });
  if (verify) await engine.verify(debt.clientId);
};

/** Asks the gate about the next contact as if it were due now. */
async function contactNow({ id, clientId }: MadeDebt, given: Policy = policy) {
  await engine.query({ id, clientId, campaignId: '' }, 'update debts set next_contact_at = null where id = $1', [id]);
  const sender = { channel: engine.channel, credentials: null, id: null, number: null };
  const draft = { text: 'oi', short: 'oi', others: [], candidates: [{ sender, known: null }] as const };
  const clock = { at: engine.clock.now, offsetMs: 0, exact: true };
  const answer = await askGate({ ...engine.deps, policy: given }, { clientId, debtId: id }, clock, {
    ...draft,
    purpose: 'collection',
    attemptKey: randomUUID(),
  });
  return answer.kind;
}

const lastVerdict = async (debt: MadeDebt) => {
  const [row] = await engine.query<{ data: object }>(
    debt,
    `select data from debt_events where debt_id = $1 and kind = 'verdict' order by seq desc limit 1`,
    [debt.id],
  );
  return row?.data;
};

const contactsOfADay = async (debt: MadeDebt): Promise<string[]> => {
  const kinds: string[] = [];
  for (let contact = 0; contact < 4; contact += 1) {
    kinds.push(await contactNow(debt));
    engine.clock.now += HOUR;
  }
  return kinds;
};

describe('a law that binds only who collects for others', () => {
  it('holds a collector in Mato Grosso to two contacts a day, and eligibility says the same', async () => {
    const debt = await inMatoGrosso();
    await collectFor(debt, 'others');
    expect(await contactsOfADay(debt)).toEqual(['allowed', 'allowed', 'refused', 'refused']);
    const blocked = { allowed: false, rules: ['caps'], ruleIds: ['br-mt-lei-11792-2022'] };
    expect(await lastVerdict(debt)).toMatchObject(blocked);
    expect(
      await checkEligibility({ ...engine.ofApi, policy })({ clientId: debt.clientId, debtId: debt.id }),
    ).toMatchObject({ ...blocked, notBefore: '2026-11-19T13:00:00.000Z' });
  });

  it('does not hold a creditor itself to it', async () => {
    const debt = await inMatoGrosso();
    expect(await contactsOfADay(debt)).toEqual(Array(4).fill('allowed'));
    expect(JSON.stringify(await lastVerdict(debt))).not.toContain('br-mt');
  });

  it('is among the rules that a collector’s contact has passed', async () => {
    const debt = await inMatoGrosso();
    await collectFor(debt, 'others');
    expect(await contactNow(debt, shipped)).toBe('allowed');
    expect(await lastVerdict(debt)).toMatchObject({
      ruleIds: expect.arrayContaining(['br-mt-lei-11792-2022', 'br-mt-lei-11792-2022-hours', 'br-cap-day']),
    });
  });

  it('is not asked before the operator has checked the company again, because nothing leaves until then', async () => {
    const debt = await inMatoGrosso();
    await collectFor(debt, 'others', { verify: false });
    expect(await contactNow(debt, shipped)).toBe('refused');
    expect(await lastVerdict(debt)).toMatchObject({ rules: ['client_not_verified'] });
    await engine.verify(debt.clientId);
    expect(await contactNow(debt, shipped)).toBe('allowed');
  });
});

describe('a client who says that it collects for others', () => {
  it('is refused while the hours of a campaign leave a debtor no moment, and may go back at any time', async () => {
    const debt = await inMatoGrosso();
    const change = (hours: { from: string; to: string } | null) =>
      changeSettings(engine.ofApi)({ ...debt, change: { hours }, source: SOURCE });
    const late = { from: '18:00', to: '19:00' };
    await change(late);
    await expect(collectFor(debt, 'others')).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/collectsFor', code: 'hours_empty' }],
    });
    const kept = () => engine.query(debt, 'select collects_for from clients where id = $1', [debt.clientId]);
    expect(await kept()).toEqual([{ collects_for: 'itself' }]);
    await change(null);
    await collectFor(debt, 'others');
    await expect(change(late)).rejects.toMatchObject({ errors: [{ pointer: '/hours', code: 'hours_empty' }] });
    await collectFor(debt, 'itself');
    expect(await kept()).toEqual([{ collects_for: 'itself' }]);
  });
});
