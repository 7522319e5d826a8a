import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { failedOf } from '../api/problem.ts';
import { SHELL } from '../texts/shell.ts';
import styles from './shell.module.css';

/** Says that the service does not answer while the screen shows older data. It goes with the next good answer. */
export function OfflineBar() {
  const client = useQueryClient();
  const [offline, setOffline] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type !== 'updated') return;
        const { error, fetchFailureReason, status, fetchStatus } = query.state;
        const reason = fetchFailureReason ?? error;
        if (reason !== null) {
          const { code } = failedOf(reason);
          if (code === 'offline' || code === 'unavailable') setOffline(true);
        } else if (status === 'success' && fetchStatus === 'idle') setOffline(false);
      }),
    [client],
  );
  if (!offline) return null;
  return (
    <p className={styles['offline']} role="status">
      {SHELL.offline}
    </p>
  );
}
