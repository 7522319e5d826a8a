import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/kernel/errors.ts';
import { importDebts } from '../../src/modules/campaigns/import/import-debts.ts';
import { importJson } from '../../src/modules/campaigns/import/import-json.ts';
import { lockDebts } from '../../src/modules/debts/use-cases/debt-context.ts';
import { recordEntries } from '../../src/modules/debts/use-cases/record-entries.ts';
import { settleDebt } from '../../src/modules/payments/use-cases/settle-debt.ts';
import { ask } from '../../testing/database.ts';
import { cpfOf, type DebtInput, debtInput, debtInputs } from '../../testing/debts.ts';
import { DAY, HOUR, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const SOURCE = { ip: '127.0.0.1', by: 'session' } as const;

const engine = await opened(openEngine());

beforeEach(engine.reset);

type Campaign = Pick<MadeDebt, 'clientId' | 'campaignId'>;

const bring = ({ clientId, campaignId }: Campaign, debts: readonly DebtInput[]) =>
  importJson(importDebts(engine.ofApi))({
    clientId,
    campaignId,
    checkOnly: false,
    source: SOURCE,
    bytes: Buffer.from(JSON.stringify({ clientId, debts })),
  });

interface Row {
  readonly id: string;
  readonly status: string;
  readonly sandbox: boolean;
  readonly position: number;
  readonly invoice_id: string | null;
  readonly next_contact_at: Date | null;
}

const rowsOf = (debt: MadeDebt): Promise<Row[]> =>
  engine.query(
    debt,
    `select id, status, sandbox, position, invoice_id, next_contact_at from debts where campaign_id = $1 order by position`,
    [debt.campaignId],
  );
const requestsOf = (debt: MadeDebt) =>
  engine.query<{ kind: string; signal: string; requests: number; payload: object }>(
    debt,
    'select kind, signal, requests, payload from outbox where workflow_id = $1 order by created_at',
    [`campaign-${debt.campaignId}`],
  );
const campaignStatus = async (debt: MadeDebt): Promise<string> =>
  (await engine.query<{ status: string }>(debt, 'select status from campaigns where id = $1', [debt.campaignId]))[0]
    ?.status ?? '';
const change = (debt: MadeDebt, to: 'pause' | 'resume' | 'archive') =>
  engine.requests.changeCampaign({ clientId: debt.clientId, campaignId: debt.campaignId, change: to, source: SOURCE });

/** A sandbox campaign that runs, with one debt that is in collection. */
async function running(given: object = {}): Promise<MadeDebt> {
  const debt = await engine.debt({ sandbox: true, status: 'IN_COLLECTION', ...given });
  const at = new Date(engine.clock.now + DAY);
  await engine.query(debt, 'update debts set next_contact_at = $2 where id = $1', [debt.id, at]);
  return debt;
}

const review = ({ clientId, campaignId }: MadeDebt) => engine.services.reviewCampaign({ clientId, campaignId });

/** Does what the campaign's workflow does after a review. */
async function plan({ clientId, campaignId }: MadeDebt, behind: number) {
  await engine.services.scoreCampaign({ clientId, campaignId, behind }, () => {});
  return engine.services.planCollection({ clientId, campaignId, behind, after: null });
}

/** Row security also binds the owner, so it is lifted for this statement. */
async function asOwner(text: string, params: unknown[]): Promise<void> {
  await ask(engine.url, 'alter table clients no force row level security');
  await ask(engine.url, text, params);
  await ask(engine.url, 'alter table clients force row level security');
}

const codeOf = (settled: PromiseSettledResult<unknown>): string =>
  settled.status === 'fulfilled' ? 'done' : settled.reason instanceof AppError ? settled.reason.code : 'broken';

describe('debts that come into a running campaign', () => {
  it('are queued in its world and wake its workflow once for several imports', async () => {
    const before = await running();
    expect(await bring(before, debtInputs(2))).toMatchObject({ imported: 2, skipped: 0 });
    expect(await bring(before, debtInputs(1, 3))).toMatchObject({ imported: 1 });
    expect(await bring(before, debtInputs(3))).toMatchObject({ imported: 0, skipped: 3 });
    const later = (await rowsOf(before)).slice(1);
    expect(later.map(({ status, sandbox, position }) => ({ status, sandbox, position }))).toEqual(
      [2, 3, 4].map((position) => ({ status: 'QUEUED', sandbox: true, position })),
    );
    // The third import stored nothing, so it asks for nothing.
    expect(await requestsOf(before)).toMatchObject([
      { kind: 'signal_with_start', signal: 'stateChanged', requests: 2, payload: { fannedOut: true, restarted: true } },
    ]);
    expect(
      await engine.query(before, `select status, debts::int from campaign_status_counts where campaign_id = $1`, [
        before.campaignId,
      ]),
    ).toEqual(expect.arrayContaining([{ status: 'QUEUED', debts: 3 }]));
  });

  it('are planned alone, best score first, and a page that is asked for twice is the same', async () => {
    const before = await running();
    const amounts = [90, 9_000, 900];
    await bring(
      before,
      amounts.map((originalAmount, index) => debtInput(20 + index, { originalAmount })),
    );
    const { over, later } = await review(before);
    expect({ over, later }).toEqual({ over: false, later: { behind: 1 } });
    const page = await plan(before, 1);
    const [first, ...others] = await rowsOf(before);
    expect(page.next).toBeNull();
    const scores = await engine.query<{ id: string }>(
      before,
      `select id from debts where campaign_id = $1 and status = 'QUEUED' order by score desc, id desc`,
      [before.campaignId],
    );
    expect(page.debts.map(({ debtId }) => debtId)).toEqual(scores.map(({ id }) => id));
    expect(others.map(({ next_contact_at: at }) => at !== null)).toEqual([true, true, true]);
    expect(first?.next_contact_at?.getTime()).toBe(engine.clock.now + DAY);
    // The worker was killed before Temporal had its answer.
    const again = await plan(before, 1);
    expect(again.debts.map(({ debtId }) => debtId)).toEqual(page.debts.map(({ debtId }) => debtId));
    expect(await review(before)).toEqual({ over: false });
  });

  it('are found also behind many others', async () => {
    const before = await running();
    await engine.query(
      before,
      `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status, sandbox, score, scored_at)
       select $1, $2, 10 + each, 'Maria da Silva', '+5511988887777', lpad(each::text, 11, '0'), 1000, '2026-10-05',
         'QUEUED', true, 50, quita_now() from generate_series(1, 2100) as each`,
      [before.clientId, before.campaignId],
    );
    const { later } = await review(before);
    expect(later).toEqual({ behind: 10 });
    const page = await engine.services.planCollection({ ...before, behind: 10, after: null });
    expect(page.debts).toHaveLength(80);
    const next = await engine.services.planCollection({ ...before, behind: 10, after: page.next });
    expect(new Set([...page.debts, ...next.debts].map(({ debtId }) => debtId)).size).toBe(160);
  });

  it('join the next message to their person', async () => {
    const before = await running({ cpf: cpfOf(111_111_000) });
    await bring(before, [debtInput(31, { debtorCpf: cpfOf(111_111_000), originalAmount: 99 }), debtInput(32)]);
    const page = await plan(before, 1);
    const [, joined, other] = await rowsOf(before);
    const firstAt = new Map(page.debts.map((debt) => [debt.debtId, debt.firstAt]));
    expect(firstAt.get(joined!.id)).toBe(engine.clock.now + DAY);
    expect(firstAt.get(other!.id)).toBeLessThan(engine.clock.now + HOUR);
  });

  it('start their workflow when the message is faster than the plan', async () => {
    const before = await running({ cpf: cpfOf(222_222_000) });
    await bring(before, [debtInput(35, { debtorCpf: cpfOf(222_222_000), originalAmount: 99 })]);
    await engine.contact(before, engine.clock.now + 5 * DAY);
    const [, mentioned] = await rowsOf(before);
    expect(mentioned?.status).toBe('IN_COLLECTION');
    const started = await engine.query(before, 'select kind from outbox where workflow_id = $1', [
      `collection-${mentioned?.id}`,
    ]);
    expect(started).toEqual([{ kind: 'signal_with_start' }]);
    expect((await plan(before, 1)).debts).toEqual([]);
  });

  it('are held by what their person has asked for, and keep its promise', async () => {
    const before = await running({ cpf: cpfOf(333_333_000) });
    await engine.hear(before, 'Perdi o emprego, não tenho como pagar agora');
    expect(await engine.status(before)).toBe('ON_HOLD');
    // A held debt leaves the campaign complete, so another one keeps it open.
    const open = await engine.debt({ ...before, sandbox: true, status: 'IN_COLLECTION', cpf: cpfOf(444_444_000) });
    await engine.query(before, `update campaigns set status = 'RUNNING' where id = $1`, [before.campaignId]);
    await engine.hear(open, 'Pago dia 30');
    await bring(before, [
      debtInput(41, { debtorCpf: cpfOf(333_333_000), originalAmount: 99 }),
      debtInput(42, { debtorCpf: cpfOf(444_444_000), originalAmount: 99 }),
    ]);
    const page = await plan(before, 2);
    const [, , held, promised] = await rowsOf(before);
    expect(held).toMatchObject({ status: 'ON_HOLD', invoice_id: 'NF-41' });
    expect(
      await engine.query(before, 'select reason from inbox_items where debt_id = $1 and closed_at is null', [held?.id]),
    ).toEqual([{ reason: 'hardship' }]);
    expect(page.debts.map(({ debtId }) => debtId)).toEqual([promised?.id]);
    // The first business day after the promised Monday.
    expect(page.debts[0]?.firstAt).toBeGreaterThanOrEqual(Date.UTC(2026, 11, 1, 3));
  });

  it('contact nobody who has opted out', async () => {
    const before = await running({ cpf: cpfOf(555_555_000) });
    await engine.hear(before, 'PARAR');
    await engine.debt({ ...before, sandbox: true, status: 'IN_COLLECTION', cpf: cpfOf(555_555_556) });
    await engine.query(before, `update campaigns set status = 'RUNNING' where id = $1`, [before.campaignId]);
    await bring(before, [debtInput(51, { debtorCpf: cpfOf(555_555_000), originalAmount: 99 })]);
    const [planned] = (await plan(before, 2)).debts;
    expect(planned?.firstAt).toBeNull();
    const later = { ...before, id: planned!.debtId };
    engine.sent.length = 0;
    await engine.contact(later);
    expect(await engine.status(later)).toBe('EXHAUSTED');
    expect(engine.sent).toEqual([]);
  });
});

/** The debts of one person beside which another one is imported into the running campaign. */
describe('the first contact of a later debt', () => {
  // The caps of a person and a phone count what other tests have sent.
  let people = 0;
  let person = somebody();
  beforeEach(() => {
    people += 1;
    person = { ...somebody(), cpf: cpfOf(900_000_000 + people) };
  });
  const ofPerson = (row: number, dueDate = '2026-11-10') =>
    debtInput(row, { debtorCpf: person.cpf, debtorPhone: person.phone, originalAmount: row, dueDate });
  const dayOf = (moment: number | Date | null | undefined) =>
    moment == null ? null : new Date(moment).toISOString().slice(0, 10);
  const TODAY = '2026-11-18';
  const setSequence = (debt: MadeDebt, waits: readonly number[]) =>
    engine.query(debt, 'update campaigns set sequence = $2::jsonb where id = $1', [
      debt.campaignId,
      JSON.stringify(
        waits.map((thenWaitDays, index) => ({
          kind: index === 0 ? 'first' : index === waits.length - 1 ? 'last' : 'reminder',
          tone: 'friendly',
          thenWaitDays,
        })),
      ),
    ]);
  /** What a change of hours, sequence or reminders does. */
  const outdatePlans = (debt: MadeDebt) =>
    engine.query(debt, 'update debts set is_plan_outdated = true where campaign_id = $1', [debt.campaignId]);

  /** A debt about which a message was sent yesterday, and those that were imported today and join the next one. */
  async function joined(later = 1): Promise<{ before: MadeDebt; nextAt: Date; joining: Row[] }> {
    const before = await engine.debt({ ...person, sandbox: true });
    await setSequence(before, [6, 4, 0]);
    await engine.contact(before);
    engine.clock.now += DAY;
    await bring(
      before,
      Array.from({ length: later }, (_, index) => ofPerson(31 + index)),
    );
    await plan(before, 1);
    const [{ next_contact_at: nextAt } = { next_contact_at: null }, ...joining] = await rowsOf(before);
    expect(dayOf(nextAt)).toBe('2026-11-24');
    expect(joining.map((each) => each.next_contact_at)).toEqual(Array.from({ length: later }, () => nextAt));
    engine.sent.length = 0;
    return { before, nextAt: nextAt!, joining };
  }

  it('does not wait for a bill of the person that is due in half a year', async () => {
    const bill = await engine.debt({ ...person, sandbox: true, dueDate: '2027-05-10' });
    expect(dayOf((await plan(bill, 0)).debts[0]?.firstAt)).toBe('2027-05-11');
    await bring(bill, [ofPerson(31)]);
    expect(dayOf((await plan(bill, 1)).debts[0]?.firstAt)).toBe(TODAY);
  });

  it('does not wait for the end of a sequence that is used up, be it of the campaign or of the deployment', async () => {
    const before = await running(person);
    const set = (step: number) =>
      engine.query(before, 'update debts set step = $2, next_contact_at = $3 where id = $1', [
        before.id,
        step,
        new Date(engine.clock.now + 59 * DAY),
      ]);
    await bring(before, [ofPerson(31)]);
    const firstDay = async () => dayOf((await plan(before, 1)).debts[0]?.firstAt);
    const { length } = engine.deps.policy.sequence.steps;
    await set(length);
    expect(await firstDay()).toBe(TODAY);
    await setSequence(before, [3, 60]);
    await set(2);
    expect(await firstDay()).toBe(TODAY);
    // The last message is yet to come, and speaks of it too.
    await set(1);
    expect(await firstDay()).toBe('2027-01-18');
  });

  it('stays as it is when a page with a bill of the person that is not due is planned again', async () => {
    const before = await running();
    await bring(before, [ofPerson(61, '2027-05-10'), ofPerson(62)]);
    const days = async () => {
      await plan(before, 1);
      return (await rowsOf(before)).slice(1).map((row) => dayOf(row.next_contact_at));
    };
    expect(await days()).toEqual(['2027-05-11', TODAY]);
    // The worker was killed before Temporal had its answer.
    expect(await days()).toEqual(['2027-05-11', TODAY]);
  });

  it('still is the next message to the person after the person has written', async () => {
    const { before, joining } = await joined(2);
    await engine.hear(before, 'Qual o valor?');
    const [next, ...others] = await rowsOf(before);
    expect(dayOf(next?.next_contact_at)).toBe('2026-11-25');
    expect(others.map((each) => each.next_contact_at)).toEqual([next?.next_contact_at, next?.next_contact_at]);
    engine.sent.length = 0;
    for (const { id } of joining) await engine.contact({ ...before, id });
    expect(engine.sent).toEqual([]);
    // Nobody is woken for a moment that is later than the one that is waited for.
    const woken = await engine.query(before, 'select from outbox where workflow_id = any($1)', [
      joining.map(({ id }) => `collection-${id}`),
    ]);
    expect(woken).toEqual([]);
  });

  it('still is the next message to the person after the settings have changed', async () => {
    const { before, nextAt, joining } = await joined();
    await outdatePlans(before);
    await engine.contact({ ...before, id: joining[0]!.id });
    expect(engine.sent).toEqual([]);
    expect((await rowsOf(before)).map((each) => each.next_contact_at)).toEqual([nextAt, nextAt]);
  });

  it('follows the next message to the person when the settings move that one', async () => {
    const { before, nextAt, joining } = await joined();
    await setSequence(before, [9, 4, 0]);
    await outdatePlans(before);
    // The workflow of the later debt is the first to come, at the moment that held before.
    engine.clock.now = nextAt.getTime();
    await engine.contact({ ...before, id: joining[0]!.id });
    expect(engine.sent).toEqual([]);
    expect((await rowsOf(before)).map((each) => dayOf(each.next_contact_at))).toEqual(['2026-11-27', '2026-11-27']);
  });

  it('comes earlier with the next message to the person when the settings bring that one forward', async () => {
    const { before, joining } = await joined();
    await setSequence(before, [5, 4, 0]);
    await outdatePlans(before);
    await engine.contact({ ...before, id: joining[0]!.id });
    expect((await rowsOf(before)).map((each) => dayOf(each.next_contact_at))).toEqual(['2026-11-23', '2026-11-23']);
    // The workflow of the other debt waits for a moment that is later.
    const woken = await engine.query(before, 'select signal from outbox where workflow_id = $1', [
      `collection-${before.id}`,
    ]);
    expect(woken).toEqual([{ signal: 'stateChanged' }]);
  });
});

describe('a queued debt whose workflow runs before the plan', () => {
  const settle = settleDebt({ ...engine.deps.payments, db: engine.ofApi.db });
  const wakings = (debt: MadeDebt) =>
    engine.query(debt, 'select kind, signal from outbox where workflow_id = $1', [`collection-${debt.id}`]);
  /** The outbox has started the workflow. */
  const delivered = (debt: MadeDebt) =>
    engine.query(debt, 'delete from outbox where workflow_id = $1', [`collection-${debt.id}`]);
  const planned = async (debt: MadeDebt) => {
    await delivered(debt);
    const page = await plan(debt, 0);
    expect(page.debts.map(({ debtId }) => debtId)).toContain(debt.id);
    return wakings(debt);
  };
  const WOKEN = [{ kind: 'signal_with_start', signal: 'stateChanged' }];

  it('is woken by the plan after a part payment', async () => {
    const debt = await engine.debt();
    await engine.query(debt, `update campaigns set on_partial = 'continue' where id = $1`, [debt.campaignId]);
    await settle({
      clientId: debt.clientId,
      debtId: debt.id,
      paymentId: randomUUID(),
      amountCentavos: 5_000,
      paidAt: new Date(engine.clock.now),
      method: 'pix',
      note: null,
      rest: 'keep',
      source: SOURCE,
    });
    expect(await engine.services.settlePayment(engine.request(debt))).toMatchObject({ kind: 'waitForSignal' });
    expect(await planned(debt)).toEqual(WOKEN);
    expect(await engine.contact(debt)).toMatchObject({ kind: 'wait' });
  });

  it('is woken by the plan after an automatic answer of the phone', async () => {
    const debt = await engine.debt();
    const step = await engine.hear(debt, 'Olá! Agradecemos seu contato. Esta é uma mensagem automática.');
    expect(step).toMatchObject({ kind: 'waitForSignal' });
    expect(await planned(debt)).toEqual(WOKEN);
  });

  it('is woken by the plan after a notification that changes nothing', async () => {
    const debt = await engine.debt({ sandbox: true });
    await engine.requests.openCheckout(debt.id);
    expect(await engine.services.settlePayment(engine.request(debt))).toMatchObject({ kind: 'waitForSignal' });
    expect(await planned(debt)).toEqual(WOKEN);
  });

  it('is woken by the plan after a message that comes while the plan is made', async () => {
    const debt = await engine.debt();
    await engine.services.scoreCampaign({ ...debt, behind: 0 }, () => {});
    const isHeard = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const hearing = engine.db.tenant(debt.clientId).transactional(async (tx) => {
      await lockDebts(tx, [debt.id]);
      isLocked.resolve();
      await isHeard.promise;
      await recordEntries(tx, debt.id, engine.clock.now, [{ kind: 'needs_person', reason: 'not_understood' }]);
    });
    await isLocked.promise;
    const planning = plan(debt, 0);
    await until('the plan waits for the debt', async () => {
      const waiting = await engine.query(
        debt,
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.length > 0;
    });
    isHeard.resolve();
    await hearing;
    expect((await planning).debts).toHaveLength(1);
    expect(await wakings(debt)).toEqual(WOKEN);
  });

  it('is the only one that the plan wakes', async () => {
    const debt = await engine.debt();
    const other = await engine.debt({ ...debt, cpf: cpfOf(666_666_000), phone: '+5511980007777' });
    await engine.hear(debt, 'Olá! Agradecemos seu contato. Esta é uma mensagem automática.');
    expect(await planned(debt)).toEqual(WOKEN);
    expect(await wakings(other)).toEqual([]);
  });
});

describe('a campaign that was launched for real people', () => {
  it('takes debts only while its client meets what a launch requires', async () => {
    const before = await engine.debt({ status: 'IN_COLLECTION' });
    await asOwner('update clients set email_confirmed_at = null, verified_at = null where id = $1', [before.clientId]);
    const settled = await Promise.allSettled([bring(before, debtInputs(1))]);
    expect(settled.map(codeOf)).toEqual(['email_not_confirmed']);
    await asOwner('update clients set email_confirmed_at = quita_now() where id = $1', [before.clientId]);
    expect((await Promise.allSettled([bring(before, debtInputs(1))])).map(codeOf)).toEqual(['client_not_verified']);
    const address = { street: 'Rua A', number: '1', district: 'Centro', city: 'Santos', state: 'SP', postalCode: '1' };
    await asOwner(`update clients set cnpj = '11222333000181', address = $2 where id = $1`, [
      before.clientId,
      JSON.stringify(address),
    ]);
    await asOwner(
      'update clients set verified_at = quita_now(), verified_name = name, verified_cnpj = cnpj where id = $1',
      [before.clientId],
    );
    expect(await bring(before, debtInputs(1))).toMatchObject({ imported: 1 });
    expect((await rowsOf(before))[1]).toMatchObject({ status: 'QUEUED', sandbox: false });
  });
});

describe('a paused campaign', () => {
  it('takes debts, and plans them when it is resumed', async () => {
    const before = await running();
    await change(before, 'pause');
    await bring(before, debtInputs(1));
    expect((await rowsOf(before))[1]).toMatchObject({ status: 'QUEUED', next_contact_at: null });
    expect(await requestsOf(before)).toEqual([]);
    expect(await review(before)).toEqual({ over: false });
    // The pause came after the review.
    expect(await plan(before, 1)).toEqual({ debts: [], next: null });
    await change(before, 'resume');
    expect(await requestsOf(before)).toMatchObject([{ kind: 'signal_with_start' }]);
    expect(await review(before)).toEqual({ over: false, later: { behind: 1 } });
  });
});

describe('an import at the same moment as another change', () => {
  const ROUNDS = 6;
  const importInto = (debt: MadeDebt) => bring(debt, [debtInput(1, { invoiceId: `NF-${randomUUID()}` })]);

  it('comes before or after the completion', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await running();
      const settled = await Promise.allSettled([
        importInto(before),
        engine.requests.withdrawDebt({ clientId: before.clientId, debtId: before.id, source: SOURCE }),
      ]);
      const [imported, withdrawn] = settled.map(codeOf);
      expect(withdrawn).toBe('done');
      expect([imported, await campaignStatus(before)]).toEqual(
        imported === 'done' ? ['done', 'RUNNING'] : ['campaign_not_draft', 'COMPLETED'],
      );
    }
  });

  it('leaves no debt open in an archived campaign', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await running();
      const settled = await Promise.allSettled([importInto(before), change(before, 'archive')]);
      expect(['done', 'campaign_not_draft']).toContain(codeOf(settled[0]!));
      expect(codeOf(settled[1]!)).toBe('done');
      expect(new Set((await rowsOf(before)).map(({ status }) => status))).toEqual(new Set(['STOPPED']));
    }
  });

  it('is planned before or after a pause, and never forgotten', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await running();
      const settled = await Promise.allSettled([importInto(before), change(before, 'pause')]);
      expect(settled.map(codeOf)).toEqual(['done', 'done']);
      await change(before, 'resume');
      expect(await requestsOf(before)).toHaveLength(1);
      expect(await review(before)).toMatchObject({ later: { behind: 1 } });
    }
  });

  it('is part of the launch, or comes after it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const draft = await engine.debt({ status: 'IMPORTED' });
      await engine.query(
        draft,
        `update campaigns set status = 'DRAFT', sandbox = null, launched_at = null where id = $1`,
        [draft.campaignId],
      );
      const { clientId, campaignId } = draft;
      const settled = await Promise.allSettled([
        importInto(draft),
        engine.requests.launchCampaign({ clientId, campaignId, sandbox: true, source: SOURCE }),
      ]);
      expect(settled.map(codeOf)).toEqual(['done', 'done']);
      expect((await rowsOf(draft)).map(({ status, sandbox }) => [status, sandbox])).toEqual([
        ['QUEUED', true],
        ['QUEUED', true],
      ]);
    }
  });
});
