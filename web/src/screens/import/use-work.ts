import { useEffect, useRef, useState } from 'react';
import type { Failed } from '../../api/problem.ts';
import { failureOf } from './send-file.ts';
import type { Work } from './wizard-state.ts';

/** Runs one request of the wizard at a time. What failed stays on the screen until the next attempt. */
export function useWork(onFailed: (failure: Failed) => void) {
  const [work, setWork] = useState<Work | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const abort = useRef(new AbortController());

  useEffect(() => {
    // React runs effects twice in development, so each run has a controller of its own.
    const controller = new AbortController();
    abort.current = controller;
    return () => controller.abort();
  }, []);

  async function run(kind: Work['kind'], action: (onSent: (sent: number) => void) => Promise<void>): Promise<void> {
    if (work !== null) return;
    const { signal } = abort.current;
    setWork({ kind, sent: 0 });
    setFailed(null);
    try {
      await action((sent) => setWork({ kind, sent }));
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      setFailed(failure);
      onFailed(failure);
    }
    setWork(null);
  }

  return { work, failed, setFailed, abort, run };
}
