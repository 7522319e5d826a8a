import { useQuery } from '@tanstack/react-query';
import { quita } from '../api/quita.ts';

export const SAVED_ANSWERS_KEY = ['saved-answers'] as const;

/** The saved answers of the company by name; with a debt also as its debtor would read them. */
export const useSavedAnswers = (debtId?: string) =>
  useQuery({
    queryKey: [...SAVED_ANSWERS_KEY, debtId ?? null],
    queryFn: () => quita.listSavedAnswers(debtId === undefined ? {} : { query: { debtId } }),
    // What is filled for one debtor never stands in for another.
    placeholderData: () => undefined,
  });
