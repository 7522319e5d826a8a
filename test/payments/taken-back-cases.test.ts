import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { OffersPolicy } from '../../src/modules/agreements/rules/offers-policy.ts';
import { acceptOffer } from '../../src/modules/agreements/use-cases/accept-offer.ts';
import { readOffers } from '../../src/modules/agreements/use-cases/offers.ts';
import { changeOffersPolicy } from '../../src/modules/agreements/use-cases/offers-policy.ts';
import { readAgreementOfClient } from '../../src/modules/agreements/use-cases/read-agreements.ts';
import { readDebt } from '../../src/modules/debts/use-cases/read-debt.ts';
import { DAY, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { recordedPayments } from '../../testing/recorded-payments.ts';
import { SOURCE } from '../../testing/source.ts';

const engine = await opened(openEngine());
afterEach(engine.reset);

const { settle, undo } = recordedPayments(engine);
const resume = ({ clientId, id: debtId }: MadeDebt) =>
  engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'A equipe conferiu com a pessoa.' });

const requestsOf = async (debt: MadeDebt): Promise<string[]> =>
  (
    await engine.query<{ requests: string[] }>(
      debt,
      `select requests from person_requests join debts using (client_id, debtor_tax_id, sandbox) where debts.id = $1`,
      [debt.id],
    )
  ).flatMap(({ requests }) => requests);
const stateOf = async (debt: MadeDebt) => ({
  status: await engine.status(debt),
  inbox: await engine.inbox(debt),
  requests: await requestsOf(debt),
});

/** A debt whose debtor wrote this after the first message. */
async function debtAfter(words: string, given: Parameters<typeof engine.debt>[0] = somebody()): Promise<MadeDebt> {
  const debt = await engine.debt(given);
  await engine.contact(debt);
  await engine.hear(debt, words);
  return debt;
}

describe('a payment about the wrong debt that is taken back', () => {
  it.each([
    ['human', 'human', 'Quero falar com um atendente'],
    ['hardship', 'hardship', 'Estou desempregada, não tenho como pagar agora'],
    ['said_paid', 'said_paid', 'Já paguei na recepção, no cartão'],
    ['human', 'death', 'Ela faleceu mês passado'],
  ])('gives back the case (%s) and what the person had asked for (%s)', async (reason, request, words) => {
    const debt = await debtAfter(words);
    const before = { status: 'ON_HOLD', inbox: [reason], requests: [request] };
    expect(await stateOf(debt)).toEqual(before);
    const payment = await settle(debt);
    expect(await stateOf(debt)).toEqual({ status: 'PAID', inbox: [], requests: [] });
    await undo(debt, payment);
    expect(await stateOf(debt)).toEqual(before);
    const { timeline } = await readDebt(engine.ofApi)({ clientId: debt.clientId, debtId: debt.id });
    expect(timeline.filter((entry) => 'ended' in entry)).toEqual([]);
  });

  it('gives the case back as often as that happens', async () => {
    const debt = await debtAfter('Quero falar com um atendente');
    await undo(debt, await settle(debt));
    await undo(debt, await settle(debt));
    expect(await stateOf(debt)).toEqual({ status: 'ON_HOLD', inbox: ['human'], requests: ['human'] });
  });

  it('leaves later debts of a person of whose death there was news without a message', async () => {
    const person = somebody();
    const debt = await debtAfter('Ela faleceu mês passado', person);
    const sent = engine.sent.length;
    await undo(debt, await settle(debt));
    engine.clock.now += 14 * DAY;
    const { clientId, campaignId } = debt;
    await engine.contact(await engine.debt({ cpf: person.cpf, phone: '+5511955550001', clientId, campaignId }));
    expect(engine.sent).toHaveLength(sent);
  });

  it('asks about the part again that was paid before', async () => {
    const debt = await engine.debt(somebody());
    await engine.contact(debt);
    await settle(debt, 5_000);
    const before = { status: 'ON_HOLD', inbox: ['underpaid'], requests: [] };
    expect(await stateOf(debt)).toEqual(before);
    await undo(debt, await settle(debt, 10_075));
    expect(await stateOf(debt)).toEqual(before);
  });

  it('asks about a part that came when the debt was paid', async () => {
    const debt = await debtAfter('Quero falar com um atendente');
    const payment = await settle(debt);
    await settle(debt, 5_000);
    await undo(debt, payment);
    expect(await engine.inbox(debt)).toEqual(['human', 'underpaid']);
  });

  it('brings no case back that staff had ended before', async () => {
    const debt = await debtAfter('Quero falar com um atendente');
    await resume(debt);
    const before = await stateOf(debt);
    expect(before).toMatchObject({ inbox: [], requests: [] });
    await undo(debt, await settle(debt));
    expect(await stateOf(debt)).toEqual(before);
  });

  it('asks nothing more of the person about which staff have decided since', async () => {
    const person = somebody();
    const debt = await debtAfter('Quero falar com um atendente', person);
    const payment = await settle(debt);
    const { clientId, campaignId } = debt;
    const other = await debtAfter('Quero falar com um atendente', { ...person, clientId, campaignId });
    expect(await stateOf(other)).toEqual({ status: 'ON_HOLD', inbox: ['human'], requests: ['human'] });
    await resume(other);
    await undo(debt, payment);
    // This debt is on hold as before, and somebody has to end that; the other one is collected.
    expect(await stateOf(debt)).toEqual({ status: 'ON_HOLD', inbox: ['human'], requests: [] });
    expect(await engine.inbox(other)).toEqual([]);
  });

  it('opens nothing of a debt whose campaign was archived meanwhile', async () => {
    const debt = await debtAfter('Quero falar com um atendente');
    const payment = await settle(debt);
    const { clientId, campaignId } = debt;
    await engine.requests.changeCampaign({ clientId, campaignId, change: 'archive', source: SOURCE });
    await undo(debt, payment);
    expect(await stateOf(debt)).toEqual({ status: 'STOPPED', inbox: [], requests: [] });
  });
});

describe('a payment of an agreement about the wrong debt that is taken back', () => {
  /** A debt whose debtor has accepted an offer of several instalments. */
  async function agreed(): Promise<MadeDebt> {
    const debt = await engine.debt({ ...somebody(), dueDate: '2026-08-10' });
    await engine.contact(debt);
    const { clientId, id: debtId } = debt;
    const policy = { ...OFFERS_POLICY, minInstalmentCentavos: 1_000, personAboveCentavos: null } as OffersPolicy;
    await changeOffersPolicy(engine.ofApi)({ clientId, policy, source: SOURCE });
    const { items } = await readOffers(engine.ofApi)({ clientId, debtId });
    await engine.ofApi.db
      .tenant(clientId)
      .transactional((tx) =>
        acceptOffer(tx, engine.ofApi, { clientId, debtId, offer: { id: items[1]!.id }, by: 'page', in: null }),
      );
    return debt;
  }

  const agreementOf = async (debt: MadeDebt) => {
    const [agreement] = await engine.query<{ id: string; status: string; total: string; because: string | null }>(
      debt,
      'select id, status, total_centavos as total, stopped_because as because from agreements where client_id = $1',
      [debt.clientId],
    );
    return agreement!;
  };
  const agreedState = async (debt: MadeDebt) => ({ ...(await stateOf(debt)), agreement: await agreementOf(debt) });
  const settleAgreed = async (debt: MadeDebt) => settle(debt, Number((await agreementOf(debt)).total));

  const DISPUTE = 'Não reconheço essa dívida, nunca comprei nada com vocês';

  it.each([
    ['a dispute', DISPUTE],
    ['hardship', 'Perdi o emprego, não tenho como pagar agora'],
    ['a claim of payment', 'Já paguei na recepção, no cartão'],
  ])('leaves an agreement that it had completed stopped by %s', async (_, words) => {
    const debt = await agreed();
    await engine.hear(debt, words);
    const before = await agreedState(debt);
    expect(before.inbox).not.toEqual([]);
    const payment = await settleAgreed(debt);
    expect(await stateOf(debt)).toEqual({ status: 'PAID', inbox: [], requests: [] });
    const { clientId } = debt;
    const completed = await readAgreementOfClient(engine.ofApi)({ clientId, agreementId: before.agreement.id });
    expect(completed).toMatchObject({ status: 'COMPLETED', stoppedBecause: null });
    await undo(debt, payment);
    expect(await agreedState(debt)).toEqual(before);
  });

  it('lets an agreement wait again for a claim of payment that a single instalment had ended', async () => {
    const debt = await agreed();
    await engine.hear(debt, 'Já paguei na recepção, no cartão');
    const before = await agreedState(debt);
    expect(before).toMatchObject({ status: 'AGREEMENT', inbox: ['said_paid'], requests: ['said_paid'] });
    const payment = await settle(debt, 2_000);
    expect(await stateOf(debt)).toEqual({ status: 'AGREEMENT', inbox: [], requests: [] });
    await undo(debt, payment);
    expect(await agreedState(debt)).toEqual(before);
  });

  it('brings no claim of payment back about which staff have decided since', async () => {
    const debt = await agreed();
    await engine.hear(debt, 'Já paguei na recepção, no cartão');
    const payment = await settle(debt, 2_000);
    await engine.hear(debt, 'Já paguei na recepção, no cartão, semana passada');
    expect(await engine.inbox(debt)).toEqual(['said_paid']);
    await resume(debt);
    await undo(debt, payment);
    expect(await stateOf(debt)).toEqual({ status: 'AGREEMENT', inbox: [], requests: [] });
  });

  it('sends nothing of the agreement while it is disputed', async () => {
    const debt = await agreed();
    const { clientId } = debt;
    const { id: agreementId } = await agreementOf(debt);
    await engine.hear(debt, DISPUTE);
    const sent = engine.sent.length;
    await undo(debt, await settleAgreed(debt));
    for (let day = 1; day < 30; day += 1) {
      engine.clock.now += DAY;
      const clock = { at: engine.clock.now, offsetMs: 0, exact: false };
      await engine.services.followAgreement({ clientId, agreementId, clock, attemptKey: randomUUID() });
    }
    expect(engine.sent.slice(sent)).toEqual([]);
  });
});
