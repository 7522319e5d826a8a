import type { SharedDeps } from '../../deps.ts';
import { TAX_IDS_OF_CONTACT } from '../queries/suppressed-contacts.ts';
import { ASKED_FOR_SILENCE, suppressionsOf } from '../queries/suppressions.ts';
import type { TestRecipient } from '../rules/test-recipient.ts';

/**
 * Returns who has heard that the phone, or a debtor of this client with this phone or address, must not be contacted:
 * this client, or another one of the deployment. The client may be told the first and never the second, because a company
 * could ask about strangers by it.
 */
export async function silencedBy(
  { db, personKeys }: Pick<SharedDeps, 'db' | 'personKeys'>,
  clientId: string,
  { phone, email }: TestRecipient,
): Promise<'own' | 'other' | null> {
  const debtors = await db.readPrepared({ clientId }, TAX_IDS_OF_CONTACT, { clientId, phone, email });
  const keys = {
    personKeys: debtors.map(({ debtorTaxId }) => personKeys.person(debtorTaxId)),
    phoneKeys: phone === null ? [] : [personKeys.phone(phone)],
  };
  const own = await db.readPrepared({ clientId }, suppressionsOf, { sandbox: false, ...keys });
  if (own.length > 0) return 'own';
  const [all] = await db.readPrepared({ clientId }, ASKED_FOR_SILENCE, keys);
  return all?.asked === true ? 'other' : null;
}
