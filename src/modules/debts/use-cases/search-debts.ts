import { hash } from 'node:crypto';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { invalidSearchCursor, type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import type { SharedDeps } from '../../deps.ts';
import { allIndices } from '../../terms/queries/index-values.ts';
import {
  type CursorValue,
  countSelectedDebts,
  type FoundDebtRow,
  pageOfSelectedDebts,
} from '../queries/debt-search.ts';
import { type DebtSort, type DebtSortKey, type DebtSortName, debtSortOf } from '../rules/debt-sorts.ts';
import { type FoundDebt, foundDebt } from './found-debt.ts';
import { type DebtFilter, MAX_SELECTED, selectionOf } from './select-debts.ts';

export interface SearchDebts extends DebtFilter {
  readonly clientId: string;
  readonly sort: DebtSortName;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FoundDebts extends Page<FoundDebt> {
  readonly total: number;
}

const NO_CONTACT = { true: '-infinity', false: 'infinity' } as const;

/** The values by which a row is sorted, as the cursor contains them. */
function valuesOf(row: FoundDebtRow, { by, descending }: DebtSort): CursorValue[] {
  switch (by) {
    case 'createdAt':
      return [row.createdAt.toISOString(), row.position];
    case 'dueDate':
      return [row.dueDate];
    case 'amount':
      return [row.originalAmountCentavos];
    case 'name':
      return [row.nameKey];
    case 'status':
      return [DEBT_STATUSES.indexOf(row.status) + 1];
    case 'nextContactAt':
      return [row.nextContactAt?.toISOString() ?? NO_CONTACT[`${descending}`]];
  }
}

type Check = (value: unknown) => boolean;

const isMoment: Check = (value) =>
  typeof value === 'string' &&
  /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isNumberUpTo =
  (max: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
/** PostgreSQL refuses U+0000. */
const isName: Check = (value) => typeof value === 'string' && value.length <= 400 && !value.includes('\0');

const CHECKS: Readonly<Record<DebtSortKey, readonly Check[]>> = {
  createdAt: [isMoment, isNumberUpTo(2 ** 31 - 1)],
  dueDate: [(value) => parseLocalDate(value) !== null && /^[12]/.test(String(value))],
  amount: [isNumberUpTo(Number.MAX_SAFE_INTEGER)],
  name: [isName],
  status: [isNumberUpTo(DEBT_STATUSES.length)],
  nextContactAt: [(value) => isMoment(value) || value === '-infinity' || value === 'infinity'],
};

/** Identifies the search that a cursor belongs to. */
function searchId(request: SearchDebts): string {
  const { clientId, q, campaignId, status, dueFrom, dueTo, sandbox, sort } = request;
  const statuses = status?.toSorted();
  const search = JSON.stringify([clientId, q, campaignId, statuses, dueFrom, dueTo, sandbox, sort]);
  return hash('sha256', search, 'base64url').slice(0, 16);
}

/** Returns the values of the last debt of the page before. */
function positionOf(request: SearchDebts, { by }: DebtSort): readonly CursorValue[] | undefined {
  const checks = [...CHECKS[by], isUuid];
  const read = ([search, ...values]: readonly unknown[]) =>
    search === searchId(request) && values.length === checks.length && values.every((value, at) => checks[at]!(value))
      ? (values as CursorValue[])
      : null;
  return readCursor(request.cursor, read, invalidSearchCursor);
}

/** Most debts are charged nothing, or a fixed percentage. */
const usesIndices = ({ terms }: FoundDebtRow): boolean =>
  terms !== null && (terms.interest.kind === 'legal' || terms.correction === 'ipca');

/** Searches the debts of a client. A page shows the state of its own moment. */
export const searchDebts =
  ({ db, now, policy }: Pick<SharedDeps, 'db' | 'now' | 'policy'>) =>
  async (request: SearchDebts): Promise<FoundDebts> => {
    const { clientId, limit } = request;
    const sort = debtSortOf(request.sort);
    const after = positionOf(request, sort);
    const selection = selectionOf(clientId, request);
    return db.tenant(clientId).transactional(async (tx) => {
      const rows = await pageOfSelectedDebts(tx, selection, { sort, after, limit: limit + 1 });
      const total = await countSelectedDebts(tx, selection, MAX_SELECTED);
      const figuring = { now, policy, indices: rows.some(usesIndices) ? await allIndices(tx) : {} };
      const cursorOf = (last: FoundDebtRow) => writeCursor(searchId(request), ...valuesOf(last, sort), last.id);
      return { ...pageOf(rows, limit, (row) => foundDebt(row, figuring), cursorOf), total };
    });
  };
