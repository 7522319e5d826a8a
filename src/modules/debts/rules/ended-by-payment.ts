import { type InboxReason, reasonsEndedBy } from './inbox-reasons.ts';
import type { PersonRequest } from './person-requests.ts';

/** What a payment has ended of a debt. It is kept with the payment's entry, in case that the payment was a mistake. */
export interface EndedByPayment {
  /** The items of the inbox that it has closed. */
  readonly itemIds: readonly string[];
  /** What the person had asked for with them. */
  readonly requests: readonly PersonRequest[];
  /** What the person had said about a payment, which no item may show yet. */
  readonly claim?: EndedClaim;
}

/** The person had said that it is paid, and was written nothing. Both moments are as the database writes them. */
export interface EndedClaim {
  readonly saidPaidAt: string;
  /** In real time, as the items of the inbox are closed. */
  readonly endedAt: string;
}

/** The next contact opens these again by itself, where there is still a reason. */
const OF_CONTACTS: readonly InboxReason[] = ['undelivered', 'settings'];

/** What is lost for a debt that is paid, and comes back to the inbox when the payment is taken back. */
export const ENDED_BY_PAYMENT = reasonsEndedBy('PAID').filter((reason) => !OF_CONTACTS.includes(reason));
