import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { importDebts } from '../../src/modules/campaigns/import/import-debts.ts';
import { importJson } from '../../src/modules/campaigns/import/import-json.ts';
import { settleDebt } from '../../src/modules/payments/use-cases/settle-debt.ts';
import { undoSettlement } from '../../src/modules/payments/use-cases/undo-settlement.ts';
import { debtInput } from '../../testing/debts.ts';
import { DAY, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { SOURCE } from '../../testing/source.ts';
import { COMPANY_ADDRESS } from '../../testing/verified-company.ts';

const engine = await opened(openEngine());

const payments = { ...engine.deps.payments, db: engine.ofApi.db };
const settle = settleDebt(payments);
const undo = undoSettlement(payments);

/** A debt of a draft that has another debt too. The client may launch it. */
async function draft(): Promise<MadeDebt> {
  const debt = await engine.debt({ ...somebody(), status: 'IMPORTED' });
  await engine.query(debt, 'update clients set address = $2, email_confirmed_at = quita_now() where id = $1', [
    debt.clientId,
    JSON.stringify(COMPANY_ADDRESS),
  ]);
  await engine.query(debt, `update campaigns set status = 'DRAFT', launched_at = null, sandbox = null where id = $1`, [
    debt.campaignId,
  ]);
  await engine.debt({ ...somebody(), clientId: debt.clientId, campaignId: debt.campaignId, status: 'IMPORTED' });
  return debt;
}

const pay = async ({ clientId, id: debtId }: MadeDebt, amountCentavos = 15_075): Promise<string> => {
  const paymentId = randomUUID();
  await settle({
    clientId,
    debtId,
    paymentId,
    amountCentavos,
    paidAt: new Date(engine.clock.now),
    method: 'pix',
    note: null,
    rest: amountCentavos < 15_075 ? 'keep' : null,
    source: SOURCE,
  });
  return paymentId;
};

const launch = ({ clientId, campaignId }: MadeDebt, sandbox: boolean) =>
  engine.requests.launchCampaign({ clientId, campaignId, sandbox, source: SOURCE });
const change = ({ clientId, campaignId }: MadeDebt, to: 'pause' | 'archive') =>
  engine.requests.changeCampaign({ clientId, campaignId, change: to, source: SOURCE });
const takeBack = ({ clientId }: MadeDebt, id: string) => undo({ clientId, id, source: SOURCE });

const rowOf = async (debt: MadeDebt) => {
  const [row] = await engine.query<{ status: string; sandbox: boolean }>(
    debt,
    'select status, sandbox from debts where id = $1',
    [debt.id],
  );
  return row;
};
/** Whether its workflow is woken as one of the sandbox, each time that it is woken. */
const wakings = (debt: MadeDebt) =>
  engine.query(
    debt,
    `select (payload ->> 'sandbox')::boolean as sandbox from outbox where workflow_id = $1 and signal = 'stateChanged'`,
    [`collection-${debt.id}`],
  );
const campaignStatus = async (debt: MadeDebt) =>
  (await engine.query<{ status: string }>(debt, 'select status from campaigns where id = $1', [debt.campaignId]))[0]
    ?.status;

describe('a payment of a draft that is taken back after the launch', () => {
  it.each([
    ['real', false],
    ['of the sandbox', true],
  ])('leaves a debt that is queued and contacted as the others are: %s', async (_, sandbox) => {
    const debt = await draft();
    const payment = await pay(debt);
    await launch(debt, sandbox);
    await takeBack(debt, payment);
    expect(await rowOf(debt)).toEqual({ status: 'QUEUED', sandbox });
    expect(await wakings(debt)).toEqual([{ sandbox }]);
    await engine.contact(debt);
    expect(await engine.status(debt)).toBe('IN_COLLECTION');
  });

  it('queues a debt that a part of its amount held', async () => {
    const debt = await draft();
    const payment = await pay(debt, 5_000);
    expect(await engine.status(debt)).toBe('ON_HOLD');
    await launch(debt, true);
    await takeBack(debt, payment);
    expect(await rowOf(debt)).toEqual({ status: 'QUEUED', sandbox: true });
  });

  it('leaves a debt of a draft as it was', async () => {
    const debt = await draft();
    await takeBack(debt, await pay(debt));
    expect(await rowOf(debt)).toEqual({ status: 'IMPORTED', sandbox: false });
  });

  it('waits for the end of a pause', async () => {
    const debt = await draft();
    const payment = await pay(debt);
    await launch(debt, true);
    await change(debt, 'pause');
    await takeBack(debt, payment);
    await engine.contact(debt);
    expect(await rowOf(debt)).toEqual({ status: 'QUEUED', sandbox: true });
  });

  it('makes a completed campaign run again', async () => {
    const debt = await draft();
    await engine.query(debt, `update debts set status = 'OPTED_OUT' where campaign_id = $1 and id <> $2`, [
      debt.campaignId,
      debt.id,
    ]);
    const payment = await pay(debt);
    await launch(debt, true);
    expect(await campaignStatus(debt)).toBe('COMPLETED');
    await takeBack(debt, payment);
    expect([await engine.status(debt), await campaignStatus(debt)]).toEqual(['QUEUED', 'RUNNING']);
  });

  it('leaves a disputed debt in the sandbox, so that nobody real is contacted when it is resumed', async () => {
    const debt = await draft();
    await engine.hear(debt, 'Não reconheço essa dívida, nunca comprei nada com vocês');
    const payment = await pay(debt);
    await launch(debt, true);
    await takeBack(debt, payment);
    expect(await rowOf(debt)).toEqual({ status: 'DISPUTED', sandbox: true });
    const { clientId, id: debtId } = debt;
    await engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'Conferido: segue em aberto.' });
    expect(await rowOf(debt)).toEqual({ status: 'IN_COLLECTION', sandbox: true });
  });

  it('gives a real debt its place back that the draft of the sandbox continued', async () => {
    const debt = await draft();
    const bill = debtInput(1);
    const { clientId, campaignId } = debt;
    const ended = await engine.debt({ clientId, cpf: bill.debtorCpf, status: 'EXHAUSTED', dueDate: bill.dueDate });
    await importJson(importDebts(engine.ofApi))({
      clientId,
      campaignId,
      checkOnly: false,
      source: SOURCE,
      bytes: Buffer.from(JSON.stringify({ clientId, debts: [bill] })),
    });
    const [stored] = await engine.query<{ id: string }>(debt, 'select continued_by as id from debts where id = $1', [
      ended.id,
    ]);
    const continued = { ...debt, id: stored!.id };
    const payment = await pay(continued);
    await launch(debt, true);
    await takeBack(debt, payment);
    expect(await rowOf(continued)).toEqual({ status: 'QUEUED', sandbox: true });
    expect(
      await engine.query(
        debt,
        `select ended.status, ended.sandbox, ended.continued_by, ended.identity_id = fresh.identity_id as same
         from debts as ended, debts as fresh where ended.id = $1 and fresh.id = $2`,
        [ended.id, continued.id],
      ),
    ).toEqual([{ status: 'EXHAUSTED', sandbox: false, continued_by: null, same: false }]);
  });
});

describe('a payment that is taken back after the campaign was archived', () => {
  it.each(['IMPORTED', 'QUEUED', 'IN_COLLECTION', 'ON_HOLD', 'DISPUTED', 'OPTED_OUT', 'EXHAUSTED', 'UNREACHABLE'])(
    'stops the debt as the others were: %s',
    async (status) => {
      const debt = await engine.debt({ ...somebody(), status });
      const payment = await pay(debt);
      await change(debt, 'archive');
      expect(await engine.status(debt)).toBe('PAID');
      await takeBack(debt, payment);
      expect(await engine.status(debt)).toBe('STOPPED');
      const items = await engine.query(
        debt,
        'select reason from inbox_items where debt_id = $1 and closed_at is null',
        [debt.id],
      );
      expect(items).toEqual([]);
      expect(await engine.contact(debt, engine.clock.now + DAY)).toMatchObject({ kind: 'finish', status: 'STOPPED' });
    },
  );
});
