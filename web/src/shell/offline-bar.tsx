import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { failedOf } from '../api/problem.ts';
import { quita } from '../api/quita.ts';
import { SHELL } from '../texts/shell-texts.ts';
import styles from './shell.module.css';

/** How often a console without answers asks whether the service is back. */
const ASK_AGAIN_MS = 3_000;

/** A query that got no answer, or that waits for the network. */
function isUnanswered({ state: { error, fetchFailureReason, fetchStatus } }: Query): boolean {
  if (fetchStatus === 'paused') return true;
  const reason = fetchFailureReason ?? error;
  if (reason === null) return false;
  const { code } = failedOf(reason);
  return code === 'offline' || code === 'unavailable';
}

/**
 * Says that the service does not answer while the screen shows older data. Not every screen follows the changes, so the
 * bar itself asks until there is an answer, and then the queries that failed ask again.
 */
export function OfflineBar() {
  const client = useQueryClient();
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const cache = client.getQueryCache();
    return cache.subscribe(({ type }) => {
      if (type !== 'updated' && type !== 'observerRemoved') return;
      const active = cache.findAll({ type: 'active' });
      if (active.some(isUnanswered)) setOffline(true);
      // A query that asks again has forgotten its failure, so only settled ones tell that all is well.
      else if (active.every(({ state }) => state.fetchStatus === 'idle')) setOffline(false);
    });
  }, [client]);
  useEffect(() => {
    if (!offline) return;
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      await quita.listSessions({ query: { limit: 1 } });
      await client.refetchQueries({ type: 'active', predicate: isUnanswered }, { cancelRefetch: false });
    };
    const timer = setInterval(() => void ask().catch(() => undefined), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [offline, client]);
  if (!offline) return null;
  return (
    <p className={styles['offline']} role="status">
      {SHELL.offline}
    </p>
  );
}
