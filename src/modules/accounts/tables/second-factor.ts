import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, updatedAt } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  functionsPolicy,
  OWNER_POLICIES,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/** The app that makes codes for a member. Removing it deletes the row. */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factors',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    /** The secret that the app shares, sealed; null until a first code proved that the app has it. */
    sealed: p.text().nullable(),
    /** A secret that is being set up, sealed. The confirmed one counts until a code of this one comes. */
    pendingSealed: p.text().nullable(),
    /** The last 30 seconds of which a code was used. No code of them, or of earlier ones, is taken again. */
    lastStep: p.integer().default(0),
    confirmedAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'second_factors_member', properties: ['memberId'] }],
  indexes: [{ name: 'second_factors_client', properties: ['clientId'] }],
  checks: [
    { name: 'second_factors_confirmed_whole', expression: '(sealed is null) = (confirmed_at is null)' },
    { name: 'second_factors_not_empty', expression: 'num_nonnulls(sealed, pending_sealed) > 0' },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, functionsPolicy('select'), ...OWNER_POLICIES],
});
