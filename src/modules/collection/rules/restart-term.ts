import { DAY } from '../../../kernel/calendar.ts';

/** So long after its last contact a debt that has ended is not begun again. */
const AFTER_CONTACT_MS = 30 * DAY;
/** No debt gets more than one new sequence in this time. */
const BETWEEN_RESTARTS_MS = 90 * DAY;

export interface EndedDebt {
  readonly lastContactAt: Date | null;
  readonly restartedAt: Date | null;
  /** When a correction removed what had ended the debt: the person was not to be spared, the data were wrong. */
  readonly endCorrectedAt: Date | null;
}

/** Returns the moment from which a new sequence may begin; null when nothing has to be waited for. */
export function restartFrom({ lastContactAt, restartedAt, endCorrectedAt }: EndedDebt): number | null {
  if (endCorrectedAt !== null) return null;
  const terms = [
    ...(lastContactAt === null ? [] : [lastContactAt.getTime() + AFTER_CONTACT_MS]),
    ...(restartedAt === null ? [] : [restartedAt.getTime() + BETWEEN_RESTARTS_MS]),
  ];
  return terms.length === 0 ? null : Math.max(...terms);
}
