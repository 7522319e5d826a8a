import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf, updatedAt } from './columns.ts';
import { AUTHENTICATION_POLICY, functionsPolicy, tenantTable } from './tenant-table.ts';

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

/** The function is in the migration `hardening`. */
const VERIFICATION_TRIGGER = {
  name: 'clients_end_verification',
  timing: 'before' as const,
  events: ['update' as const],
  forEach: 'row' as const,
  expression:
    'create trigger "clients_end_verification" before update of name, cnpj on "clients" for each row execute function end_client_verification()',
};

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
    /** The only e-mail address that debtors see. */
    contactEmail: p.text().nullable(),
    passwordHash: p.text().nullable(),
    /** When the owner of the e-mail address showed that it is theirs. */
    emailConfirmedAt: instant().nullable(),
    /** An account whose address is not confirmed by then is deleted, if it has no campaign. */
    confirmEmailBy: instant().nullable(),
    /** When the operator checked the company; a trigger ends it when name or CNPJ changes. */
    verifiedAt: instant().nullable(),
    /** What the operator checked, as it was then. */
    verifiedName: p.text().nullable(),
    verifiedCnpj: p.character().length(14).nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'clients_email_key', properties: ['email'] }],
  indexes: [
    { name: 'clients_confirm_email_by', properties: ['confirmEmailBy'], where: 'confirm_email_by is not null' },
  ],
  checks: [
    { name: 'clients_status_known', expression: oneOf('status', CLIENT_STATUSES) },
    { name: 'clients_email_lower_case', expression: 'email = lower(email)' },
    {
      name: 'clients_verified_whole',
      expression: 'verified_at is null or verified_name is not null and verified_cnpj is not null',
    },
  ],
  triggers: [VERIFICATION_TRIGGER],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, functionsPolicy('select')],
});
