import type { LedgerContact } from '../../policy/rules/contact-ledger.ts';
import type { RehearsalFrame, RehearsedDebt } from '../rules/rehearsal/rehearsed-debt.ts';
import type { RehearsalSummary } from '../rules/rehearsal/summarize.ts';

export interface RehearsalBatch {
  readonly debts: readonly RehearsedDebt[];
  readonly ledger: readonly LedgerContact[];
}

/** Plays a campaign without keeping the process from its other work. */
export interface RehearsalRunner {
  /**
   * Rejects with the error `unavailable` when too many rehearsals wait already, or when this one takes too long. The
   * batches are read only when its turn has come, and need not be read to their end.
   */
  run(frame: RehearsalFrame, batches: AsyncIterable<RehearsalBatch>): Promise<RehearsalSummary>;
}
