import type { GetCampaignStatisticsResult } from '../../api/client.ts';
import { type DebtStatus, STATUS_GROUPS } from '../../texts/words.ts';

type ByStatus = GetCampaignStatisticsResult['debts']['byStatus'];

const sum = (byStatus: ByStatus, statuses: readonly DebtStatus[]): number =>
  statuses.reduce((total, status) => total + byStatus[status], 0);

const KEPT: ReadonlySet<string> = new Set(['PAID', 'STOPPED', 'AGREEMENT']);

/** The debts that archiving would end: all but the paid, those that are STOPPED already, and those of an agreement. */
export const openDebts = (byStatus: ByStatus): number =>
  Object.entries(byStatus).reduce((total, [status, count]) => total + (KEPT.has(status) ? 0 : count), 0);

export const waitingDebts = (byStatus: ByStatus): number => sum(byStatus, ['ON_HOLD', 'DISPUTED']);

/** The parts of the status chart. */
export const statusParts = (byStatus: ByStatus) =>
  STATUS_GROUPS.map(({ key, label, tone, statuses }) => ({ key, label, tone, count: sum(byStatus, statuses) }));
