import { AppError } from './errors.ts';

/** What a member of a company may be, from the one who may do everything to those who only read. */
export const MEMBER_ROLES = ['owner', 'manager', 'agent', 'viewer', 'auditor'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * The one table of what each role may do. Every authenticated route names the right that it needs. Persons are masked in
 * everything that an auditor reads: see `src/platform/http/mask-persons.ts`.
 */
export const ROLES_OF_RIGHT = {
  /** Campaigns, debts, inbox, receipts, figures, and the settings that explain them. */
  read: ['owner', 'manager', 'agent', 'viewer', 'auditor'],
  /** A debt by itself: decisions of the inbox, messages, notes, money that came elsewhere, offers within the policy. */
  work: ['owner', 'manager', 'agent'],
  /** Campaigns, imports, launches, exports, texts, terms, refunds, webhooks, and data of a debt. */
  manage: ['owner', 'manager'],
  /** How the company behaved: the audit log and the policy. */
  review: ['owner', 'manager', 'auditor'],
  /** Members, keys, payment accounts, company data, offers beyond the policy. */
  administer: ['owner'],
  /** A member's own sessions, password and membership. */
  own: ['owner', 'manager', 'agent', 'viewer', 'auditor'],
} as const satisfies Record<string, readonly MemberRole[]>;

export type Right = keyof typeof ROLES_OF_RIGHT;

export const hasRight = (role: MemberRole, right: Right): boolean =>
  (ROLES_OF_RIGHT[right] as readonly MemberRole[]).includes(role);

/** An API key does what a manager does, on the routes that take one. */
export const ROLE_OF_API_KEY: MemberRole = 'manager';

/** Throws `role_insufficient`. For what a use case decides more finely than its route. */
export function requireRight(role: MemberRole, right: Right): void {
  if (!hasRight(role, right)) throw new AppError('role_insufficient');
}
