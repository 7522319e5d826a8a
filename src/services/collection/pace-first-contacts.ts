import type { EntityManager } from '@mikro-orm/postgresql';
import { takeMoments } from '../../db/queries/contact-pace.ts';
import { intervalOf, isOpening, pacedMoments, spreadFrom } from '../../domain/contact-pace.ts';
import { decideContact } from '../../domain/contact-policy.ts';
import type { ContactQuestion } from '../../domain/contact-question.ts';
import type { CollectionDeps } from './deps.ts';

export interface FirstContact {
  readonly debtId: string;
  readonly question: ContactQuestion;
  /** The earliest allowed moment. */
  readonly at: number;
}

/** Contacts that are allowed at once keep the pace among themselves. */
const AT_ONCE = 0;

/**
 * Gives each first contact its own moment, in the given order. All contacts that wait for one opening, over all
 * campaigns, keep the pace that a deployment can contact, and so do those that are allowed at once.
 */
export async function paceFirstContacts(
  em: EntityManager,
  deps: Pick<CollectionDeps, 'contactsPerSecond'>,
  { scope, now }: { readonly scope: string; readonly now: number },
  contacts: readonly FirstContact[],
): Promise<ReadonlyMap<string, number>> {
  const { contactsPerSecond } = deps;
  const waves = Map.groupBy(contacts, ({ at }) => (at <= now ? AT_ONCE : at));
  // A moment at which a cap ends belongs to one person, so nothing else waits for it.
  const shared = [...waves].filter(([at, [first]]) => at === AT_ONCE || (first && isOpening(first.question, at)));
  const pace = { scope, now: new Date(now), intervalMs: intervalOf(contactsPerSecond) };
  const wishes = shared.map(([opening, wave]) => ({ opening, contacts: wave.length }));
  const firstOf = await takeMoments(em, pace, wishes);
  const moments = new Map(contacts.map(({ debtId, at }) => [debtId, at]));
  for (const [opening, wave] of shared) {
    const from = Math.max(opening, now);
    const paced = pacedMoments(from, { first: firstOf.get(opening) ?? from, count: wave.length, contactsPerSecond });
    for (const [index, contact] of wave.entries()) moments.set(contact.debtId, allowedFrom(contact, paced[index]!));
  }
  return moments;
}

/** The window may close, or a cap begin, before the moment that keeps the pace. */
function allowedFrom({ debtId, question, at }: FirstContact, paced: number): number {
  const decision = decideContact({ ...question, now: paced });
  if (decision.allowed) return paced;
  return decision.notBefore === null ? at : spreadFrom(question, decision.notBefore, debtId);
}
