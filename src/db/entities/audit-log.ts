import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt } from './columns.ts';
import { AUTHENTICATION_POLICY, CURRENT_CLIENT, type Policy, purgePolicy } from './tenant-table.ts';

export type AuditActor = 'client' | 'anonymous' | 'identity_provider' | 'operator' | 'system';

/** No secrets, and nothing of a debtor. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

/** Entries older than this are purged. */
export const AUDIT_RETENTION_DAYS = 730;

/**
 * Who did what, when, from where. The serving roles add to it and change nothing: what happened cannot be unsaid by a
 * defect or a break-in there. A client reads its own entries; the operator, as the owner, reads all.
 */
const AUDIT_POLICIES: Policy[] = [
  // An entry about no account, about the client of the transaction, or about one that is being authenticated.
  {
    name: 'add',
    command: 'insert',
    roles: ['quita_app'],
    check: `client_id is null or client_id = ${CURRENT_CLIENT} or ${AUTHENTICATION_POLICY.using}`,
  },
  { name: 'worker_add', command: 'insert', roles: ['quita_worker'], check: 'true' },
  { name: 'own_entries', command: 'select', roles: ['quita_app'], using: `client_id = ${CURRENT_CLIENT}` },
  purgePolicy(`at < (current_timestamp - '${AUDIT_RETENTION_DAYS} days'::interval)`),
  // A delete with a condition reads what it deletes.
  {
    name: 'purge_search',
    command: 'select',
    roles: ['quita_worker'],
    using: `at < (current_timestamp - '${AUDIT_RETENTION_DAYS} days'::interval)`,
  },
];

export const AuditLog = defineEntity({
  name: 'AuditLog',
  tableName: 'audit_log',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    at: createdAt(),
    /** Null where no account is concerned, such as a wrong login for an e-mail that nobody has. */
    clientId: p.uuid().nullable(),
    actor: p.text().$type<AuditActor>(),
    action: p.text(),
    target: p.text().nullable(),
    ip: p.text().nullable(),
    details: p.json<AuditDetails>().nullable(),
  },
  indexes: [
    { name: 'audit_log_client', properties: ['clientId', 'seq'] },
    { name: 'audit_log_action', properties: ['action', 'seq'] },
    { name: 'audit_log_at', properties: ['at'] },
  ],
  // Not forced: the owner is the operator.
  rowLevelSecurity: true,
  policies: AUDIT_POLICIES,
});
