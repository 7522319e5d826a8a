import type { ClientAddress, ClientStatus } from '../db/entities/client.ts';

export const PLAN = 'GROWTH';
export const TRIAL_DAYS = 14;

/** What every answer about a client begins with. */
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
}

export type ClientColumns = Omit<ClientSummary, 'trialEndsAt'> & { readonly trialEndsAt: Date | null };
export type AccountColumns = Omit<Account, 'trialEndsAt'> & { readonly trialEndsAt: Date | null };

export const CLIENT_COLUMNS = 'id, name, email, plan, status, trial_ends_at as "trialEndsAt"';
export const ACCOUNT_COLUMNS = `${CLIENT_COLUMNS}, cnpj, segment, address`;

export const isInactive = (status: ClientStatus): boolean => status === 'PAUSED' || status === 'CANCELLED';

export const summaryOf = ({ id, name, email, plan, status, trialEndsAt }: ClientColumns): ClientSummary => ({
  id,
  name,
  email,
  plan,
  status,
  trialEndsAt: trialEndsAt?.toISOString() ?? null,
});

export const accountOf = (row: AccountColumns): Account => ({
  ...summaryOf(row),
  cnpj: row.cnpj,
  segment: row.segment,
  address: row.address,
});
