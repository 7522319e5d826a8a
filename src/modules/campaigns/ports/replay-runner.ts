import type { HolidayRules } from '../../../kernel/holidays.ts';
import type { PolicyPack } from '../../policy/rules/policy-pack.ts';
import type { ClientReplay, ReplayedContact } from '../../policy/rules/replay.ts';

export interface ReplayJob {
  readonly clientId: string;
  readonly pack: PolicyPack;
  readonly holidays: HolidayRules;
  readonly from: number;
}

/** Asks a pack about contacts without keeping the process from its other work. */
export interface ReplayRunner {
  /**
   * Rejects with the error `unavailable` when another one of the client runs, when too many wait, or when it takes too
   * long. The contacts are read only when its turn has come.
   */
  run(job: ReplayJob, contacts: AsyncIterable<readonly ReplayedContact[]>): Promise<readonly ClientReplay[]>;
}
