import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from './columns.ts';

/**
 * Browsers and addresses from which an e-mail logged in: for 30 days the failures of strangers do not lock these out.
 * Hashes only, and no client column, as with the lockouts that they except from.
 */
export const LoginSource = defineEntity({
  name: 'LoginSource',
  tableName: 'login_sources',
  properties: {
    emailHash: p.text().primary(),
    /** SHA-256 of the browser's device token or of the address that rates count. */
    sourceHash: p.text().primary(),
    lastLoginAt: instant(),
  },
  indexes: [{ name: 'login_sources_last_login_at', properties: ['lastLoginAt'] }],
});
