import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  functionsPolicy,
  OWNER_POLICIES,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import type { Transport } from '../rules/passkeys.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/** A key pair of a member's device, of which the public half is here. Removing it deletes the row. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    /** The id that the device gave, in base64url. */
    credentialId: p.text(),
    /** In the form of the standard (COSE); a key that resists quantum computers has over a kilobyte. */
    publicKey: p.blob(),
    /** How often the device says that the key was used; always 0 for a key that is kept on several devices. */
    counter: p.bigint('number'),
    transports: p.array<Transport>().columnType('text[]'),
    /** Whether the key may be kept on several devices, and whether it is. */
    deviceType: p.text().$type<'singleDevice' | 'multiDevice'>(),
    backedUp: p.boolean(),
    name: p.text(),
    createdAt: createdAt(),
    lastUsedAt: instant().nullable(),
  },
  uniques: [{ name: 'passkeys_credential', properties: ['credentialId'] }],
  indexes: [
    { name: 'passkeys_client', properties: ['clientId'] },
    { name: 'passkeys_member', properties: ['memberId'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, functionsPolicy('select'), ...OWNER_POLICIES],
});
