import { DEBT_STATUSES, type DebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import { CAMPAIGN_EXISTS } from '../../debts/queries/campaigns.ts';
import {
  COUNTERS_OF_CAMPAIGN,
  type Counters,
  STATUSES_OF_CAMPAIGN,
  type StatusFigures,
} from '../../debts/queries/statistics.ts';
import type { SharedDeps } from '../../deps.ts';

/** What late payment adds, in reais. */
interface LateCharges {
  readonly fine: number;
  readonly interest: number;
  readonly correction: number;
}

/** The figures that the statistics of a campaign and the dashboard share. */
export interface RecoveryFigures {
  readonly debts: { readonly total: number; readonly byStatus: Readonly<Record<DebtStatus, number>> };
  readonly amount: { readonly total: number; readonly recovered: number };
  /** What codes and payments have asked for beside the principal. */
  readonly charged: LateCharges;
  /** What the recovered money was credited to. */
  readonly recoveredBy: LateCharges & { readonly principal: number };
  readonly recoveryRate: number;
  readonly contacts: { readonly sent: number; readonly blocked: number; readonly received: number };
  readonly payments: { readonly approved: number };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function recoveryFigures(rows: readonly StatusFigures[], counters: Counters): RecoveryFigures {
  const countOf = new Map(rows.map((row) => [row.status, row.debts]));
  const byStatus = Object.fromEntries(DEBT_STATUSES.map((status) => [status, countOf.get(status) ?? 0]));
  const total = sum(rows.map((row) => row.centavos));
  const { sent, blocked, received, approved, recovered } = counters;
  const { recoveredFine, recoveredInterest, recoveredCorrection } = counters;
  return {
    debts: { total: sum(rows.map((row) => row.debts)), byStatus: byStatus as Record<DebtStatus, number> },
    amount: { total: toReais(total), recovered: toReais(recovered) },
    charged: {
      fine: toReais(counters.chargedFine),
      interest: toReais(counters.chargedInterest),
      correction: toReais(counters.chargedCorrection),
    },
    recoveredBy: {
      principal: toReais(recovered - recoveredFine - recoveredInterest - recoveredCorrection),
      fine: toReais(recoveredFine),
      interest: toReais(recoveredInterest),
      correction: toReais(recoveredCorrection),
    },
    // A debt that was paid twice and not refunded yet could make the rate exceed 1.
    recoveryRate: total === 0 ? 0 : Math.min(1, Math.max(0, recovered / total)),
    contacts: { sent, blocked, received },
    payments: { approved },
  };
}

export const readStatistics =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, campaignId }: { clientId: string; campaignId: string }): Promise<RecoveryFigures> => {
    const params = { clientId, campaignId };
    const [campaigns, statuses, [totals]] = await Promise.all([
      db.readPrepared({ clientId }, CAMPAIGN_EXISTS, params),
      db.readPrepared({ clientId }, STATUSES_OF_CAMPAIGN, params),
      db.readPrepared({ clientId }, COUNTERS_OF_CAMPAIGN, params),
    ]);
    if (campaigns.length === 0) throw new AppError('not_found');
    return recoveryFigures(statuses, totals!);
  };
