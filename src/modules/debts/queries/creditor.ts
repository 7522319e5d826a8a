import { sql } from 'kysely';
import type { ClientAddress } from '../../accounts/tables/client.ts';

type Owner = 'debts' | 'campaigns';

/**
 * Selects how real debtors read who the creditor is: as the operator has verified it, also after the client has changed
 * it, until the change is verified too. A debt of the sandbox reaches nobody and shows what the client has entered.
 */
const asVerified = <T>(owner: Owner, verified: string, entered: string) =>
  sql<T>`case when ${sql.ref(`${owner}.sandbox`)} then ${sql.ref(`clients.${entered}`)}
    else coalesce(${sql.ref(`clients.${verified}`)}, ${sql.ref(`clients.${entered}`)}) end`;

export const nameOfCreditor = (owner: Owner) => asVerified<string>(owner, 'verified_name', 'name');
export const cnpjOfCreditor = (owner: Owner) => asVerified<string | null>(owner, 'verified_cnpj', 'cnpj');
export const addressOfCreditor = (owner: Owner) =>
  asVerified<ClientAddress | null>(owner, 'verified_address', 'address');

/** A sender that the operator has not seen names the creditor to nobody real. */
export const senderOfCreditor = (owner: Owner) =>
  sql<string | null>`case when ${sql.ref(`${owner}.sandbox`)} or clients.verified_senders is null
    or campaigns.sender_name = any (clients.verified_senders) then campaigns.sender_name end`;
