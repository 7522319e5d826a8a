import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { nextMove, type SequenceMove } from '../../domain/collection-sequence.ts';
import { decideContact, type Refusal } from '../../domain/contact-policy.ts';
import { countInCampaign } from '../campaign-day.ts';
import { recordEvents } from '../timeline.ts';
import { type DebtClock, momentOf } from './clock.ts';
import {
  bookContact,
  type LedgerKey,
  ledgerFor,
  lockPersons,
  ownHold,
  readLedgerRows,
  releaseHolds,
  replaceHolds,
} from './contact-ledger.ts';
import { firstAllowed, ledgerKeyOf, questionAbout } from './contact-question.ts';
import { type DebtContext, keepClock, loadDebt } from './debt-context.ts';
import type { CollectionDeps } from './deps.ts';
import { moveDebt } from './move-debt.ts';
import { readSuppressions, suppressedBy } from './suppressions.ts';

export type GateDeps = Pick<CollectionDeps, 'db' | 'now' | 'policy' | 'personKeys' | 'senderOf' | 'workflows' | 'sandboxMaxWaitMs'>;

export interface ContactDraft {
  readonly text: string;
  readonly channel: string;
  readonly sender: string | null;
  /** Books once, however often the same attempt is made. */
  readonly attemptKey: string;
}

export type GateVerdict =
  | { readonly allowed: true; readonly messageId: string; readonly at: number; readonly nextAt: number | null }
  | { readonly allowed: false; readonly refusal: Refusal; readonly nextAt: number | null };

/** A slot that its debt did not come for is free again after this, the wait itself aside. */
const HOLD_GRACE_MS = 10 * 60_000;

const BOOK_MESSAGE = `
  insert into messages (id, client_id, debt_id, direction, channel, purpose, text, delivery, attempt_key, at)
  values ($1, $2, $3, 'out', $4, 'collection', $5, 'booked', $6, $7)`;
const NEXT = `
  update debts set step = $2, next_contact_at = $3, paused_at = $4, updated_at = now(),
    promised_for = case when $5 then null else promised_for end
  where id = $1`;

/**
 * The one gate before every collection message: decides by the policy, books and writes the verdict, and holds the next
 * slot, all in one transaction under a lock for the person. Only the gate may say that a contact happens.
 */
export async function askGate(
  deps: GateDeps,
  debtId: string,
  clientId: string,
  clock: DebtClock,
  draft: ContactDraft,
): Promise<GateVerdict> {
  return deps.db.tenant(clientId).transactional(async (em) => {
    const seen = await loadDebt(em, debtId);
    if (seen === null) throw new Error('the debt does not exist');
    const key = ledgerKeyOf(seen, deps.personKeys);
    await lockPersons(em, [key]);
    // Again under the lock, and held: what was decided meanwhile (payment, opt-out, pause) counts.
    const debt = (await loadDebt(em, debtId, { hold: true })) ?? seen;
    await keepClock(em, debtId, clock.offsetMs);
    const now = momentOf(clock, deps.now().getTime());
    const rows = await readLedgerRows(em, [key], now);
    const suppressed = suppressedBy(await readSuppressions(em, [key]), { ...key, sender: draft.sender });
    const question = questionAbout(debt, deps.policy, { ledger: ledgerFor(rows, key), suppressed, now });
    const held = ownHold(rows, debtId);
    const decision = decideContact(held !== null && held <= now ? atOwnHold(question, rows, key, held) : question);

    if (!decision.allowed) {
      const { shown } = decision;
      const entry = { allowed: false, rules: shown.rules, notBefore: isoOrNull(shown.notBefore) };
      await recordEvents(em, debtId, now, [{ kind: 'verdict', data: entry }]);
      await countInCampaign(em, debt, { contactsBlocked: 1 });
      const pausedAt = decision.rules.some((rule) => rule === 'paused' || rule === 'client_inactive') ? deps.now() : null;
      await runInTransaction(em, NEXT, [debtId, debt.step, dateOrNull(decision.notBefore), pausedAt, false]);
      await holdNext(em, deps, key, now, decision.notBefore, clock);
      return { allowed: false, refusal: shown, nextAt: decision.notBefore };
    }

    const messageId = randomUUID();
    await recordEvents(em, debtId, now, [{ kind: 'verdict', data: { allowed: true, rules: decision.rules, notBefore: null } }]);
    await runInTransaction(em, BOOK_MESSAGE, [
      messageId,
      clientId,
      debtId,
      draft.channel,
      draft.text,
      draft.attemptKey,
      new Date(now),
    ]);
    await bookContact(em, key, now, messageId);
    await moveDebt(em, deps.workflows, debtId, 'contacted', now);
    const after = [...rows, { ...key, kind: 'booking' as const, at: new Date(now) }];
    const next = nextMove(deps.policy.sequence, { contactsMade: debt.step + 1, anchorAt: now, promiseLapsed: false });
    const nextAt = nextContact(debt, deps, { ledger: ledgerFor(after, key), suppressed, now }, next);
    await runInTransaction(em, NEXT, [debtId, debt.step + 1, new Date(nextAt), null, true]);
    await holdNext(em, deps, key, now, next.kind === 'exhausted' ? null : nextAt, clock);
    return { allowed: true, messageId, at: now, nextAt };
  });
}
