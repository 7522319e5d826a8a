import { AUDIT_ACTIONS } from '../../src/modules/accounts/texts/audit-actions.ts';

const HEAD = `/**
 * Written by \`scripts/make-web-client.ts\`. A name is changed where the server has it, which writes it into the exported
 * log too: \`src/modules/accounts/texts/audit-actions.ts\`.
 */
`;

/** Returns the source of the console's names of what the audit log records. */
export function consoleAuditNames(): string {
  const rows = Object.entries(AUDIT_ACTIONS).map(([action, [, name]]) => `  ${action}: '${name}',\n`);
  return `${HEAD}export const AUDIT_NAMES = {\n${rows.join('')}} as const;\n`;
}
