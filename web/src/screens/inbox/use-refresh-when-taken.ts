import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Failed } from '../../api/problem.ts';
import { showsDebts } from '../../live/stale.ts';

/** When a colleague was faster, what is shown is old: it is read again, so that the screen says what has happened. */
export function useRefreshWhenTaken(failed: Failed | null): void {
  const queries = useQueryClient();
  const code = failed?.code;
  useEffect(() => {
    if (code === 'debt_state' || code === 'case_taken') void queries.invalidateQueries({ predicate: showsDebts });
    if (code === 'case_taken') void queries.invalidateQueries({ queryKey: ['viewing'] });
  }, [code, queries]);
}
