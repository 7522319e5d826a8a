import { useQuery } from '@tanstack/react-query';
import { quita } from '../api/quita.ts';

export const SAVED_ANSWERS_KEY = ['saved-answers'] as const;

/** The saved answers of the company by name; with a debt also as its debtor would read them. */
export const useSavedAnswers = (debtId?: string) =>
  useQuery({
    queryKey: [...SAVED_ANSWERS_KEY, debtId ?? null],
    queryFn: () => quita.listSavedAnswers(debtId === undefined ? {} : { query: { debtId } }),
    // The server orders by code points, which put accents behind all letters.
    select: ({ items }) => ({ items: [...items].sort((one, two) => one.name.localeCompare(two.name, 'pt-BR')) }),
    // What is filled for one debtor never stands in for another.
    placeholderData: () => undefined,
  });
