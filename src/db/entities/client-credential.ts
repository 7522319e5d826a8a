import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from './client.ts';
import { createdAt, id, oneOf, updatedAt } from './columns.ts';
import { tenantTable } from './tenant-table.ts';

export const CREDENTIAL_PURPOSES = ['mercadopago', 'whatsapp'] as const;
export type CredentialPurpose = (typeof CREDENTIAL_PURPOSES)[number];

/** A client's own credentials at a provider or a channel, encrypted. Payments go to the creditor's own account. */
export const ClientCredential = defineEntity({
  name: 'ClientCredential',
  tableName: 'client_credentials',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    purpose: p.text().$type<CredentialPurpose>(),
    /** The value that `src/ports/credential-cipher.ts` has sealed, bound to client and purpose. */
    sealed: p.text(),
    /** The provider's id of the account, which it returned when the credentials were checked. */
    accountId: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'client_credentials_purpose', properties: ['clientId', 'purpose'] }],
  checks: [{ name: 'client_credentials_purpose_known', expression: oneOf('purpose', CREDENTIAL_PURPOSES) }],
  ...tenantTable(),
});
