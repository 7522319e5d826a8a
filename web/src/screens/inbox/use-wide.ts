import { useSyncExternalStore } from 'react';

/** The width from which the queue stands beside the case that is open; the styles have the same. */
const WIDE = '(min-width: 901px)';

export const useWide = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(WIDE).matches,
  );
