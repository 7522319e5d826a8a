import { ROLES_OF_RIGHT } from '../../src/kernel/member-rights.ts';

const HEAD = `/**
 * Written by \`scripts/make-web-client.ts\` from the one table of rights, \`src/kernel/member-rights.ts\`, where a right is
 * changed. The console only hides by it what the server would refuse.
 */
`;

/** Returns the source of the console's table of what each role may do. */
export function consoleRights(): string {
  const rows = Object.entries(ROLES_OF_RIGHT).map(
    ([right, roles]) => `  ${right}: [${roles.map((role) => `'${role}'`).join(', ')}],\n`,
  );
  return `${HEAD}export const ROLES_OF_RIGHT = {\n${rows.join('')}} as const;\n`;
}
