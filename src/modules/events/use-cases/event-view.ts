import type { EventRow } from '../queries/events.ts';

/**
 * What a client learns of an event, in the feed and by webhook alike. `sequence` orders the events of one debt, because
 * deliveries may overtake each other.
 */
export const eventData = (event: EventRow): Readonly<Record<string, unknown>> => {
  const { number, debtId, invoiceId, campaignId, sandbox, data } = event;
  return {
    ...(debtId === null ? {} : { debtId, invoiceId }),
    ...(campaignId === null ? {} : { campaignId }),
    ...data,
    sandbox,
    sequence: number,
  };
};
