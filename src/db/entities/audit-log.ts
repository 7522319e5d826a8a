import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { createdAt } from './columns.ts';

export type AuditActor = 'client' | 'anonymous' | 'identity_provider' | 'operator' | 'system';

/** No secrets, and nothing of a debtor. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

/** Who did what, when, from where. The serving roles may only add to it: reading it is the operator's, as the owner. */
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
  ],
});

export type AuditLogRow = InferEntity<typeof AuditLog>;
