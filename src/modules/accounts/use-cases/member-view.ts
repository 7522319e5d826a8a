import type { MemberRow } from '../queries/members.ts';

export interface MemberView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: MemberRow['role'];
  readonly state: 'invited' | 'active';
  readonly createdAt: string;
  /** When one of the member's sessions last gave an access token; null where none is kept any more. */
  readonly lastSeenAt: string | null;
  /** When an invitation ends; null for a member. */
  readonly expiresAt: string | null;
  /** Only the list tells it, of members alone. */
  readonly secondFactor?: boolean;
}

type Listed = 'expiresAt' | 'lastSeenAt' | 'secondFactor';
type Row = Omit<MemberRow, Listed> & Partial<Pick<MemberRow, Listed>>;

export const memberViewOf = ({
  id,
  name,
  email,
  role,
  createdAt,
  expiresAt,
  lastSeenAt,
  secondFactor,
}: Row): MemberView => ({
  id,
  name,
  email,
  role,
  state: expiresAt == null ? 'active' : 'invited',
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  ...(secondFactor != null && { secondFactor }),
});
