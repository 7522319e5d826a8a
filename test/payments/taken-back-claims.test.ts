import { afterEach, describe, expect, it } from '@jest/globals';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { acceptOffer } from '../../src/modules/agreements/use-cases/accept-offer.ts';
import { readOffers } from '../../src/modules/agreements/use-cases/offers.ts';
import { changeOffersPolicy } from '../../src/modules/agreements/use-cases/offers-policy.ts';
import { HOUR, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { recordedPayments } from '../../testing/recorded-payments.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

const { settle, undo } = recordedPayments(engine);
const resume = ({ clientId, id: debtId }: MadeDebt) =>
  engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Nada foi pago na recepção.' });

/** Returns when the person of the debt has said that it is paid; null when no claim waits for a payment. */
const saidPaidAt = async (debt: MadeDebt): Promise<number | null> => {
  const [told] = await engine.query<{ at: Date | null }>(
    debt,
    `select said_paid_at as at from person_requests join debts using (client_id, debtor_tax_id, sandbox)
     where debts.id = $1`,
    [debt.id],
  );
  return told?.at?.getTime() ?? null;
};
/** When the workflow of the debt looks at it again. */
async function nextLook(debt: MadeDebt): Promise<number> {
  const next = await engine.contact(debt);
  if (!('until' in next) || next.until === null) throw new Error(`The debt waits for no moment: ${next.kind}`);
  return next.until;
}

/** Two debts of a person who says, shortly before the next message about the first one, that it is paid. */
async function claimed() {
  const person = somebody();
  const debt = await engine.debt(person);
  const until = await nextLook(debt);
  const other = await engine.debt({ ...person, clientId: debt.clientId });
  engine.clock.now = until - 2 * HOUR;
  await engine.hear(debt, 'Já paguei.');
  const said = await saidPaidAt(debt);
  expect(said).not.toBeNull();
  return { debt, other, until, said };
}

/** Nobody pays: nothing is sent, and at the end of the silence the staff have to look. */
async function isSilentFrom(debt: MadeDebt, until: number): Promise<void> {
  const sent = engine.sent.length;
  engine.clock.now = until;
  engine.clock.now = await nextLook(debt);
  await engine.contact(debt);
  expect(engine.sent.slice(sent)).toEqual([]);
  expect(await engine.status(debt)).toBe('ON_HOLD');
  expect(await engine.inbox(debt)).toEqual(['said_paid']);
}

describe('the silence after "já paguei", when a payment about the wrong debt is taken back', () => {
  it('goes on where the payment was recorded about the debt itself', async () => {
    const { debt, until } = await claimed();
    await undo(debt, await settle(debt));
    await isSilentFrom(debt, until);
  });

  it('goes on where the payment was recorded about another debt of the person', async () => {
    const { debt, other, until } = await claimed();
    await undo(other, await settle(other));
    await isSilentFrom(debt, until);
  });

  it('goes on where the campaign of that other debt was archived meanwhile', async () => {
    const { debt, other, until } = await claimed();
    const payment = await settle(other);
    const { clientId, campaignId } = other;
    await engine.requests.changeCampaign({ clientId, campaignId, change: 'archive', source: SOURCE });
    await undo(other, payment);
    expect(await engine.status(other)).toBe('STOPPED');
    await isSilentFrom(debt, until);
  });

  it('goes on where the payment was recorded as an instalment of an agreement of the person', async () => {
    const person = somebody();
    const agreed = await engine.debt({ ...person, dueDate: '2026-08-10' });
    await engine.contact(agreed);
    const { clientId, id: debtId } = agreed;
    const policy = { ...OFFERS_POLICY, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy;
    await changeOffersPolicy(engine.ofApi)({ clientId, policy, source: SOURCE });
    const { items } = await readOffers(engine.ofApi)({ clientId, debtId });
    await engine.ofApi.db
      .tenant(clientId)
      .transactional((tx) =>
        acceptOffer(tx, engine.ofApi, { clientId, debtId, offer: { id: items[1]!.id }, by: 'page', in: null }),
      );
    const debt = await engine.debt({ ...person, clientId });
    await engine.contact(debt);
    await engine.hear(debt, 'Já paguei.');
    const said = await saidPaidAt(debt);
    expect(said).not.toBeNull();
    const payment = await settle(agreed, 2_000);
    expect(await saidPaidAt(debt)).toBeNull();
    await undo(agreed, payment);
    expect(await saidPaidAt(debt)).toBe(said);
  });

  it('comes back as often as that happens', async () => {
    const { debt, said } = await claimed();
    await undo(debt, await settle(debt));
    await undo(debt, await settle(debt));
    expect(await saidPaidAt(debt)).toBe(said);
  });

  it('counts from what the person has said since', async () => {
    const { debt, other, said } = await claimed();
    const payment = await settle(other);
    engine.clock.now += HOUR;
    await engine.hear(debt, 'Eu já paguei.');
    const again = await saidPaidAt(debt);
    expect(again).toBeGreaterThan(said!);
    await undo(other, payment);
    expect(await saidPaidAt(debt)).toBe(again);
  });

  it('is over where staff have decided about a claim since', async () => {
    const { debt, other } = await claimed();
    const payment = await settle(other);
    await engine.hear(debt, 'Já paguei na recepção, no cartão');
    expect(await engine.inbox(debt)).toEqual(['said_paid']);
    await resume(debt);
    await undo(other, payment);
    expect(await saidPaidAt(debt)).toBeNull();
  });
});
