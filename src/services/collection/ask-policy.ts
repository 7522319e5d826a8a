import type { EntityManager } from '@mikro-orm/postgresql';
import { hasUnhandledInbox } from '../../db/queries/persons.ts';
import { decideAtGate } from '../../domain/contact-ledger.ts';
import type { ContactDecision } from '../../domain/contact-policy.ts';
import type { ContactQuestion } from '../../domain/contact-question.ts';
import type { DebtContext } from '../debts/debt-context.ts';
import { type LedgerRow, ledgerFor, ledgerKeyOf, readLedgerRows } from '../messaging/contact-ledger.ts';
import { numbersOf, policyChannelOf, type Sender } from '../messaging/deps.ts';
import { readSuppressions, suppressedBy } from '../messaging/suppressions.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';

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
  em: EntityManager,
  deps: Pick<CollectionDeps, 'policy' | 'personKeys'>,
  debt: DebtContext,
  { now, senders }: { readonly now: number; readonly senders: readonly Sender[] },
): Promise<AskedPolicy> {
  const key = ledgerKeyOf(debt, deps.personKeys);
  const rows = await readLedgerRows(em, [key], now);
  const suppressed = suppressedBy(await readSuppressions(em, [key]), {
    ...key,
    numbers: numbersOf(senders),
  });
  const inboxWaiting = await hasUnhandledInbox(em, debt);
  const question = questionAbout(debt, deps.policy, {
    channel: policyChannelOf(senders),
    ledger: ledgerFor(rows, key),
    suppressed,
    inboxWaiting,
    now,
  });
  return { question, decision: decideAtGate(question, rows, key), rows };
}
