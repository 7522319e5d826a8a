import type { InboxReason } from './inbox-reasons.ts';

/** What a person asks or tells, about which a person at the client has to decide. It holds for all debts of the person. */
export const PERSON_REQUESTS = ['hardship', 'negotiate', 'human', 'said_paid', 'death'] as const;
export type PersonRequest = (typeof PERSON_REQUESTS)[number];

/** The reason for which a debt stands in the inbox because of a request. News of a death need a person who reads them. */
export const reasonOfRequest = (request: PersonRequest): InboxReason => (request === 'death' ? 'human' : request);
