export interface NotedPayment {
  readonly paymentKey: string;
  readonly requestId: string;
}

interface Waiting extends NotedPayment {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds one statement; what is beyond it goes with the next. */
const AT_ONCE = 500;
/** More than one, so that a row which somebody holds delays only those that came with it. */
const WRITERS = 2;

/**
 * A notification that comes alone is written at once; those that come while others are being written go together, in one
 * transaction. Each caller hears when its own is durable, or that it is not.
 */
export function createNotificationBatches(
  write: (notes: readonly NotedPayment[]) => Promise<void>,
): (note: NotedPayment) => Promise<void> {
  const waiting: Waiting[] = [];
  let writers = 0;

  async function writeWaiting(): Promise<void> {
    writers += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE);
      try {
        await write(batch);
        for (const one of batch) one.resolve();
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    writers -= 1;
  }

  return (note) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...note, resolve, reject });
      if (writers < WRITERS) void writeWaiting();
    });
}
