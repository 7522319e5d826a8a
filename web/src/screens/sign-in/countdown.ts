import { useEffect, useState } from 'react';

/** `4 min 05 s`, or `12 s`. */
export function countdownText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return minutes === 0 ? `${rest} s` : `${minutes} min ${String(rest).padStart(2, '0')} s`;
}

/** Counts down from a number of seconds that the server gave; 0 when nothing is to be waited for. */
export function useCountdown(seconds: number | null): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (seconds === null) return setLeft(0);
    const until = Date.now() + seconds * 1_000;
    const tick = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
