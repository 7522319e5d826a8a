import { Client } from 'pg';
import { OUTBOX_CHANNEL } from './outbox-notifier.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

export interface OutboxListener {
  stop(): Promise<void>;
}

/**
 * Calls `onWork` when another process notifies that the outbox has work, and after each (re)connection, because earlier
 * notifications are lost. It uses a separate connection, because a pooled one would lose the LISTEN. The relay also
 * polls.
 */
export function startOutboxListener(options: {
  url: string;
  onWork: () => void;
  onProblem?: (error: Error) => void;
}): OutboxListener {
  let stopped = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let connecting: Promise<void> = Promise.resolve();

  const reconnect = (lost: Client, error?: Error): void => {
    if (stopped || client !== lost) return;
    client = undefined;
    lost.end().catch(() => {});
    if (error !== undefined) options.onProblem?.(error);
    timer = setTimeout(connect, pauseMs);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  };

  const connect = (): void => {
    const mine = new Client({
      connectionString: options.url,
      application_name: 'quita listener',
      keepAlive: true,
      connectionTimeoutMillis: MAX_PAUSE_MS,
    });
    client = mine;
    mine.on('error', (error) => reconnect(mine, error));
    mine.on('end', () => reconnect(mine));
    mine.on('notification', options.onWork);
    connecting = mine
      .connect()
      .then(() => mine.query(`listen ${OUTBOX_CHANNEL}`))
      .then(
        () => {
          pauseMs = FIRST_PAUSE_MS;
          if (!stopped) options.onWork();
        },
        (error: Error) => reconnect(mine, error),
      );
  };

  connect();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await connecting;
      await client?.end().catch(() => {});
    },
  };
}
