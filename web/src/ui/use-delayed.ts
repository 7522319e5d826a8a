import { useEffect, useState } from 'react';

/** Turns true after a while. A skeleton that flashes for a moment is worse than none. */
export function useDelayed(ms = 150): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}
