import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_TABLE } from '../../../platform/database/tables/tenant-table.ts';

/**
 * The browsers and addresses from which an e-mail logged in. For 30 days failures from elsewhere do not lock them out.
 * The table has hashes only and no client column, like the lockouts.
 */
export const LoginSource = defineEntity({
  name: 'LoginSource',
  tableName: 'login_sources',
  properties: {
    emailHash: p.text().primary(),
    /** The SHA-256 of the browser's device token, or of the address under which rates are counted. */
    sourceHash: p.text().primary(),
    lastLoginAt: instant(),
  },
  indexes: [{ name: 'login_sources_last_login_at', properties: ['lastLoginAt'] }],
  ...AUTHENTICATION_TABLE,
});
