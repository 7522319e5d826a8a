import { defineEntity, p } from '@mikro-orm/postgresql';
import { AUDIT_LOG_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, writtenBy } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  CURRENT_CLIENT,
  type Policy,
  purgePolicy,
} from '../../../platform/database/tables/tenant-table.ts';

export type AuditActor = 'client' | 'anonymous' | 'identity_provider' | 'operator' | 'system';

/** The details contain no secret and no data of a debtor. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The actions of clients and operators, with actor, moment and address. The serving roles may add entries but not
 * change them, so that no defect and no attacker in a serving process can alter the log. A client reads its own
 * entries; the operator, as the owner, reads all.
 */
const AUDIT_POLICIES: Policy[] = [
  // An entry may concern no account, the client of the transaction, or a client that is being authenticated.
  {
    name: 'add',
    command: 'insert',
    roles: ['quita_app'],
    check: `client_id is null or client_id = ${CURRENT_CLIENT} or ${AUTHENTICATION_POLICY.using}`,
  },
  { name: 'worker_add', command: 'insert', roles: ['quita_worker'], check: 'true' },
  { name: 'own_entries', command: 'select', roles: ['quita_app'], using: `client_id = ${CURRENT_CLIENT}` },
  purgePolicy(`at < (current_timestamp - '${AUDIT_LOG_DAYS} days'::interval)`),
  // A delete with a condition also needs to read the rows that it deletes.
  {
    name: 'purge_search',
    command: 'select',
    roles: ['quita_worker'],
    using: `at < (current_timestamp - '${AUDIT_LOG_DAYS} days'::interval)`,
  },
];

export const AuditLog = defineEntity({
  name: 'AuditLog',
  tableName: 'audit_log',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    at: createdAt(),
    /** Null when the entry concerns no account, such as a failed login with an e-mail that has no account. */
    clientId: p.uuid().nullable(),
    actor: p.text().$type<AuditActor>(),
    action: p.text(),
    target: p.text().nullable(),
    ip: p.text().nullable(),
    details: p.json<AuditDetails>().nullable(),
    memberId: writtenBy(),
  },
  indexes: [
    { name: 'audit_log_client', properties: ['clientId', 'at', 'seq'] },
    { name: 'audit_log_client_action', properties: ['clientId', 'action', 'at', 'seq'] },
    { name: 'audit_log_action', properties: ['action', 'seq'] },
    { name: 'audit_log_at', properties: ['at'] },
  ],
  // Row security is not forced, because the owner is the operator, who reads all entries.
  rowLevelSecurity: true,
  policies: AUDIT_POLICIES,
});
