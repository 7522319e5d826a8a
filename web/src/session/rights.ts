/**
 * Written by `scripts/make-web-client.ts` from the one table of rights, `src/kernel/member-rights.ts`, where a right is
 * changed. The console only hides by it what the server would refuse.
 */
export const ROLES_OF_RIGHT = {
  read: ['owner', 'manager', 'agent', 'viewer', 'auditor'],
  work: ['owner', 'manager', 'agent'],
  manage: ['owner', 'manager'],
  review: ['owner', 'manager', 'auditor'],
  administer: ['owner'],
  own: ['owner', 'manager', 'agent', 'viewer', 'auditor'],
} as const;
