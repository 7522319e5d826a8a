import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bookContactMessage, setNextContact, setStepDone } from '../../db/queries/contact-gate.ts';
import { blockPausing } from '../../db/queries/pause-locks.ts';
import { nextMove } from '../../domain/collection-sequence.ts';
import {
  type ContactDecision,
  type ContactQuestion,
  decideContact,
  type VerdictRule,
} from '../../domain/contact-policy.ts';
import { countInCampaign } from '../debts/campaign-day.ts';
import { type DebtClock, momentOf } from '../debts/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../debts/debt-context.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { recordEvents } from '../debts/timeline.ts';
import {
  bookContact,
  type LedgerKey,
  type LedgerRow,
  ledgerFor,
  ledgerKeyOf,
  lockPersons,
  ownReservation,
  readLedgerRows,
} from '../messaging/contact-ledger.ts';
import { readSuppressions, suppressedBy } from '../messaging/suppressions.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';
import { nextOpening, reserveSlot } from './next-slot.ts';
import { waitedInVain } from './waited-in-vain.ts';

export interface ContactDraft {
  readonly text: string;
  readonly channel: string;
  readonly senderNumber: string | null;
  /** One attempt books one message, however often the activity is retried. */
  readonly attemptKey: string;
}

export type GateVerdict =
  | { readonly allowed: true; readonly messageId: string; readonly at: number }
  | { readonly allowed: false };

/** Rules that no later decision lifts for this debt and phone, so the debt ends. */
const FINAL_RULES: readonly VerdictRule[] = ['prescription', 'opt_out', 'wrong_person'];
const PAUSE_RULES: readonly VerdictRule[] = ['paused', 'client_inactive'];

interface GateContext {
  readonly em: EntityManager;
  readonly deps: CollectionDeps;
  readonly debt: DebtContext;
  readonly key: LedgerKey;
  readonly clock: DebtClock;
  readonly now: number;
  readonly rows: readonly LedgerRow[];
  readonly question: ContactQuestion;
}

/**
 * The only gate before every collection message. It decides by the policy, records the verdict, books the contact and
 * reserves the next slot, all in one transaction under a lock for the person. It is called immediately before sending.
 */
export async function askGate(
  deps: CollectionDeps,
  { clientId, debtId }: { readonly clientId: string; readonly debtId: string },
  clock: DebtClock,
  draft: ContactDraft,
): Promise<GateVerdict> {
  return deps.db.tenant(clientId).transactional(async (em) => {
    const seen = await loadDebt(em, debtId);
    if (seen === null) return { allowed: false };
    const key = ledgerKeyOf(seen, deps.personKeys);
    await lockPersons(em, [key]);
    await blockPausing(em, seen);
    // The debt is read again under the lock, because a payment, an opt-out or a pause may have come in meanwhile.
    const debt = (await loadDebt(em, debtId, { forUpdate: true })) ?? seen;
    await keepClock(em, debtId, clock.offsetMs);
    const now = momentOf(clock, debt, deps.now().getTime());
    const rows = await readLedgerRows(em, [key], now);
    const suppressed = suppressedBy(await readSuppressions(em, [key]), { ...key, sender: draft.senderNumber });
    const question = questionAbout(debt, deps.policy, { ledger: ledgerFor(rows, key), suppressed, now });
    const context: GateContext = { em, deps, debt, key, clock, now, rows, question };
    // A debt that comes for its reserved slot is compared with bookings alone, because every later reservation left
    // that slot free.
    const reservedAt = ownReservation(rows, debtId);
    const booked = rows.filter((row) => row.kind === 'booking');
    const decision = decideContact(
      reservedAt !== null && reservedAt <= now ? { ...question, ledger: ledgerFor(booked, key) } : question,
    );
    if (decision.allowed) return book(context, decision.rules, draft);
    await refuse(context, decision);
    return { allowed: false };
  });
}

async function book(context: GateContext, rules: readonly VerdictRule[], draft: ContactDraft): Promise<GateVerdict> {
  const { em, deps, debt, key, clock, now, rows, question } = context;
  const messageId = randomUUID();
  const at = new Date(now);
  await recordEvents(em, debt.id, now, [{ kind: 'verdict', data: { allowed: true, rules, notBefore: null } }]);
  const { clientId, id: debtId } = debt;
  const { channel, text, attemptKey } = draft;
  await bookContactMessage(em, { id: messageId, clientId, debtId, channel, text, attemptKey, at });
  await bookContact(em, key, now, messageId);
  await moveDebt(em, deps.workflows, debt.id, 'contacted', now);
  const next = nextMove(deps.policy.sequence, { contactsMade: debt.step + 1, anchorAt: now, promiseLapsed: false });
  const after: readonly LedgerRow[] = [...rows, { ...key, kind: 'booking', at }];
  const later: ContactQuestion = {
    ...question,
    debt: { ...question.debt, status: 'IN_COLLECTION', promisedDate: null },
    ledger: ledgerFor(after, key),
  };
  const following = next.kind === 'exhausted' ? { at: null, slot: null } : nextOpening(later, next.notBefore);
  await setStepDone(em, debt.id, debt.step + 1, new Date(following.at ?? next.notBefore));
  await reserveSlot(em, deps, { key, clock, now, at: following.slot });
  return { allowed: true, messageId, at: now };
}

type Refusal = Extract<ContactDecision, { readonly allowed: false }>;

/**
 * Records a refusal. Only the rules shown to the client decide whether the debt ends, because a status or a pause must
 * not disclose what the verdict withholds.
 */
async function refuse(context: GateContext, { notBefore, shown, inVain }: Refusal): Promise<void> {
  const { em, deps, debt, key, clock, now } = context;
  const iso = shown.notBefore === null ? null : new Date(shown.notBefore).toISOString();
  await recordEvents(em, debt.id, now, [
    { kind: 'verdict', data: { allowed: false, rules: shown.rules, notBefore: iso } },
  ]);
  await countInCampaign(em, debt, { contactsBlocked: 1 });
  const pausedAt = shown.rules.some((rule) => PAUSE_RULES.includes(rule)) ? deps.now() : null;
  await setNextContact(em, debt.id, { nextContactAt: notBefore === null ? null : new Date(notBefore), pausedAt });
  const ends =
    shown.rules.some((rule) => FINAL_RULES.includes(rule)) ||
    (shown.rules.includes('scheduling') && (await waitedInVain(em, deps.policy, debt.id, now)));
  await reserveSlot(em, deps, { key, clock, now, at: inVain || ends ? null : notBefore });
  if (ends) await moveDebt(em, deps.workflows, debt.id, 'exhausted', now);
}
