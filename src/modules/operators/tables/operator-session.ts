import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { OPERATOR_TABLE } from '../../../platform/database/tables/tenant-table.ts';
import { Operator } from './operator.ts';

/** An open session of the operators' console. Its end deletes the row. */
export const OperatorSession = defineEntity({
  name: 'OperatorSession',
  tableName: 'operator_sessions',
  properties: {
    id: id(),
    operatorId: () => p.manyToOne(Operator).mapToPk().fieldName('operator_id'),
    /** The SHA-256 of the cookie. */
    cookieHash: p.text(),
    createdAt: createdAt(),
    /** Both in real time. Each call begins the idle time again, at most until `longest_until`. */
    expiresAt: instant(),
    longestUntil: instant(),
  },
  uniques: [{ name: 'operator_sessions_cookie_hash', properties: ['cookieHash'] }],
  indexes: [
    { name: 'operator_sessions_operator', properties: ['operatorId'] },
    { name: 'operator_sessions_expires_at', properties: ['expiresAt'] },
  ],
  ...OPERATOR_TABLE,
});
