import { ROLES_OF_RIGHT } from './rights.ts';
import { type Role, sessionState } from './session.ts';

export type Right = keyof typeof ROLES_OF_RIGHT;

const roleNow = (): Role | undefined => {
  const session = sessionState();
  return session.kind === 'in' ? session.member.role : undefined;
};

/**
 * Whether the signed-in member may do this. What the role does not allow is not offered; the server refuses it in any
 * case. Screens begin anew when the role changes, so nobody has to listen.
 */
export function may(right: Right): boolean {
  const role = roleNow();
  return role !== undefined && (ROLES_OF_RIGHT[right] as readonly Role[]).includes(role);
}

/** Files name people, so an auditor gets none. */
export const mayReadFiles = (): boolean => roleNow() !== 'auditor';
