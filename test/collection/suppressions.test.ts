import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type NextStep, timerOf } from '../../src/modules/debts/rules/next-step.ts';
import {
  DAY,
  engineServices,
  type MadeDebt,
  openEngine,
  somebody,
  WEDNESDAY,
  withoutKnown,
} from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

type World = 'real' | 'sandbox';
type Kind = 'opt_out' | 'wrong_person';

/** The number that all clients of these tests send from. */
const SENDER = '+551140000000';

const engine = await opened(openEngine());
const { channel } = engine;
const services = engineServices({
  ...engine.deps,
  sendersOf: async () => [{ channel, credentials: null, id: null, number: SENDER }],
});
afterEach(engine.reset);

type Person = ReturnType<typeof somebody>;

async function tell(kind: Kind, person: Person, world: World, clientId: string = randomUUID()): Promise<void> {
  const { personKeys } = engine.deps;
  await engine.db
    .system()
    .transactional((tx) =>
      runInTransaction(
        tx,
        `insert into suppressions (sandbox, kind, person_key, phone_key, client_id, sender) values ($1, $2, $3, $4, $5, $6)`,
        [world === 'sandbox', kind, personKeys.person(person.cpf), personKeys.phone(person.phone), clientId, SENDER],
      ),
    );
}

const contact = (debt: MadeDebt, at = WEDNESDAY) => {
  engine.clock.now = at;
  return services.contactDebtor(engine.request(debt, at));
};
const plan = ({ clientId, campaignId }: MadeDebt) => services.planCollection({ clientId, campaignId, after: null });
const scored = async (debt: MadeDebt) =>
  engine.query(debt, 'update debts set score = 100, scored_at = quita_now() where id = $1', [debt.id]);
const eligibility = ({ id, clientId }: MadeDebt) => engine.requests.checkEligibility({ clientId, debtId: id });
const holds = async (debt: MadeDebt) => (await engine.ledger(debt)).filter(({ kind }) => kind === 'reservation');
const timeline = (debt: MadeDebt) =>
  engine.query<{ kind: string; data: object }>(
    debt,
    'select kind, data from debt_events where debt_id = $1 order by seq',
    [debt.id],
  );

describe.each(['opt_out', 'wrong_person'] as const)('%s that another client received', (kind) => {
  it('blocks, is shown as scheduling with the next opening, and the debt ends like one without a free slot', async () => {
    const person = somebody();
    await tell(kind, person, 'real');
    const debt = await engine.debt(person);
    let at: number | null = WEDNESDAY;
    const visits: number[] = [];
    while (at !== null) {
      visits.push(at);
      const step: NextStep = await contact(debt, at);
      expect([undefined, 'EXHAUSTED']).toContain(step.kind === 'finish' ? step.status : undefined);
      at = timerOf(step);
    }
    expect(engine.sent).toEqual([]);
    // The gate decides each week, as for a person whose week others have filled, for as long as the sequence takes.
    expect(visits.map((visit) => Math.round((visit - WEDNESDAY) / DAY))).toEqual([0, 7, 14, 21, 28, 35, 42]);
    const verdicts = await engine.verdicts(debt);
    expect(new Set(verdicts.map(({ rules }) => rules.join()))).toEqual(new Set(['scheduling']));
    expect(verdicts[0]).toEqual({ allowed: false, rules: ['scheduling'], notBefore: '2026-11-19T12:00:00.000Z' });
    expect(verdicts.map(({ notBefore }) => notBefore)).not.toContain(null);
    expect(await engine.status(debt)).toBe('EXHAUSTED');
    expect(JSON.stringify(await timeline(debt))).not.toMatch(/opt_out|wrong_person|OPTED_OUT/);
    expect(await holds(debt)).toEqual([]);
  });

  it('delays the plan like a full week, without a verdict, and reserves no slot', async () => {
    const person = somebody();
    await tell(kind, person, 'real');
    const debt = await engine.debt(person);
    await scored(debt);
    const { debts } = await plan(debt);
    expect(debts).toHaveLength(1);
    expect(Math.round((debts[0]!.firstAt! - WEDNESDAY) / DAY)).toBe(7);
    expect(await timeline(debt)).toEqual([]);
    expect(await holds(debt)).toEqual([]);
  });

  it('does not count in the answer of contact-eligibility', async () => {
    const person = somebody();
    await tell(kind, person, 'real');
    expect(await eligibility(await engine.debt(person))).toMatchObject({ allowed: true, notBefore: null });
  });

  it('is not shown as scheduling where the client received the same, because then its own rule is shown', async () => {
    const person = somebody();
    const debt = await engine.debt(person);
    await tell(kind, person, 'real');
    await tell(kind, person, 'real', debt.clientId);
    expect(withoutKnown(await contact(debt))).toEqual({ kind: 'finish', status: 'EXHAUSTED', needsOperator: false });
    expect(await engine.verdicts(debt)).toEqual([{ allowed: false, rules: [kind], notBefore: null }]);
    expect(engine.sent).toEqual([]);
  });

  it('of the sandbox binds no other client, at the gate, in the plan and in contact-eligibility', async () => {
    const person = somebody();
    await tell(kind, person, 'sandbox');
    const debt = await engine.debt({ ...person, sandbox: true });
    await scored(debt);
    expect(await eligibility(debt)).toMatchObject({ allowed: true });
    expect((await plan(debt)).debts).toEqual([{ debtId: debt.id, firstAt: WEDNESDAY }]);
    await contact(debt);
    expect(engine.sent).toHaveLength(1);
  });

  it('of the sandbox binds the client’s own sandbox debts', async () => {
    const person = somebody();
    const debt = await engine.debt({ ...person, sandbox: true });
    await tell(kind, person, 'sandbox', debt.clientId);
    await contact(debt);
    expect(engine.sent).toEqual([]);
    expect(await engine.verdicts(debt)).toEqual([{ allowed: false, rules: [kind], notBefore: null }]);
  });

  it('in the sandbox does not bind real debts', async () => {
    const person = somebody();
    await tell(kind, person, 'sandbox');
    await contact(await engine.debt(person));
    expect(engine.sent).toHaveLength(1);
  });
});

it('an opt-out at a client with another number binds no other client', async () => {
  const person = somebody();
  await tell('opt_out', person, 'real');
  const debt = await engine.debt(person);
  await engine.contact(debt);
  expect(engine.sent).toHaveLength(1);
});

it('a message of the debtor begins a new wait', async () => {
  const person = somebody();
  await tell('wrong_person', person, 'real');
  const debt = await engine.debt(person);
  await contact(debt);
  await engine.query(
    debt,
    `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, $3, 'message_received', '{}')`,
    [debt.clientId, debt.id, new Date(WEDNESDAY + 30 * DAY)],
  );
  expect((await contact(debt, WEDNESDAY + 44 * DAY)).kind).not.toBe('finish');
});
