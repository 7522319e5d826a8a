import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../src/kernel/errors.ts';
import type { InboxReason } from '../../src/modules/debts/rules/inbox-reasons.ts';
import { listInbox } from '../../src/modules/debts/use-cases/list-inbox.ts';
import { cpfOf } from '../../testing/debts.ts';
import { DAY, HOUR, type MadeDebt, openEngine, WEDNESDAY } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const SOURCE = { by: 'session', ip: '127.0.0.1' } as const;
const REQUESTS = {
  hardship: 'Perdi o emprego, não tenho como pagar agora',
  human: 'quero falar com um atendente',
  negotiate: 'vcs fazem desconto? parcela em 5x?',
  disputed: 'Não reconheço essa dívida',
} as const satisfies Partial<Record<InboxReason, string>>;
/** The promised day begins in São Paulo. */
const PROMISED = Date.UTC(2026, 10, 30, 3);
type Request = keyof typeof REQUESTS;
const HOLDS: readonly string[] = ['hardship', 'human', 'negotiate', 'said_paid', 'disputed'];

type Act =
  | { readonly kind: 'contact' | 'resume' | 'withdraw'; readonly debt: number }
  | { readonly kind: 'say'; readonly debt: number; readonly request: Request }
  | { readonly kind: 'stop' | 'promise' | 'ask' | 'claim'; readonly debt: number }
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'launch' };

const which = fc.constantFrom(0, 1, 2, 3, 3);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('contact' as const), debt: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('resume' as const, 'withdraw' as const), debt: which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      debt: which,
      request: fc.constantFrom(...(Object.keys(REQUESTS) as Request[])),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('stop' as const, 'promise' as const, 'ask' as const, 'claim' as const),
      debt: which,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 9, 24, 72, 168) }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'launch' as const }) },
);

const engine = await opened(openEngine());

describe('whatever happens to the debts of a person, in whatever order', () => {
  let people = 0;

  const eligibility = ({ clientId, id: debtId }: MadeDebt) => engine.requests.checkEligibility({ clientId, debtId });
  const openItems = async (clientId: string) =>
    (await listInbox(engine.ofApi)({ clientId, state: 'open', limit: 100 })).items.map(({ debt, reason }) => ({
      debtId: debt.id,
      reason: reason as string,
    }));

  async function carryOut(acts: readonly Act[]): Promise<void> {
    engine.clock.now = WEDNESDAY;
    engine.sent.length = 0;
    people += 1;
    const person = { cpf: cpfOf(810_000_000 + people), phone: `+551197${String(1_000_000 + people)}` };
    const first = await engine.debt({ ...person, status: 'QUEUED' });
    const { clientId } = first;
    const debts = [first, await engine.debt({ ...person, clientId, status: 'QUEUED' })];
    let silenced = false;
    let undecided = false;
    let promised = 0;
    const contacted: number[] = [];
    /** Place 3 is the newest debt, which has not heard what was said before. */
    const of = (place: number): MadeDebt => (place === 3 ? debts.at(-1)! : debts[place % debts.length]!);
    const hear = async (debt: MadeDebt, text: string): Promise<boolean> => {
      // Messages have the real time, and what follows another within seconds would count as a machine's.
      await engine.query(debt, `update messages set created_at = created_at - interval '10 seconds'`);
      await engine.hear(debt, text);
      return !['PAID', 'STOPPED'].includes(await engine.status(debt));
    };
    for (const each of acts) {
      const before = await openItems(clientId);
      switch (each.kind) {
        case 'wait':
          engine.clock.now += each.hours * HOUR;
          break;
        case 'launch':
          debts.push(await engine.debt({ ...person, clientId, status: 'QUEUED' }));
          break;
        case 'contact': {
          engine.sent.length = 0;
          await engine.contact(of(each.debt));
          const collected = engine.sent.filter(({ purpose }) => purpose !== 'reply');
          if (collected.length === 0) break;
          expect(collected).toHaveLength(1);
          expect(silenced).toBe(false);
          expect(engine.clock.now).toBeGreaterThanOrEqual(promised);
          // What a person asked for holds all debts, until the client has decided about one of them: then it holds the rest.
          expect(undecided).toBe(false);
          expect(before.filter(({ debtId, reason }) => debtId === of(each.debt).id && HOLDS.includes(reason))).toEqual(
            [],
          );
          const local = new Date(engine.clock.now - 3 * HOUR);
          expect(local.getUTCHours()).toBeGreaterThanOrEqual(8);
          expect(local.getUTCHours()).toBeLessThan(20);
          const today = Math.floor(local.getTime() / DAY);
          expect(contacted).not.toContain(today);
          contacted.push(today);
          break;
        }
        case 'say': {
          const debt = of(each.debt);
          if (await hear(debt, REQUESTS[each.request])) {
            expect(await openItems(clientId)).toContainEqual({ debtId: debt.id, reason: each.request });
            undecided ||= each.request !== 'disputed';
          }
          break;
        }
        case 'stop':
          await hear(of(each.debt), 'PARAR');
          silenced = true;
          expect(['IN_COLLECTION', 'QUEUED']).not.toContain(await engine.status(of(each.debt)));
          break;
        case 'promise':
          await hear(of(each.debt), 'Vou pagar dia 30/11/2026');
          if ((await eligibility(of(each.debt))).rules.includes('promise')) promised = PROMISED;
          break;
        case 'claim':
          await hear(of(each.debt), 'Já paguei.');
          break;
        case 'ask':
          await hear(of(each.debt), 'qual o valor?');
          break;
        case 'resume':
        case 'withdraw': {
          const { id: debtId } = of(each.debt);
          const given = { clientId, debtId, source: SOURCE };
          const decide =
            each.kind === 'resume'
              ? engine.requests.resumeDebt({ ...given, reason: 'A equipe conferiu com a pessoa.' })
              : engine.requests.withdrawDebt(given);
          await decide.catch((error: unknown) => {
            if (!(error instanceof AppError && error.code === 'debt_state')) throw error;
          });
          promised = 0;
          undecided = false;
        }
      }
      if (each.kind === 'resume' || each.kind === 'withdraw') continue;
      // Only a decision of the client takes away what waits for one.
      const now = await openItems(clientId);
      expect(now).toEqual(expect.arrayContaining(before.filter(({ reason }) => reason !== 'question')));
    }
  }

  it('nobody is contacted against a request, twice a day, at night or after PARAR, and no request is lost', async () => {
    await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 20 }), carryOut), {
      numRuns: Number(process.env['SEQUENCES'] ?? 40),
    });
  });
});
