import { AUDIT_ACTIONS } from '../../src/modules/accounts/texts/audit-actions.ts';
import { tableOf } from './console-names.ts';

const HEAD = `/**
 * Written by \`scripts/make-web-client.ts\`. A name is changed where the server has it, which writes it into the exported
 * log too: \`src/modules/accounts/texts/audit-actions.ts\`.
 */
`;

/** Returns the source of the console's names of what the audit log records. */
export function consoleAuditNames(): string {
  const names = Object.entries(AUDIT_ACTIONS).map(([action, [, name]]) => [action, name]);
  return HEAD + tableOf('AUDIT_NAMES', Object.fromEntries(names) as Record<string, string>);
}
