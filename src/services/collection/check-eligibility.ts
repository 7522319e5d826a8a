import { runInTransaction } from '../../db/statement.ts';
import { decideContact, type VerdictRule } from '../../domain/contact-policy.ts';
import { AppError } from '../../domain/errors.ts';
import { debtNow } from '../debts/clock.ts';
import { loadDebt } from '../debts/debt-context.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';

export interface Eligibility {
  readonly allowed: boolean;
  readonly rules: readonly VerdictRule[];
  readonly notBefore: string | null;
}

// Reads only messages that this client sent. The ledger of all clients would disclose what other clients do.
const OWN_CONTACTS = `
  select m.at, d.debtor_cpf = $1 as "ofPerson", d.debtor_phone = $2 as "ofPhone"
  from debts d join messages m on m.debt_id = d.id
  where (d.debtor_cpf = $1 or d.debtor_phone = $2) and d.sandbox = $3
    and m.purpose = 'collection' and m.delivery <> 'failed' and m.at >= $4`;
const OWN_SUPPRESSIONS = `
  select bool_or(status = 'OPTED_OUT') as "optedOut",
    bool_or(wrong_person_at is not null and debtor_phone = $2) as "wrongPerson"
  from debts where debtor_cpf = $1 and sandbox = $3`;

const LOOK_BACK_MS = 8 * 86_400_000;

/** Answers the gate's question from what the client may know, and books or reserves nothing. */
export const checkEligibility =
  (deps: CollectionDeps) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<Eligibility> =>
    deps.db.tenant(clientId).transactional(async (em) => {
      const debt = await loadDebt(em, debtId);
      if (debt === null) throw new AppError('not_found');
      const now = debtNow(debt.clockOffsetMs, deps.now().getTime());
      const who = [debt.debtorCpf, debt.debtorPhone, debt.sandbox];
      const contacts = await runInTransaction<{ at: Date; ofPerson: boolean; ofPhone: boolean }>(em, OWN_CONTACTS, [
        ...who,
        new Date(now - LOOK_BACK_MS),
      ]);
      const [suppression] = await runInTransaction<{ optedOut: boolean | null; wrongPerson: boolean | null }>(
        em,
        OWN_SUPPRESSIONS,
        who,
      );
      const entry = ({ at }: { at: Date }) => ({ at: at.getTime(), own: true });
      const question = questionAbout(debt, deps.policy, {
        now,
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
