const MINUTE = 60_000;

/**
 * The schedules by which Temporal starts workflows, with their intervals. Each start of the service applies a changed
 * interval to the namespace.
 */
export const SCHEDULES = [
  /** An hour is short for deleting rows that are kept for days, months or years. */
  { scheduleId: 'purge-expired', workflow: 'purge-expired', everyMs: 60 * MINUTE },
  /** A minute is short enough for a client who watches a campaign after resuming it. */
  { scheduleId: 'wake-paused', workflow: 'wake-paused', everyMs: MINUTE },
  /** A minute is short beside the quarter of an hour that lies between two digests of a client. */
  { scheduleId: 'inbox-digests', workflow: 'inbox-digests', everyMs: MINUTE },
  /** A lost workflow is noticed when it is a quarter of an hour late, so minutes are frequent enough. */
  { scheduleId: 'restart-lost', workflow: 'restart-lost', everyMs: 5 * MINUTE },
  /** An hour is also how long a sender that cannot send rests before it is tried again. */
  { scheduleId: 'check-senders', workflow: 'check-senders', everyMs: 60 * MINUTE },
  /** Two minutes is also the shortest wait between two questions about one charge. */
  { scheduleId: 'reconcile-payments', workflow: 'reconcile-payments', everyMs: 2 * MINUTE },
] as const;
