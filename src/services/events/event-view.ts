import type { EventRow } from '../../db/queries/events.ts';

/**
 * What a client learns of an event, in the feed and by webhook alike. `sequence` orders the events of one debt, because
 * deliveries may overtake each other.
 */
export const eventData = ({ seq, debtId, campaignId, sandbox, data }: EventRow): Readonly<Record<string, unknown>> => ({
  ...(debtId === null ? {} : { debtId }),
  ...(campaignId === null ? {} : { campaignId }),
  ...data,
  sandbox,
  sequence: seq,
});
