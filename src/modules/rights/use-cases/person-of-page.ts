import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { isPageClosed, OWNER_OF_DEBTOR_PAGE, type Person } from '../../debts/queries/persons.ts';
import { asPersonSees } from '../../debts/use-cases/debt-context.ts';
import { debtHeld, type HeldDebt } from '../queries/held-data.ts';
import type { RightsDeps } from './deps.ts';
import { createProofs } from './proofs.ts';

/** The person of a page. */
export interface PageOfPerson {
  readonly person: Person & { readonly clientId: string };
  /** Names the person in limits. It tells nobody the CPF. */
  readonly key: string;
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
    const debt = (await isPageClosed(tx, token)) ? undefined : await debtHeld(tx, person);
    if (debt === undefined) throw new AppError('not_found');
    const world = person.sandbox ? 'sandbox' : 'real';
    return run(tx, {
      person,
      key: `${person.clientId}:${personKeys.person(person.debtorTaxId)}:${world}`,
      debt: asPersonSees(debt),
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
