import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { contactsAsked, type LedgerRow, ledgerFor, ledgerKeyOf } from '../../messaging/use-cases/contact-ledger.ts';
import { numbersOf, policyChannelOf, type Sender } from '../../messaging/use-cases/deps.ts';
import { suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import { decideAtGate } from '../../policy/rules/contact-ledger.ts';
import type { ContactDecision } from '../../policy/rules/contact-policy.ts';
import type { ContactQuestion } from '../../policy/rules/contact-question.ts';
import type { CollectionDeps } from '../deps.ts';
import { policyFacts } from '../queries/policy-facts.ts';
import { questionAbout } from './contact-question.ts';

export interface AskedPolicy {
  readonly question: ContactQuestion;
  readonly decision: ContactDecision;
  readonly rows: readonly LedgerRow[];
}

/**
 * Decides by all stored facts whether the debt may be contacted at `now`. The gate asks as the worker, which sees the
 * contacts and suppressions of all clients. Eligibility asks as the API, whose row security shows those of the asking
 * client alone.
 */
export async function askPolicy(
  tx: Tx,
  deps: Pick<CollectionDeps, 'policy' | 'personKeys'>,
  debt: DebtContext,
  { now, senders }: { readonly now: number; readonly senders: readonly Sender[] },
): Promise<AskedPolicy> {
  const key = ledgerKeyOf(debt, deps.personKeys);
  const {
    contacts: rows,
    suppressions,
    inboxWaiting,
  } = await policyFacts(tx, { ...contactsAsked([key], now), debtorTaxId: debt.debtorTaxId });
  const suppressed = suppressedBy(suppressions, { ...key, numbers: numbersOf(senders) });
  const question = questionAbout(debt, deps.policy, {
    channel: policyChannelOf(senders),
    ledger: ledgerFor(rows, key),
    suppressed,
    inboxWaiting,
    now,
  });
  return { question, decision: decideAtGate(question, rows, key), rows };
}
