import { daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { DEBT_STATUSES, type DebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { toReais } from '../../../kernel/money.ts';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { AGREEMENTS_OF_CAMPAIGNS, type AgreementSums } from '../../agreements/queries/agreement-figures.ts';
import type { AgreementStatus } from '../../agreements/rules/agreement-state.ts';
import { CAMPAIGN_EXISTS } from '../../debts/queries/campaigns.ts';
import {
  COUNTERS_OF_CAMPAIGN,
  type Counters,
  STATUSES_OF_CAMPAIGN,
  type StatusFigures,
} from '../../debts/queries/statistics.ts';
import { AGING_RANGES, agingRange } from '../../debts/rules/debt-aging.ts';
import type { SharedDeps } from '../../deps.ts';
import { COSTS_OF_CAMPAIGN } from '../../messaging/queries/message-usage.ts';
import type { CountedKind } from '../../messaging/rules/counted-kinds.ts';
import {
  type CountedMessages,
  costOfMessages,
  freeEachMonth,
  type PriceList,
  shownCost,
} from '../../messaging/rules/message-prices.ts';

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
  readonly contacts: {
    readonly sent: number;
    readonly reminders: number;
    readonly blocked: number;
    readonly received: number;
  };
  readonly payments: { readonly approved: number };
  readonly agreements: AgreementFigures;
}

/** The agreements that have a debt in the campaign, or all of them. One that staff have cancelled does not count. */
interface AgreementFigures {
  readonly open: number;
  readonly kept: number;
  readonly broken: number;
  /** What the creditor still has of the money that came by them, in reais. */
  readonly recovered: number;
  /** The debts of the open ones by days past due, with their original amounts. */
  readonly byAge: AgingFigures[];
}

export interface AgingFigures {
  readonly fromDays: number;
  readonly toDays: number | null;
  readonly debts: number;
  readonly amount: number;
}

export interface DebtsOfDueDate {
  readonly dueDate: LocalDate;
  readonly debts: number;
  readonly centavos: number;
}

/** Sums the debts of each due date by their age. Debts that are not due yet are left out. */
export function agingOf(rows: readonly DebtsOfDueDate[], today: LocalDate): AgingFigures[] {
  const sums = new Map(AGING_RANGES.map((range) => [range, { debts: 0, centavos: 0 }]));
  for (const { dueDate, debts, centavos } of rows) {
    const range = agingRange(daysBetween(dueDate, today));
    const sum = range === null ? undefined : sums.get(range);
    if (sum === undefined) continue;
    sum.debts += debts;
    sum.centavos += centavos;
  }
  return [...sums].map(([range, { debts, centavos }]) => ({ ...range, debts, amount: toReais(centavos) }));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function agreementFigures(rows: readonly AgreementSums[], today: LocalDate): AgreementFigures {
  const count = (wanted: AgreementStatus) =>
    sum(rows.filter(({ status }) => status === wanted).map(({ agreements }) => agreements));
  return {
    open: count('ACTIVE'),
    kept: count('COMPLETED'),
    broken: count('BROKEN'),
    recovered: toReais(sum(rows.map(({ recovered }) => recovered))),
    byAge: agingOf(
      rows.filter(({ status }) => status === 'ACTIVE'),
      today,
    ),
  };
}

interface Figures {
  readonly statuses: readonly StatusFigures[];
  readonly counters: Counters;
  readonly agreements: readonly AgreementSums[];
  readonly today: LocalDate;
}

export function recoveryFigures({ statuses: rows, counters, agreements, today }: Figures): RecoveryFigures {
  const countOf = new Map(rows.map((row) => [row.status, row.debts]));
  const byStatus = Object.fromEntries(DEBT_STATUSES.map((status) => [status, countOf.get(status) ?? 0]));
  const total = sum(rows.map((row) => row.centavos));
  const { sent, reminders, blocked, received, approved, recovered } = counters;
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
    contacts: { sent, reminders, blocked, received },
    payments: { approved },
    agreements: agreementFigures(agreements, today),
  };
}

/** What the messages of a campaign have cost so far, by what the channels delivered and the price list. */
export interface MessageCosts {
  readonly messages: {
    readonly channel: RealChannel;
    readonly kind: CountedKind;
    readonly free: number;
    readonly paid: number;
    /** Reais; null where the price is not known. */
    readonly total: number | null;
  }[];
  readonly total: number | null;
  /** Reais for each recovered real; null before anything was recovered. */
  readonly perRecoveredReal: number | null;
}

export interface CampaignStatistics extends RecoveryFigures {
  /** Only for whoever asks for it, because it reads every message of the campaign. */
  readonly cost?: MessageCosts;
}

function messageCosts(prices: PriceList, counted: readonly CountedMessages[], recovered: number): MessageCosts {
  const { kinds, totalCentavos } = costOfMessages(prices, counted);
  return {
    messages: kinds.map(({ channel, kind, free, paid, totalCentavos: cost }) => ({
      channel,
      kind,
      free,
      paid,
      total: shownCost(cost),
    })),
    total: shownCost(totalCentavos),
    perRecoveredReal:
      totalCentavos === null || recovered <= 0 ? null : Math.round((totalCentavos / recovered) * 10_000) / 10_000,
  };
}

export const readStatistics =
  ({ db, now, prices }: Pick<SharedDeps, 'db' | 'now'> & { readonly prices: PriceList }) =>
  async (request: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly include?: 'cost' | undefined;
  }): Promise<CampaignStatistics> => {
    const { clientId, campaignId, include } = request;
    const params = { clientId, campaignId };
    const [campaigns, statuses, [totals], agreements, counted] = await Promise.all([
      db.readPrepared({ clientId }, CAMPAIGN_EXISTS, params),
      db.readPrepared({ clientId }, STATUSES_OF_CAMPAIGN, params),
      db.readPrepared({ clientId }, COUNTERS_OF_CAMPAIGN, params),
      db.readPrepared({ clientId }, AGREEMENTS_OF_CAMPAIGNS, { clientId, campaignIds: [campaignId] }),
      include === 'cost'
        ? db.readPrepared({ clientId }, COSTS_OF_CAMPAIGN, { ...params, freeEachMonth: freeEachMonth(prices) })
        : null,
    ]);
    if (campaigns.length === 0) throw new AppError('not_found');
    const figures = { statuses, counters: totals!, agreements, today: statisticsDay(now().getTime()) };
    return {
      ...recoveryFigures(figures),
      ...(counted === null ? {} : { cost: messageCosts(prices, counted, totals!.recovered) }),
    };
  };
