import { isOwed } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { isPageClosed, OWNER_OF_DEBTOR_PAGE, type Person } from '../../debts/queries/persons.ts';
import { asPersonSees } from '../../debts/use-cases/debt-context.ts';
import { debtsHeld, type HeldDebt } from '../queries/held-data.ts';
import type { RightsDeps } from './deps.ts';
import { createProofs } from './proofs.ts';

/** The person of a page, with what the client holds of them. */
export interface PageOfPerson {
  readonly person: Person & { readonly clientId: string };
  /** Names the person in limits. It tells nobody the CPF. */
  readonly key: string;
  readonly debts: readonly [HeldDebt, ...HeldDebt[]];
  /** The debt that stands for the person where no other is meant: one that is still open, where there is one. */
  readonly debt: HeldDebt;
}

type Deps = Pick<RightsDeps, 'db' | 'personKeys'>;

/**
 * Runs with the person of a page. An address that is unknown, malformed or revoked, or whose person was erased, is not
 * found, and nobody can tell these apart.
 */
export async function onRightsPage<T>(
  { db, personKeys }: Deps,
  token: string,
  run: (tx: Tx, page: PageOfPerson) => Promise<T>,
): Promise<T> {
  if (!isUuid(token)) throw new AppError('not_found');
  const [person] = await db.runUnscoped(OWNER_OF_DEBTOR_PAGE, { pageId: token });
  if (person === undefined) throw new AppError('not_found');
  return db.tenant(person.clientId).transactional(async (tx) => {
    const held = (await isPageClosed(tx, token)) ? [] : await debtsHeld(tx, person);
    const [first, ...others] = held.map(asPersonSees);
    if (first === undefined) throw new AppError('not_found');
    const debts = [first, ...others] as const;
    const world = person.sandbox ? 'sandbox' : 'real';
    return run(tx, {
      person,
      key: `${person.clientId}:${personKeys.person(person.debtorTaxId)}:${world}`,
      debts,
      debt: debts.find(isOwed) ?? first,
    });
  });
}

/** Runs with the person of a page whose digits were given a short while ago; otherwise the digits are asked for. */
export async function onOpenPage<T>(
  deps: Deps & Pick<RightsDeps, 'now' | 'proofSecrets'>,
  { token, proof }: { readonly token: string; readonly proof: string },
  run: (tx: Tx, page: PageOfPerson) => Promise<T>,
): Promise<T | 'closed'> {
  const isOpen = createProofs(deps.proofSecrets).isGood(token, proof, deps.now().getTime());
  return onRightsPage(deps, token, async (tx, page) => (isOpen ? run(tx, page) : 'closed'));
}
