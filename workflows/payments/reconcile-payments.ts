import { reconcileCharges } from '../proxies.ts';

/** About half an hour of runs. Then the schedule starts the next workflow, so that no history grows without end. */
const MAX_RUNS = 60;

/**
 * Runs on a schedule, so that a lost notification or a provider that was down delays a payment by minutes but loses
 * none. The runs follow each other while charges are due.
 */
export async function reconcilePayments(): Promise<{ asked: number; changed: number }> {
  const done = { asked: 0, changed: 0 };
  for (let run = 1; run <= MAX_RUNS; run += 1) {
    const { asked, changed, more } = await reconcileCharges();
    done.asked += asked;
    done.changed += changed;
    if (!more) break;
  }
  return done;
}
