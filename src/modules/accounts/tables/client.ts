import { defineEntity, p } from '@mikro-orm/postgresql';
import { COLLECTS_FOR, type CollectsFor } from '../../../kernel/collects-for.ts';
import { LAWFUL_GROUNDS, type LawfulGround } from '../../../kernel/lawful-ground.ts';
import { MAX_TIMELINE_DAYS, SHORTEST_TIMELINE_DAYS } from '../../../kernel/retention-periods.ts';

import { createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  functionsPolicy,
  OPERATOR_READS,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';

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

/** The migrations `verified_address` and `collects_for` create the function of this trigger. */
const VERIFICATION_TRIGGER = {
  name: 'clients_end_verification',
  timing: 'before' as const,
  events: ['update' as const],
  forEach: 'row' as const,
  expression:
    'create trigger "clients_end_verification" before update of name, cnpj, address, collects_for on "clients" for each row execute function end_client_verification()',
};

const CONFIRMATION_TRIGGER = {
  name: 'clients_confirmed_by_link',
  timing: 'before' as const,
  events: ['update' as const],
  forEach: 'row' as const,
  expression:
    'create trigger "clients_confirmed_by_link" before update of email_confirmed_at on "clients" for each row when (new.email_confirmed_at is distinct from old.email_confirmed_at) execute function require_authentication()',
};

const tenancy = tenantTable({ clientColumn: 'id' });

/** The tenant. The `client_id` of every tenant table refers to this table, whose own client is its id. */
export const Client = defineEntity({
  name: 'Client',
  tableName: 'clients',
  properties: {
    id: id(),
    name: p.text(),
    /** The company's address, in lower case. What its members log in by stands with each of them. */
    email: p.text(),
    plan: p.text(),
    status: p.text().$type<ClientStatus>(),
    trialEndsAt: instant().nullable(),
    cnpj: p.character().length(14).nullable(),
    segment: p.text().nullable(),
    address: p.json<ClientAddress>().nullable(),
    /** The only e-mail address that debtors see. */
    contactEmail: p.text().nullable(),
    /** The ground on which the client says that it processes debtors' data; null until it says so. */
    lawfulGround: p.text().$type<LawfulGround>().nullable(),
    /** Whose debts it collects. Some laws bind only those who collect for others. */
    collectsFor: p.text().$type<CollectsFor>().defaultRaw(`'itself'`),
    /** Whether what is more than was owed is given back by itself. */
    autoRefundExcess: p.boolean().defaultRaw('false'),
    /** Whether a member without a second factor may do no more than set one up. */
    requireSecondFactor: p.boolean().defaultRaw('false'),
    /** When the owner of the e-mail address confirmed it. */
    emailConfirmedAt: instant().nullable(),
    /** An account without a campaign is deleted when its address is not confirmed by this moment. */
    confirmEmailBy: instant().nullable(),
    /** When the operator verified the company. Triggers clear it when name, CNPJ, address, a sender or `collectsFor` changes. */
    verifiedAt: instant().nullable(),
    /** What the operator verified last. Debtors read it until a change is verified too. */
    verifiedName: p.text().nullable(),
    verifiedCnpj: p.character().length(14).nullable(),
    verifiedAddress: p.json<ClientAddress>().nullable(),
    /** The senders of its campaigns as the operator saw them. */
    verifiedSenders: p.array<string>().columnType('text[]').nullable(),
    /** For how many days timeline and messages of an ended debt are kept; null for the time of the deployment. */
    retentionDays: p.integer().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'clients_confirm_email_by', properties: ['confirmEmailBy'], where: 'confirm_email_by is not null' },
  ],
  checks: [
    { name: 'clients_status_known', expression: oneOf('status', CLIENT_STATUSES) },
    { name: 'clients_lawful_ground_known', expression: oneOf('lawful_ground', LAWFUL_GROUNDS) },
    { name: 'clients_collects_for_known', expression: oneOf('collects_for', COLLECTS_FOR) },
    { name: 'clients_email_lower_case', expression: 'email = lower(email)' },
    {
      name: 'clients_retention_bounded',
      expression: `retention_days >= ${SHORTEST_TIMELINE_DAYS} and retention_days <= ${MAX_TIMELINE_DAYS}`,
    },
    {
      name: 'clients_verified_whole',
      expression: 'verified_at is null or verified_name is not null and verified_cnpj is not null',
    },
  ],
  triggers: [VERIFICATION_TRIGGER, CONFIRMATION_TRIGGER],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    AUTHENTICATION_POLICY,
    OPERATOR_READS,
    functionsPolicy('select'),
    functionsPolicy('update'),
  ],
});
