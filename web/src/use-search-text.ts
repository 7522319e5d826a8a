import { useState } from 'react';

const KEY = 'searchText';

const stored = (): string => {
  const state = history.state as Record<string, unknown> | null;
  return typeof state?.[KEY] === 'string' ? state[KEY] : '';
};

/**
 * A search text (a name, a CPF) in the entry of the browser's history, where the back button finds it and no log, proxy
 * or shared link does.
 */
export function useSearchText(): readonly [text: string, change: (text: string) => void] {
  const [text, setText] = useState(stored);
  return [
    text,
    (next) => {
      setText(next);
      history.replaceState({ ...(history.state as object | null), [KEY]: next }, '');
    },
  ];
}
