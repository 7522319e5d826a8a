import { ownContacts, ownSuppressions } from '../../db/queries/contact-gate.ts';
import { hasUnhandledInbox } from '../../db/queries/persons.ts';
import { DAY } from '../../domain/calendar.ts';
import { decideContact } from '../../domain/contact-policy.ts';
import type { VerdictRule } from '../../domain/contact-question.ts';
import { AppError } from '../../domain/errors.ts';
import { COUNTED_CONTACT_DAYS } from '../../domain/retention-periods.ts';
import { debtNow } from '../debts/clock.ts';
import { loadDebt } from '../debts/debt-context.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';

export interface Eligibility {
  readonly allowed: boolean;
  readonly rules: readonly VerdictRule[];
  readonly notBefore: string | null;
}

/** Answers the gate's question from what the client may know, and books or reserves nothing. */
export const checkEligibility =
  (deps: CollectionDeps) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<Eligibility> =>
    deps.db.tenant(clientId).transactional(async (em) => {
      const debt = await loadDebt(em, debtId);
      if (debt === null) throw new AppError('not_found');
      const now = debtNow(debt.clockOffsetMs, deps.now().getTime());
      const contacts = await ownContacts(em, debt, new Date(now - COUNTED_CONTACT_DAYS * DAY));
      const suppression = await ownSuppressions(em, debt);
      const entry = ({ at }: { at: Date }) => ({ at: at.getTime(), own: true });
      const question = questionAbout(debt, deps.policy, {
        now,
        inboxWaiting: await hasUnhandledInbox(em, debt),
        ledger: {
          person: contacts.filter(({ ofPerson }) => ofPerson).map(entry),
          phone: contacts.filter(({ ofPhone }) => ofPhone).map(entry),
        },
        suppressed: {
          optedOut: suppression?.optedOut ?? false,
          wrongPerson: suppression?.wrongPerson ?? false,
          elsewhere: false,
        },
      });
      const decision = decideContact(question);
      if (decision.allowed) return { allowed: true, rules: decision.rules, notBefore: null };
      const { rules, notBefore } = decision.shown;
      return { allowed: false, rules, notBefore: notBefore === null ? null : new Date(notBefore).toISOString() };
    });
