import type { QueryClient } from '@tanstack/react-query';
import type { GetDebtResult } from '../../api/client.ts';

/** A debt as an action answers it. */
export type ChangedDebt = Omit<GetDebtResult, 'timeline' | 'timelineCursor' | 'assignee' | 'viewing'>;

/** Shows at once what an action has made of a debt; its timeline, which the answer does not have, stays. */
export const showChanged = (queries: QueryClient, debt: ChangedDebt): void => {
  queries.setQueryData<GetDebtResult>(['debt', debt.id], (known) => known && { ...known, ...debt });
};
