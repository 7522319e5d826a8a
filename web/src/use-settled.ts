import { useEffect, useState } from 'react';

const TYPING_MS = 300;

/** The value as it was when it had not changed for a while. */
export function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
