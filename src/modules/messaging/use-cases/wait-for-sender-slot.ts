import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR } from '../../../kernel/calendar.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { SharedDeps } from '../../deps.ts';
import type { SenderQuality } from '../ports/messaging-channel.ts';
import { countRecipient, takeRecipientSlot } from '../queries/recipients.ts';
import { countPerson, senderSlot, takeSenderSlot } from '../queries/sender-pace.ts';
import { type Candidate, mayWriteFreeText, realNameOf } from './candidates.ts';
import { recipientOf } from './contact-ledger.ts';

/** A turn within this time is waited for; a later one is for the workflow to wait for, which costs nothing. */
const MAX_WAIT_MS = 10_000;
const SLOWER = 4;
const DAY_HOURS = 25;
/** What a new account may reach. It holds for a sender that the hourly check has not asked about yet. */
const PEOPLE_OF_NEW_ACCOUNT = 250;
/** Until then the check has asked. Most accounts may reach more people than a new one. */
const CHECKED_WITHIN_MS = HOUR;

/** A sender about which people complain sends so many times more slowly. */
export const slownessOf = (quality: SenderQuality | null): number => (quality === 'low' ? SLOWER : 1);

/** Thrown inside the transaction to take back a count. */
class OverLimit extends Error {
  readonly until: Date;
  constructor(until: Date) {
    super('the account has reached its people of 24 hours');
    this.until = until;
  }
}

/**
 * Keeps the pace that a channel demands, together with all workers: so many messages a second for each sender, so many
 * seconds between two messages to one person, so many people in 24 hours for each account. Waits for a turn that is near,
 * and returns 0; otherwise returns after how many milliseconds to ask again, and nothing is taken.
 */
export async function waitForSenderSlot(
  deps: Pick<SharedDeps, 'db' | 'now' | 'personKeys' | 'policy'>,
  debt: DebtContext,
  candidate: Candidate,
  phone: string,
): Promise<number> {
  const { sender, known } = candidate;
  const { pace } = sender.channel.capabilities;
  const channel = realNameOf(sender);
  if (pace === null || channel === null || known === null) return 0;
  const scope = `${channel}:${known.senderId}`;
  const recipient = recipientOf(deps.personKeys, debt, { channel, phone });
  const slower = slownessOf(known.quality);
  const now = deps.now();
  const isUnchecked = known.peoplePerDay === null && known.checkedAt === null;
  const peoplePerDay = isUnchecked ? PEOPLE_OF_NEW_ACCOUNT : known.peoplePerDay;
  const opensConversation = !mayWriteFreeText(candidate, deps, debt, phone);
  try {
    const at = await deps.db.tenant(debt.clientId).transactional(async (tx) => {
      if (opensConversation && peoplePerDay !== null && (await countRecipient(tx, recipient, now))) {
        const account = `${channel}:${known.accountId ?? known.senderId}`;
        const { people, firstHour } = await countPerson(tx, account, now);
        const limit = Math.max(1, Math.floor(peoplePerDay / slower));
        if (people > limit) {
          const dayEnds = firstHour.getTime() + DAY_HOURS * HOUR;
          throw new OverLimit(new Date(isUnchecked ? Math.min(dayEnds, now.getTime() + CHECKED_WITHIN_MS) : dayEnds));
        }
      }
      const latest = new Date(now.getTime() + MAX_WAIT_MS);
      const turn = await takeSenderSlot(tx, scope, { now, latest, intervalMs: (1_000 * slower) / pace.perSecond });
      if (turn === null) throw new OverLimit((await senderSlot(tx, scope))?.freeFrom ?? latest);
      const own = await takeRecipientSlot(tx, recipient, { now, seconds: pace.secondsPerPerson });
      if (own.getTime() > latest.getTime()) throw new OverLimit(own);
      return Math.max(turn.getTime(), own.getTime());
    });
    if (at > now.getTime()) await sleep(at - now.getTime());
    return 0;
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    return Math.max(1_000, error.until.getTime() - now.getTime());
  }
}
