import type { CollectsFor } from '../../../kernel/collects-for.ts';
import { type Connection, type LaunchNeed, missingForLaunch } from '../../../kernel/launch-needs.ts';
import type { LawfulGround } from '../../../kernel/lawful-ground.ts';
import type { AccountRow } from '../queries/clients.ts';
import type { ClientAddress, ClientStatus } from '../tables/client.ts';

/** The members that every answer about a client contains. */
export interface ClientSummary {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly plan: string;
  readonly status: ClientStatus;
  readonly trialEndsAt: string | null;
}

export interface Account extends ClientSummary {
  readonly cnpj: string | null;
  readonly segment: string | null;
  readonly address: ClientAddress | null;
  /** The only e-mail that debtors see. */
  readonly contactEmail: string | null;
  /** Null until the client states it. */
  readonly lawfulGround: LawfulGround | null;
  /** Whose debts it collects. */
  readonly collectsFor: CollectsFor;
  /** Whether what is more than was owed is given back by itself. */
  readonly autoRefundExcess: boolean;
  /** Whether a member without a second factor may do no more than set one up. */
  readonly requireSecondFactor: boolean;
  readonly emailConfirmed: boolean;
  /** True when the operator has verified the company as it is now. */
  readonly verified: boolean;
  /** The requirements that are still missing for a launch that contacts real people. */
  readonly missing: LaunchNeed[];
  readonly apiKey: { readonly createdAt: string; readonly lastUsedAt: string | null } | null;
}

export const isInactive = (status: ClientStatus): boolean => status === 'PAUSED' || status === 'CANCELLED';

type SummaryRow = Pick<AccountRow, 'id' | 'name' | 'email' | 'plan' | 'status' | 'trialEndsAt'>;

export const summaryOf = ({ id, name, email, plan, status, trialEndsAt }: SummaryRow): ClientSummary => ({
  id,
  name,
  email,
  plan,
  status,
  trialEndsAt: trialEndsAt?.toISOString() ?? null,
});

export const accountOf = (row: AccountRow, connections: readonly Connection[]): Account => ({
  ...summaryOf(row),
  cnpj: row.cnpj,
  segment: row.segment,
  address: row.address,
  contactEmail: row.contactEmail,
  lawfulGround: row.lawfulGround,
  collectsFor: row.collectsFor,
  autoRefundExcess: row.autoRefundExcess,
  requireSecondFactor: row.requireSecondFactor,
  emailConfirmed: row.emailConfirmed,
  verified: row.verified,
  missing: missingForLaunch(row, connections),
  apiKey:
    row.keyCreatedAt === null
      ? null
      : { createdAt: row.keyCreatedAt.toISOString(), lastUsedAt: row.keyLastUsedAt?.toISOString() ?? null },
});
