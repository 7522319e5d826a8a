import { defineEntity, p } from '@mikro-orm/postgresql';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import { REAL_PROVIDER_NAMES } from '../../../kernel/payment-providers.ts';
import { REPLACED_ACCOUNT_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import {
  functionsPolicy,
  OWNER_POLICIES,
  purgePolicy,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';

const tenancy = tenantTable();

export const CREDENTIAL_PURPOSES = [...REAL_PROVIDER_NAMES, ...REAL_CHANNELS] as const;
export type CredentialPurpose = (typeof CREDENTIAL_PURPOSES)[number];

/**
 * A client's own credentials at a provider or a channel, encrypted. Payments go to the creditor's own account. One
 * account for each purpose is connected; earlier ones are kept for the charges that they made, and senders for the answers
 * of people to whom they wrote.
 */
export const ClientCredential = defineEntity({
  name: 'ClientCredential',
  tableName: 'client_credentials',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    purpose: p.text().$type<CredentialPurpose>(),
    /** The value that `src/kernel/ports/credential-cipher.ts` has sealed, bound to client and purpose. */
    sealed: p.text(),
    /**
     * The provider's id of the account, which it returned when the credentials were checked, with the bank to which a Pix
     * key has moved; a channel's sender.
     */
    accountId: p.text(),
    /** When another account was connected in its place; null for the account that is connected. */
    replacedAt: instant().nullable(),
    /** The reconciliation asks the account nothing before this moment, because it did not answer. */
    askFrom: instant().nullable(),
    /** How many times in a row the account was paused. */
    askFailures: p.integer().default(0),
    /** Which bank's habits the account has; null for a provider that is one company. */
    profile: p.text().nullable(),
    certificateExpiresAt: instant().nullable(),
    /** The fewest days before the end of the certificate of which the client was told by e-mail. */
    certificateWarnedDays: p.integer().nullable(),
    /** What is wrong with the account, as its client reads it; null while it answers. */
    problem: p.text().nullable(),
    /** The payments that came to the account were read up to this moment. Null where they are not read. */
    listedUntil: instant().nullable(),
    /** When they are read next. A notification about a payment without a charge brings it forward. */
    listAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'client_credentials_account', properties: ['clientId', 'purpose', 'accountId'] }],
  indexes: [
    {
      name: 'client_credentials_connected',
      expression:
        'create unique index "client_credentials_connected" on "client_credentials" ("client_id", "purpose") where replaced_at is null',
    },
    { name: 'client_credentials_list', properties: ['listAt'], where: 'list_at is not null' },
  ],
  checks: [{ name: 'client_credentials_purpose_known', expression: oneOf('purpose', CREDENTIAL_PURPOSES) }],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    functionsPolicy('select'),
    functionsPolicy('update'),
    ...OWNER_POLICIES,
    purgePolicy(`replaced_at < (current_timestamp - '${REPLACED_ACCOUNT_DAYS} day'::interval)`),
  ],
});
