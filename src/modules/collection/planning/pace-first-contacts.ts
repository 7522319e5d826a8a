import type { EntityManager } from '@mikro-orm/postgresql';
import { takeMoments } from '../../policy/queries/contact-pace.ts';
import { intervalOf } from '../../policy/rules/contact-pace.ts';
import { type FirstContact, momentsOfFirstContacts, wavesOf } from '../../policy/rules/first-contacts.ts';
import type { CollectionDeps } from '../deps.ts';

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
  const waves = wavesOf(contacts, now);
  const pace = { scope, now: new Date(now), intervalMs: intervalOf(contactsPerSecond) };
  const wishes = waves.map(({ opening, contacts: wave }) => ({ opening, contacts: wave.length }));
  const firstOf = await takeMoments(em, pace, wishes);
  return momentsOfFirstContacts(contacts, waves, { now, firstOf, contactsPerSecond });
}
