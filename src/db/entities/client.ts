import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf, updatedAt } from './columns.ts';
import { AUTHENTICATION_POLICY, tenantTable } from './tenant-table.ts';

const CLIENT_STATUSES = ['ONBOARDING', 'ACTIVE', 'PAUSED', 'CANCELLED'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

export interface ClientAddress {
  readonly street: string;
  readonly number: string;
  readonly district: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}

const tenancy = tenantTable({ clientColumn: 'id' });

/** The root of tenancy: every tenant table's `client_id` points here, and this table's client is its own id. */
export const Client = defineEntity({
  name: 'Client',
  tableName: 'clients',
  properties: {
    id: id(),
    name: p.text(),
    /** Lower-case. */
    email: p.text(),
    plan: p.text(),
    status: p.text().$type<ClientStatus>(),
    trialEndsAt: instant().nullable(),
    cnpj: p.character().length(14).nullable(),
    segment: p.text().nullable(),
    address: p.json<ClientAddress>().nullable(),
    passwordHash: p.text().nullable(),
    verifiedAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'clients_email_key', properties: ['email'] }],
  checks: [
    { name: 'clients_status_known', expression: oneOf('status', CLIENT_STATUSES) },
    { name: 'clients_email_lower_case', expression: 'email = lower(email)' },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY],
});

export type ClientRow = InferEntity<typeof Client>;
