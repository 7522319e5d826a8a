import { wakePaused } from './proxies.ts';

/** On a schedule: the engine's index lags, so a batch signal after a resume may miss some. */
export async function wakePausedDebts(): Promise<void> {
  await wakePaused();
}
