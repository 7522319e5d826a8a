/** Which requests a list has: those that wait for an answer, those that have one, or all. */
export const REQUEST_STATES = ['open', 'answered', 'all'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];
