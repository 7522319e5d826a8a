import { changeSettings } from '../../src/modules/campaigns/use-cases/change-settings.ts';
import { type Engine, type GivenDebt, HOUR, type MadeDebt, somebody } from '../../testing/engine.ts';
import { SOURCE } from '../../testing/source.ts';

/** By the clock of São Paulo. The tests begin on Wednesday, 18 November 2026, at 11:00; the 20th is a holiday. */
export const sp = (local: string): number => Date.parse(`2026-${local}:00-03:00`);
export const day = (at: number): string => new Date(at - 3 * HOUR).toISOString().slice(5, 10);

/** What the suites of reminders do with an engine. */
export function remindersOf(engine: Engine) {
  const remind = ({ clientId, campaignId }: MadeDebt, daysBefore: readonly number[] | null) =>
    changeSettings(engine.ofApi)({
      clientId,
      campaignId,
      change: { reminders: daysBefore === null ? null : { daysBefore } },
      source: SOURCE,
    });

  return {
    remind,

    /** A debt of its own campaign, of a person of its own, with reminders. */
    async remindedDebt(dueDate: string, daysBefore: readonly number[], given: GivenDebt = {}): Promise<MadeDebt> {
      const debt = await engine.debt({ ...somebody(), dueDate, ...given });
      await remind(debt, daysBefore);
      return debt;
    },

    /** Does what the workflow of the debt does until a moment: it is contacted at the moment that the last step named. */
    async follow(debt: MadeDebt, until: number): Promise<void> {
      for (let from = engine.clock.now; ; ) {
        engine.clock.now = from;
        const step = await engine.services.contactDebtor(engine.request(debt));
        if (step.kind !== 'wait' || step.until > until) break;
        from = Math.max(step.until, from);
      }
      engine.clock.now = until;
    },

    /** The purposes and local days of all messages about the debt. */
    messagesOf: async (debt: MadeDebt): Promise<string[]> =>
      (
        await engine.query<{ purpose: string; at: Date }>(
          debt,
          `select purpose, at from messages where direction = 'out' and $1 = any (also_about || debt_id)
           and delivery is distinct from 'failed' order by at`,
          [debt.id],
        )
      ).map(({ purpose, at }) => `${purpose} ${day(at.getTime())}`),
  };
}
