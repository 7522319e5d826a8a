import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { acceptOffer } from '../../src/modules/agreements/use-cases/accept-offer.ts';
import { readOffers } from '../../src/modules/agreements/use-cases/offers.ts';
import { changeOffersPolicy } from '../../src/modules/agreements/use-cases/offers-policy.ts';
import { readDebt } from '../../src/modules/debts/use-cases/read-debt.ts';
import { settleDebt } from '../../src/modules/payments/use-cases/settle-debt.ts';
import { undoSettlement } from '../../src/modules/payments/use-cases/undo-settlement.ts';
import { DAY, HOUR, type MadeDebt, openEngine, somebody, WEDNESDAY } from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
beforeEach(() => engine.reset());

const payments = { ...engine.deps.payments, db: engine.ofApi.db };

/** Records that a debt was paid and returns the id of the payment. */
async function settle({ clientId, id: debtId }: MadeDebt): Promise<string> {
  const paymentId = randomUUID();
  await settleDebt(payments)({
    clientId,
    debtId,
    paymentId,
    amountCentavos: 15_075,
    paidAt: new Date(engine.clock.now),
    method: 'cash',
    note: null,
    rest: null,
    source: SOURCE,
  });
  return paymentId;
}

const POLICY = { ...OFFERS_POLICY, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy;

/** A debt that was contacted once, whose client makes offers. */
async function offered(person = somebody()): Promise<MadeDebt> {
  const debt = await engine.debt({ ...person, dueDate: '2026-08-10' });
  await engine.contact(debt);
  await changeOffersPolicy(engine.ofApi)({ clientId: debt.clientId, policy: POLICY, source: SOURCE });
  return debt;
}

async function byMessage(debt: MadeDebt): Promise<void> {
  await engine.hear(debt, 'Quero negociar, dá para parcelar?');
  await engine.hear(debt, 'Aceito a opção 2');
}

async function onPage({ clientId, id: debtId }: MadeDebt): Promise<void> {
  const { items } = await readOffers(engine.ofApi)({ clientId, debtId });
  await engine.ofApi.db
    .tenant(clientId)
    .transactional((tx) =>
      acceptOffer(tx, engine.ofApi, { clientId, debtId, offer: { id: items[1]!.id }, by: 'page', in: null }),
    );
}

async function agreementOf(debt: MadeDebt) {
  expect(await engine.status(debt)).toBe('AGREEMENT');
  const [row] = await engine.query<{ id: string }>(debt, 'select agreement_id as id from debts where id = $1', [
    debt.id,
  ]);
  const agreementId = row!.id;
  return {
    id: agreementId,
    look: (at: number) => {
      engine.clock.now = at;
      return engine.services.followAgreement({
        clientId: debt.clientId,
        agreementId,
        clock: { at, offsetMs: 0, exact: false },
        attemptKey: randomUUID(),
      });
    },
    notices: async () =>
      (
        await engine.query<{ notices: { notice: string }[] }>(debt, 'select notices from agreements where id = $1', [
          agreementId,
        ])
      )[0]!.notices.map(({ notice }) => notice),
    /** Takes what its workflow was to be told, as the relay does. Returns how much that was. */
    told: async () =>
      (await engine.query(debt, 'delete from outbox where workflow_id = $1 returning 1', [`agreement-${agreementId}`]))
        .length,
  };
}

const inboxOf = async (debt: MadeDebt): Promise<string[]> =>
  (
    await engine.query<{ reason: string }>(
      debt,
      'select reason from inbox_items where debt_id = $1 and closed_at is null',
      [debt.id],
    )
  ).map(({ reason }) => reason);

describe('an agreement that is accepted by a message or on a page after "já paguei"', () => {
  it.each([
    ['message', byMessage],
    ['page', onPage],
  ])('waits for the staff, who find it in the inbox: %s', async (_, accept) => {
    const debt = await offered();
    await engine.hear(debt, 'Já paguei na recepção, no cartão');
    await accept(debt);
    const agreement = await agreementOf(debt);
    expect(await agreement.look(WEDNESDAY)).toMatchObject({ kind: 'wait', until: null });
    expect(await inboxOf(debt)).toEqual(['said_paid']);
    const { clientId, id: debtId } = debt;
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Nada foi pago na recepção.' });
    expect(await inboxOf(debt)).toEqual([]);
    expect((await agreement.look(WEDNESDAY + HOUR)).kind).toBe('wait');
    expect(await agreement.look(WEDNESDAY + HOUR)).not.toMatchObject({ until: null });
  });

  it('shows on the timeline what the staff checked before they resumed it', async () => {
    const debt = await offered();
    await engine.hear(debt, 'Já paguei na recepção, no cartão');
    await onPage(debt);
    const { clientId, id: debtId } = debt;
    const reason = 'Nada foi pago na recepção.';
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason });
    const { timeline } = await readDebt(engine.ofApi)({ clientId, debtId });
    const notes = timeline.flatMap((entry) => (entry.kind === 'note' ? entry : []));
    expect(notes).toMatchObject([{ text: reason }]);
    const audited = `select details ->> 'noteId' as "noteId" from audit_log
      where client_id = $1 and action = 'agreement_resumed'`;
    const read = engine.ofApi.db.tenant(clientId).transactional((tx) => runInTransaction(tx, audited, [clientId]));
    expect(await read).toEqual([{ noteId: notes[0]?.noteId }]);
  });
});

describe('an agreement whose person says that another bill is paid', () => {
  type Decide = (other: MadeDebt) => Promise<unknown>;
  const decisions: readonly (readonly [string, Decide])[] = [
    [
      'resume',
      ({ clientId, id: debtId }) =>
        engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Nada foi pago na recepção.' }),
    ],
    [
      'withdraw',
      ({ clientId, id: debtId }) => engine.requests.withdrawDebt({ clientId, debtId, source: SOURCE, reason: 'Paga.' }),
    ],
    [
      'archive',
      ({ clientId, campaignId }) =>
        engine.requests.changeCampaign({ clientId, campaignId, change: 'archive', source: SOURCE }),
    ],
    ['settle', settle],
  ];

  it.each(decisions)('goes on once that is decided, and warns anew before any breach: %s', async (_, decide) => {
    const person = somebody();
    const agreed = await offered(person);
    await byMessage(agreed);
    const agreement = await agreementOf(agreed);
    // The warning of its breach has gone out.
    await agreement.look(WEDNESDAY + 42 * DAY);
    expect(await agreement.notices()).toEqual(['warning']);
    const other = await engine.debt({ ...person, clientId: agreed.clientId, dueDate: '2026-10-20' });
    await engine.hear(other, 'Já paguei essa na recepção, no cartão');
    expect(await inboxOf(other)).toEqual(['said_paid']);
    // The days of its notices come while nobody has decided.
    expect(await agreement.look(WEDNESDAY + 61 * DAY)).toMatchObject({ kind: 'wait', until: null });
    await agreement.told();
    await decide(other);
    expect(await agreement.told()).toBe(1);
    const next = await agreement.look(WEDNESDAY + 61 * DAY + HOUR);
    expect(next.kind).toBe('wait');
    expect(next).not.toMatchObject({ until: null });
  });

  it('warns anew also when that is decided before its next day', async () => {
    const person = somebody();
    const agreed = await offered(person);
    await byMessage(agreed);
    const agreement = await agreementOf(agreed);
    await agreement.look(WEDNESDAY + 42 * DAY);
    const other = await engine.debt({ ...person, clientId: agreed.clientId, dueDate: '2026-10-20' });
    engine.clock.now = WEDNESDAY + 60 * DAY;
    await agreement.told();
    await engine.hear(other, 'Já paguei essa na recepção, no cartão');
    // The workflow looks because of the claim, and so finds that its agreement is stopped.
    expect(await agreement.told()).toBe(1);
    await agreement.look(WEDNESDAY + 60 * DAY + HOUR);
    const { clientId, id: debtId } = other;
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Nada foi pago na recepção.' });
    expect((await agreement.look(WEDNESDAY + 61 * DAY)).kind).toBe('wait');
  });

  it('warns anew also when a payment had ended the claim and was taken back', async () => {
    const person = somebody();
    const agreed = await offered(person);
    await byMessage(agreed);
    const agreement = await agreementOf(agreed);
    const other = await engine.debt({ ...person, clientId: agreed.clientId, dueDate: '2026-10-20' });
    engine.clock.now = WEDNESDAY + 40 * DAY;
    await engine.hear(other, 'Já paguei essa na recepção, no cartão');
    await agreement.look(WEDNESDAY + 40 * DAY + HOUR);
    const payment = await settle(other);
    let warnedAt = WEDNESDAY + 40 * DAY + 2 * HOUR;
    let next = await agreement.look(warnedAt);
    for (let looks = 0; looks < 6 && (await agreement.notices()).length === 0; looks += 1) {
      if (next.kind !== 'wait' || next.until === null) break;
      warnedAt = next.until;
      next = await agreement.look(warnedAt);
    }
    expect(await agreement.notices()).toEqual(['warning']);
    engine.clock.now = warnedAt + DAY;
    await agreement.told();
    const { clientId, id: debtId } = other;
    await undoSettlement(payments)({ clientId, id: payment, source: SOURCE });
    expect(await inboxOf(other)).toEqual(['said_paid']);
    // The claim waits again, and the workflow looks because of it.
    expect(await agreement.told()).toBe(1);
    expect(await agreement.look(warnedAt + DAY + HOUR)).toMatchObject({ kind: 'wait', until: null });
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Nada foi pago na recepção.' });
    expect((await agreement.look(warnedAt + 19 * DAY)).kind).toBe('wait');
  });

  it('goes on when staff resume another agreement of the person', async () => {
    const person = somebody();
    const agreed = await offered(person);
    await byMessage(agreed);
    const later = await engine.debt({ ...person, clientId: agreed.clientId, dueDate: '2026-08-10' });
    await onPage(later);
    const [one, other] = [await agreementOf(agreed), await agreementOf(later)];
    await engine.hear(later, 'Já paguei na recepção, no cartão');
    expect(await one.look(WEDNESDAY + 42 * DAY)).toMatchObject({ kind: 'wait', until: null });
    await one.told();
    await other.told();
    const { clientId, id: debtId } = later;
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Nada foi pago na recepção.' });
    expect([await one.told(), await other.told()]).toEqual([1, 1]);
  });
});

describe('two agreements of one person that one message stops', () => {
  it.each(['Perdi o emprego, não consigo pagar', 'PARAR', 'Maria faleceu, aqui é a filha dela'])(
    'each wait in the inbox until somebody decides about it: %s',
    async (text) => {
      const person = somebody();
      const first = await offered(person);
      await byMessage(first);
      const second = await engine.debt({ ...person, clientId: first.clientId, dueDate: '2026-08-10' });
      await onPage(second);
      const other = await agreementOf(first);
      await engine.hear(second, text);
      expect(await inboxOf(first)).toContain('agreement');
      expect(await inboxOf(second)).toContain('agreement');
      const { clientId, id: debtId } = second;
      await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Conferido com a pessoa.' });
      expect(await other.look(WEDNESDAY + 42 * DAY)).toMatchObject({ kind: 'wait', until: null });
      expect(await inboxOf(first)).toContain('agreement');
    },
  );
});
