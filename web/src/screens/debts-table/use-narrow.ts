import { useSyncExternalStore } from 'react';

const QUERY = '(max-width: 640px)';

const follow = (changed: () => void): (() => void) => {
  const list = matchMedia(QUERY);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
};

/** Whether the window is as narrow as a phone, where rows are cards. */
export const useNarrow = (): boolean => useSyncExternalStore(follow, () => matchMedia(QUERY).matches);
