type Start = () => void;

/**
 * Lets one piece of work run at a time. The clients that wait take turns, in the order in which each of them began to
 * wait, so that many pieces of one client delay another client by one piece only.
 */
export function createTurns() {
  const waiting = new Map<string, Start[]>();
  let busy = false;

  const startNext = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      busy = false;
      return;
    }
    const [clientId, [start, ...others]] = next;
    waiting.delete(clientId);
    // The client goes behind the others.
    if (others.length > 0) waiting.set(clientId, others);
    start!();
  };

  return async <T>(clientId: string, work: () => Promise<T>): Promise<T> => {
    if (busy) await new Promise<void>((start) => waiting.set(clientId, [...(waiting.get(clientId) ?? []), start]));
    busy = true;
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}
