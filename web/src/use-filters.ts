import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

/**
 * The filters of a screen in its address, so that a link and the back button keep them. Names and CPF never go there:
 * search texts are `useSearchText`'s.
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [values: Readonly<Record<Name, string>>, change: (changed: Partial<Record<Name, string>>) => void] {
  const [params, setParams] = useSearchParams();
  const key = names.map((name) => `${name}=${params.get(name) ?? ''}`).join('&');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says whether a value of these names has changed.
  const values = useMemo(
    () => Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>,
    [key],
  );
  const change = useCallback(
    (changed: Partial<Record<Name, string>>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries<string | undefined>(changed)) {
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true, state: history.state as unknown },
      ),
    [setParams],
  );
  return [values, change];
}
