import type { SharedDeps } from '../../deps.ts';
import { TAX_IDS_OF_CONTACT } from '../queries/suppressed-contacts.ts';
import { suppressionsOf } from '../queries/suppressions.ts';
import type { TestRecipient } from '../rules/test-recipient.ts';

/**
 * Returns whether this client has heard that the phone, or a debtor of its own with this phone or address, must not be
 * contacted. What other clients have heard is not read here, because a company could ask about strangers by it.
 */
export async function isSilenced(
  { db, personKeys }: Pick<SharedDeps, 'db' | 'personKeys'>,
  clientId: string,
  { phone, email }: TestRecipient,
): Promise<boolean> {
  const debtors = await db.readPrepared({ clientId }, TAX_IDS_OF_CONTACT, { clientId, phone, email });
  const rows = await db.readPrepared({ clientId }, suppressionsOf, {
    sandbox: false,
    personKeys: debtors.map(({ debtorTaxId }) => personKeys.person(debtorTaxId)),
    phoneKeys: phone === null ? [] : [personKeys.phone(phone)],
  });
  return rows.length > 0;
}
