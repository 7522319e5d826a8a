import { AppError, type ErrorCode } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { type DebtSelection, idsOfSelectedDebts, SelectedIds } from '../../debts/queries/debt-search.ts';
import { type DebtFilter, selectionOf } from '../../debts/use-cases/select-debts.ts';
import { snoozeDebt } from '../../debts/use-cases/snooze-debt.ts';
import type { CollectionDeps } from '../deps.ts';
import { resumeDebt, withdrawDebt } from './change-debt.ts';

/** What one call may do to many debts. Each is the use case of one debt, so a rule holds for both. */
export type DebtsAction =
  | { readonly action: 'resume'; readonly note: string | null }
  | { readonly action: 'withdraw'; readonly reason: string | null }
  | { readonly action: 'snooze'; readonly until: Date };

/** The debts are named, or they are those of a search. */
type Chosen = { readonly ids: readonly string[] } | { readonly search: DebtFilter };

export type ChangeDebts = DebtsAction &
  Chosen & {
    readonly clientId: string;
    /** The number of debts that the caller saw. */
    readonly expect: number;
    readonly source: RequestSource;
  };

export interface SkippedDebt {
  readonly id: string;
  /** `note_required`: the debt is resumed only with a note of what was checked. */
  readonly code: ErrorCode | 'note_required';
}

export interface ChangedDebts {
  /** The number of debts that were changed. */
  readonly done: number;
  readonly skipped: SkippedDebt[];
}

/** Each debt takes 10 to 40 ms, so that the time of a call has a bound. */
export const MAX_CHANGED = 10_000;
/** After as many debts a search is asked again. */
const PORTION = 100;

const tooMany = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/search', code: 'too_big', message: `At most ${MAX_CHANGED} debts in one call` }],
  });

/** Every order is the same here; an order by an index costs nothing. */
const ANY_ORDER = { by: 'name', descending: false } as const;

/**
 * Changes many debts. The selection is taken and counted in one snapshot. Then each debt is changed in a transaction of
 * its own, so that no lock is held for long and a payment never waits for the whole call; the answer says what was done.
 * A debt that left the search in the meantime is skipped.
 */
export const changeDebts = (deps: CollectionDeps) => {
  const oneDebt = { resume: resumeDebt(deps), withdraw: withdrawDebt(deps), snooze: snoozeDebt(deps) };

  const change = (request: ChangeDebts, debtId: string): Promise<void> => {
    const { clientId, source } = request;
    const debt = { clientId, debtId, source };
    switch (request.action) {
      case 'resume':
        return oneDebt.resume({ ...debt, reason: request.note });
      case 'withdraw':
        return oneDebt.withdraw({ ...debt, reason: request.reason });
      case 'snooze':
        return oneDebt.snooze({ ...debt, until: request.until });
    }
  };

  /** A debt that does not allow the change is skipped; any other failure ends the call. */
  const tryOne = async (request: ChangeDebts, id: string): Promise<SkippedDebt | null> => {
    try {
      await change(request, id);
      return null;
    } catch (error) {
      if (error instanceof AppError && lacksNote(error)) return { id, code: 'note_required' };
      if (error instanceof AppError && error.status < 500) return { id, code: error.code };
      throw error;
    }
  };

  return async (request: ChangeDebts): Promise<ChangedDebts> => {
    const { clientId, expect, source, action } = request;
    const selection = 'search' in request ? selectionOf(clientId, request.search) : null;
    const selected = await deps.db.tenant(clientId).transactional(async (tx) => {
      const ids =
        'ids' in request
          ? new SelectedIds([...new Set(request.ids)].join(''))
          : await idsOfSelectedDebts(tx, selectionOf(clientId, request.search), {
              sort: ANY_ORDER,
              limit: MAX_CHANGED + 1,
            });
      if (ids.count > MAX_CHANGED) throw tooMany();
      if (ids.count !== expect) throw selectionChanged(ids.count, expect);
      const details = { action, debts: ids.count, by_search: selection !== null };
      await addRequestAudit(tx, { clientId, source, action: 'debts_changed', details });
      return ids;
    });
    const skipped: SkippedDebt[] = [];
    for (const ids of selected.portions(PORTION)) {
      const still = selection === null ? null : await stillSelected(deps, selection, ids);
      for (const id of ids) {
        const skip = still?.has(id) === false ? { id, code: 'selection_changed' as const } : await tryOne(request, id);
        if (skip !== null) skipped.push(skip);
      }
    }
    return { done: selected.count - skipped.length, skipped };
  };
};

const lacksNote = ({ errors = [] }: AppError): boolean => errors.some(({ pointer }) => pointer === '/note');

const selectionChanged = (found: number, expect: number): AppError =>
  new AppError('selection_changed', { detail: `The selection has ${found} debts, and ${expect} were expected.` });

async function stillSelected(
  { db }: Pick<CollectionDeps, 'db'>,
  selection: DebtSelection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db
    .tenant(selection.clientId)
    .transactional((tx) => idsOfSelectedDebts(tx, { ...selection, ids }, { sort: ANY_ORDER, limit: ids.length }));
  return new Set([...found.portions(ids.length)].flat());
}
