export const DEBT_STATUSES = [
  'IMPORTED',
  'QUEUED',
  'IN_COLLECTION',
  'PROMISED',
  'AGREEMENT',
  'ON_HOLD',
  'DISPUTED',
  'OPTED_OUT',
  'PAID',
  'EXHAUSTED',
  'UNREACHABLE',
  'STOPPED',
] as const;
export type DebtStatus = (typeof DEBT_STATUSES)[number];

export type DebtTransition =
  | 'launched'
  | 'contacted'
  | 'promised'
  | 'held'
  | 'underpaid'
  | 'disputed'
  | 'opted_out'
  | 'wrong_person'
  | 'exhausted'
  | 'unreachable'
  | 'resumed'
  | 'agreed'
  | 'agreement_ended'
  | 'withdrawn'
  | 'archived'
  | 'paid';

interface Transition {
  readonly from: readonly DebtStatus[];
  readonly to: DebtStatus;
}

const except = (...excluded: DebtStatus[]): DebtStatus[] =>
  DEBT_STATUSES.filter((status) => !excluded.includes(status));
const WORKED: readonly DebtStatus[] = ['QUEUED', 'IN_COLLECTION', 'PROMISED'];
/** What the debtor or the client decides about a debt of an active agreement leaves its status as it is. */
const DECIDED = except('PAID', 'STOPPED', 'AGREEMENT');

/**
 * What the debtor decides takes effect in every status except PAID, STOPPED and AGREEMENT; a payment takes effect in every
 * status.
 */
const TRANSITIONS: Readonly<Record<DebtTransition, Transition>> = {
  launched: { from: ['IMPORTED'], to: 'QUEUED' },
  contacted: { from: WORKED, to: 'IN_COLLECTION' },
  promised: { from: WORKED, to: 'PROMISED' },
  // A disputed debt already waits for the client and keeps that status. A debtor in hardship is also taken into account
  // before the launch and after the debt is exhausted.
  held: { from: ['IMPORTED', ...WORKED, 'ON_HOLD', 'EXHAUSTED', 'UNREACHABLE'], to: 'ON_HOLD' },
  underpaid: { from: DECIDED.filter((status) => status !== 'OPTED_OUT'), to: 'ON_HOLD' },
  disputed: { from: DECIDED, to: 'DISPUTED' },
  opted_out: { from: DECIDED, to: 'OPTED_OUT' },
  wrong_person: { from: DECIDED, to: 'STOPPED' },
  exhausted: { from: WORKED, to: 'EXHAUSTED' },
  unreachable: { from: WORKED, to: 'UNREACHABLE' },
  // A debt that has ended without a payment gets a new sequence.
  resumed: { from: ['ON_HOLD', 'DISPUTED', 'EXHAUSTED', 'UNREACHABLE'], to: 'IN_COLLECTION' },
  agreed: { from: [...WORKED, 'ON_HOLD', 'EXHAUSTED', 'UNREACHABLE'], to: 'AGREEMENT' },
  // Broken or cancelled: what is open is collected again.
  agreement_ended: { from: ['AGREEMENT'], to: 'IN_COLLECTION' },
  withdrawn: { from: DECIDED, to: 'STOPPED' },
  archived: { from: DECIDED, to: 'STOPPED' },
  paid: { from: except('PAID'), to: 'PAID' },
};

/**
 * Returns the status after `transition`, or null where it changes nothing (409 `debt_state` for a client's request).
 */
export const nextDebtStatus = (status: DebtStatus, transition: DebtTransition): DebtStatus | null =>
  TRANSITIONS[transition].from.includes(status) ? TRANSITIONS[transition].to : null;

/** Returns the statuses in which `transition` takes effect, for `update … where status = any(…)`. */
export const statusesBefore = (transition: DebtTransition): readonly DebtStatus[] => TRANSITIONS[transition].from;

/** The statuses in which a sequence of messages works on the debt. */
export const LIVE_DEBT_STATUSES: readonly DebtStatus[] = WORKED;
export const isLive = (status: DebtStatus): boolean => WORKED.includes(status);

/** A campaign is COMPLETED when none of its debts is in one of these. */
export const RUNNING_DEBT_STATUSES: readonly DebtStatus[] = [...WORKED, 'AGREEMENT'];
export const isRunning = (status: DebtStatus): boolean => RUNNING_DEBT_STATUSES.includes(status);

/**
 * The statuses in which the debt is neither paid nor given up, so that money may still be asked for. The function
 * `count_debts_by_status` of the database has the same list.
 */
export const OPEN_DEBT_STATUSES: readonly DebtStatus[] = ['IMPORTED', ...RUNNING_DEBT_STATUSES, 'ON_HOLD', 'DISPUTED'];

/** The statuses of a debt that nobody works on any more. The retention of its timeline and messages counts in them. */
export const ENDED_DEBT_STATUSES: readonly DebtStatus[] = except(...OPEN_DEBT_STATUSES);

/**
 * Returns how a promise ended with a change of status: kept when the debt was paid while the promise stood, broken when
 * it lapsed. A debt that is disputed, held, agreed, withdrawn or not to be contacted any more has broken no promise.
 */
export function promiseOutcome(from: DebtStatus, to: DebtStatus): 'kept' | 'broken' | null {
  if (from !== 'PROMISED') return null;
  if (to === 'PAID') return 'kept';
  return to === 'IN_COLLECTION' || to === 'EXHAUSTED' || to === 'UNREACHABLE' ? 'broken' : null;
}

/** The statuses in which a debt does not prevent the import of a duplicate; a PAID debt prevents it for ever. */
export const REIMPORTABLE_DEBT_STATUSES: readonly DebtStatus[] = ['EXHAUSTED', 'UNREACHABLE', 'STOPPED'];

/**
 * The statuses of a row that an import has continued. Another row is the current one of the debt, so this one is neither
 * collected nor held nor disputed again.
 */
export const CONTINUED_DEBT_STATUSES: readonly DebtStatus[] = [...REIMPORTABLE_DEBT_STATUSES, 'PAID'];

/** Neither paid nor ended by a person: the debt is still owed to the client, and its page is open. */
export const OWED_DEBT_STATUSES: readonly DebtStatus[] = except('PAID', 'STOPPED');

export const isOwed = ({ status }: { readonly status: DebtStatus }): boolean => OWED_DEBT_STATUSES.includes(status);

/** Owed, and in no sequence of messages until somebody decides otherwise. */
export const OUTSIDE_SEQUENCE: readonly DebtStatus[] = except('PAID', 'STOPPED', ...OPEN_DEBT_STATUSES);
