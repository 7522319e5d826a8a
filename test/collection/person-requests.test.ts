import { beforeEach, describe, expect, it } from '@jest/globals';
import { timerOf } from '../../src/modules/debts/rules/next-step.ts';
import { listInbox } from '../../src/modules/debts/use-cases/list-inbox.ts';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { cpfOf } from '../../testing/debts.ts';
import { DAY, type GivenDebt, type MadeDebt, openEngine, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const SOURCE = { by: 'session', ip: '127.0.0.1' } as const;

const engine = await opened(openEngine());

describe('what a person asks for', () => {
  let people = 0;

  beforeEach(engine.reset);

  const phoneOf = (person: number): string => `+551198${String(1_000_000 + person)}`;
  /** A debt of a new person. */
  const make = (given: GivenDebt = {}): Promise<MadeDebt> => {
    people += 1;
    return engine.debt({ status: 'IN_COLLECTION', cpf: cpfOf(700_000_000 + people), phone: phoneOf(people), ...given });
  };
  /** Another debt of the person who was made last, in another campaign of the same client. */
  const another = (debt: MadeDebt, given: GivenDebt = {}): Promise<MadeDebt> =>
    engine.debt({
      clientId: debt.clientId,
      status: 'QUEUED',
      cpf: cpfOf(700_000_000 + people),
      phone: phoneOf(people),
      ...given,
    });
  const reasons = async ({ clientId, id }: MadeDebt): Promise<string[]> =>
    (await listInbox(engine.ofApi)({ clientId, state: 'open', limit: 100 })).items
      .filter(({ debt }) => debt.id === id)
      .map(({ reason }) => reason)
      .sort();
  const resume = ({ clientId, id: debtId }: MadeDebt) =>
    engine.requests.resumeDebt({ clientId, debtId, source: SOURCE, reason: 'A equipe conferiu com a pessoa.' });
  const withdraw = ({ clientId, id: debtId }: MadeDebt) =>
    engine.requests.withdrawDebt({ clientId, debtId, source: SOURCE });
  const eligibility = ({ clientId, id: debtId }: MadeDebt) => engine.requests.checkEligibility({ clientId, debtId });
  const contacted = async (debt: MadeDebt, at?: number): Promise<number> => {
    engine.sent.length = 0;
    await engine.contact(debt, at);
    return engine.sent.length;
  };

  it.each([
    ['hardship', 'Perdi o emprego, não tenho como pagar agora'],
    ['negotiate', 'vcs fazem desconto? parcela em 5x?'],
    ['human', 'quero falar com um atendente'],
    ['said_paid', 'ja paguei semana passada no cartao na recepcao'],
  ])('%s holds a debt of a campaign that is launched later, until the client decides', async (reason, text) => {
    const one = await make();
    await engine.hear(one, text);
    expect([await engine.status(one), await reasons(one)]).toEqual(['ON_HOLD', [reason]]);
    const later = await another(one);
    expect(await eligibility(later)).toMatchObject({ allowed: false, rules: expect.arrayContaining(['hold']) });
    expect(await contacted(later)).toBe(0);
    expect([await engine.status(later), await reasons(later)]).toEqual(['ON_HOLD', [reason]]);
    await resume(one);
    expect(await contacted(await another(one))).toBe(1);
  });

  it('a promise holds for later debts, also when another debt is resumed', async () => {
    const one = await make();
    const disputed = await another(one, { status: 'DISPUTED' });
    await engine.hear(one, 'Vou pagar dia 27/11/2026');
    await resume(disputed);
    const later = await another(one);
    for (const debt of [disputed, later]) {
      expect(await eligibility(debt)).toMatchObject({ allowed: false, rules: ['promise'] });
      expect(await contacted(debt, WEDNESDAY + 6 * DAY)).toBe(0);
    }
    engine.clock.now = WEDNESDAY + 13 * DAY;
    expect(await contacted(later)).toBe(1);
  });

  it('holds a disputed debt that is resumed, when it was asked about another debt', async () => {
    const one = await make({ status: 'DISPUTED' });
    const other = await another(one, { status: 'IN_COLLECTION' });
    await engine.hear(other, 'Perdi o emprego, não tenho como pagar agora');
    await resume(one);
    expect([await engine.status(one), await reasons(one)]).toEqual(['ON_HOLD', ['hardship']]);
    await resume(one);
    expect(await engine.status(one)).toBe('IN_COLLECTION');
  });

  it('ends with the withdrawal of the only debt that stands for it', async () => {
    const one = await make();
    await engine.hear(one, 'Perdi o emprego, não tenho como pagar agora');
    await withdraw(one);
    expect(await contacted(await another(one))).toBe(1);
  });

  it('stays for the others when one of two debts is withdrawn', async () => {
    const one = await make();
    const two = await another(one);
    await engine.hear(one, 'quero falar com um atendente');
    await withdraw(one);
    expect([await engine.status(two), await contacted(await another(one))]).toEqual(['ON_HOLD', 0]);
  });

  it('belongs to one client, and to one world', async () => {
    const one = await make();
    await engine.hear(one, 'Perdi o emprego, não tenho como pagar agora');
    const person = { cpf: cpfOf(700_000_000 + people), phone: phoneOf(people), status: 'QUEUED' };
    expect(await contacted(await engine.debt(person))).toBe(1);
    expect(await contacted(await another(one, { sandbox: true }))).toBe(1);
  });

  describe('a claim of payment', () => {
    it('is checked at the end of two business days, for every debt, and then waits for a person', async () => {
      const one = await make();
      const later = await another(one);
      const step = await engine.hear(one, 'Já paguei.');
      expect(engine.sent.at(-1)?.text).toMatch(/dois dias úteis/);
      expect([await engine.status(one), await reasons(one)]).toEqual(['IN_COLLECTION', []]);
      expect(await eligibility(later)).toMatchObject({ allowed: false, rules: ['said_paid'] });
      engine.clock.now = timerOf(step) ?? 0;
      for (const debt of [one, later]) {
        expect(await contacted(debt)).toBe(0);
        expect([await engine.status(debt), await reasons(debt)]).toEqual(['ON_HOLD', ['said_paid']]);
      }
      await resume(one);
      expect(await engine.status(one)).toBe('IN_COLLECTION');
    });

    it.each(['EXHAUSTED', 'UNREACHABLE', 'OPTED_OUT', 'DISPUTED'])(
      'about a debt %s, which waits for no contact, is passed on at once',
      async (status) => {
        const one = await make({ status });
        await engine.hear(one, 'Já paguei.');
        expect(await reasons(one)).toContain('said_paid');
        expect(engine.sent.at(-1)?.text).toMatch(/Passei para a equipe/);
      },
    );

    it.each(['PAID', 'STOPPED'])('about a debt %s asks nobody', async (status) => {
      const one = await make({ status });
      await engine.hear(one, 'ja paguei ontem no cartao');
      expect([await engine.status(one), await reasons(one)]).toEqual([status, []]);
    });
  });

  describe('PARAR', () => {
    it.each([
      ['disputed', 'Não reconheço essa dívida, parem de me mandar mensagem'],
      ['human', 'Quero falar com um atendente. PARAR'],
    ])('in the same message leaves %s in the inbox', async (reason, text) => {
      const one = await make();
      await engine.hear(one, text);
      expect(await engine.status(one)).toBe('OPTED_OUT');
      expect(await reasons(one)).toContain(reason);
    });

    it.each([
      ['disputed', 'Não reconheço essa dívida'],
      ['hardship', 'Perdi o emprego, não tenho como pagar agora'],
      ['human', 'quero falar com um atendente'],
    ])('before or after it leaves %s in the inbox', async (reason, text) => {
      const before = await make();
      await engine.hear(before, text);
      await engine.hear(before, 'PARAR');
      expect([await engine.status(before), await reasons(before)]).toEqual(['OPTED_OUT', [reason]]);
      const after = await make();
      await engine.hear(after, 'PARAR');
      await engine.hear(after, text);
      expect(await reasons(after)).toEqual([reason]);
    });
  });

  describe('news of a death', () => {
    it('holds every debt of the person, on whichever phone, and every later one', async () => {
      const one = await make();
      const elsewhere = await another(one, { phone: '+5511987650001', status: 'IN_COLLECTION' });
      await engine.hear(one, 'A Maria faleceu');
      const later = await another(one, { phone: '+5511987650001' });
      expect(await contacted(later)).toBe(0);
      for (const debt of [one, elsewhere, later]) {
        expect([await engine.status(debt), await reasons(debt)]).toEqual(['ON_HOLD', ['human']]);
      }
    });
  });

  describe('a phone that somebody else has silenced', () => {
    it('is passed over, and ends nothing', async () => {
      const shared = '+5511987650002';
      const one = await make({ phone: shared });
      await engine.hear(one, 'PARAR');
      const two = await make({ clientId: one.clientId, status: 'QUEUED', phones: [shared, '+5511987650003'] });
      await contacted(two);
      expect(await contacted(two)).toBe(1);
      expect(engine.sent.map(({ phone }) => phone)).toEqual(['+5511987650003']);
    });

    it('ends a debt that has no other one, and of one who has opted out no other is used', async () => {
      const shared = '+5511987650004';
      const one = await make({ phones: [shared, '+5511987650005'] });
      await engine.hear(one, 'PARAR', shared);
      const again = await another(one, { phones: ['+5511987650005', shared] });
      const two = await make({ clientId: one.clientId, status: 'QUEUED', phone: shared });
      for (const debt of [again, two]) {
        expect(await contacted(debt)).toBe(0);
        expect(await engine.status(debt)).toBe('EXHAUSTED');
      }
    });
  });

  it('is told to a person when a question comes again and the same answer would be sent', async () => {
    const one = await make();
    await engine.hear(one, 'qual o valor?');
    expect(await reasons(one)).toEqual([]);
    await engine.hear(one, 'quanto é que eu devo?');
    expect([await engine.status(one), await reasons(one)]).toEqual(['IN_COLLECTION', ['question']]);
  });

  it('is erased with the person', async () => {
    const one = await make();
    await engine.hear(one, 'Vou pagar dia 27/11/2026');
    await withdraw(one);
    await eraseDebtor(engine.deps)(cpfOf(700_000_000 + people));
    expect(
      await engine.query(one, 'select from person_requests where debtor_tax_id = $1', [cpfOf(700_000_000 + people)]),
    ).toEqual([]);
  });
});
