import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { CollectionSequence } from '../../policy/rules/collection-sequence.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';

/** The same contacts give the same sequence: a rehearsal hands each one to its thread once. */
const MAX_KEPT = 1_000;
const sequences = new WeakMap<Policy, Map<string, CollectionSequence>>();

/** Returns the contacts of the debt's campaign: its own, or those of the deployment. */
export function sequenceOf({ sequence: steps }: Pick<DebtContext, 'sequence'>, policy: Policy): CollectionSequence {
  if (steps === null) return policy.sequence;
  const known = sequences.get(policy) ?? new Map<string, CollectionSequence>();
  sequences.set(policy, known);
  const name = JSON.stringify(steps);
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MAX_KEPT) known.clear();
  const made = { ...policy.sequence, id: 'campaign', steps };
  known.set(name, made);
  return made;
}
