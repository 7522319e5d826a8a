export const DEBT_STATUSES = [
  'IMPORTED',
  'QUEUED',
  'IN_COLLECTION',
  'PROMISED',
  'ON_HOLD',
  'DISPUTED',
  'OPTED_OUT',
  'PAID',
  'EXHAUSTED',
  'STOPPED',
] as const;
export type DebtStatus = (typeof DEBT_STATUSES)[number];

export type DebtEvent =
  | 'launched'
  | 'contacted'
  | 'promised'
  | 'promise_lapsed'
  | 'held'
  | 'underpaid'
  | 'disputed'
  | 'opted_out'
  | 'wrong_person'
  | 'exhausted'
  | 'resumed'
  | 'withdrawn'
  | 'archived'
  | 'paid';

interface Move {
  readonly from: readonly DebtStatus[];
  readonly to: DebtStatus;
}

const except = (...excluded: DebtStatus[]): DebtStatus[] =>
  DEBT_STATUSES.filter((status) => !excluded.includes(status));
const WORKED: readonly DebtStatus[] = ['QUEUED', 'IN_COLLECTION', 'PROMISED'];

/** A debtor's word is obeyed in every status but the two that end it all; money is obeyed in every status. */
const MOVES: Readonly<Record<DebtEvent, Move>> = {
  launched: { from: ['IMPORTED'], to: 'QUEUED' },
  contacted: { from: WORKED, to: 'IN_COLLECTION' },
  promised: { from: WORKED, to: 'PROMISED' },
  promise_lapsed: { from: ['PROMISED'], to: 'IN_COLLECTION' },
  // What already waits for the client keeps its reason; a person in need is heard before the launch and after the end too.
  held: { from: ['IMPORTED', ...WORKED, 'ON_HOLD', 'EXHAUSTED'], to: 'ON_HOLD' },
  underpaid: { from: except('PAID', 'STOPPED', 'OPTED_OUT'), to: 'ON_HOLD' },
  disputed: { from: except('PAID', 'STOPPED'), to: 'DISPUTED' },
  opted_out: { from: except('PAID', 'STOPPED'), to: 'OPTED_OUT' },
  wrong_person: { from: except('PAID', 'STOPPED'), to: 'STOPPED' },
  exhausted: { from: WORKED, to: 'EXHAUSTED' },
  resumed: { from: ['ON_HOLD', 'DISPUTED'], to: 'IN_COLLECTION' },
  withdrawn: { from: except('PAID', 'STOPPED'), to: 'STOPPED' },
  archived: { from: except('PAID', 'STOPPED'), to: 'STOPPED' },
  paid: { from: except('PAID'), to: 'PAID' },
};

/** The status after `event`, or null where the event changes nothing (for a client's request: 409 `debt_state`). */
export const nextDebtStatus = (status: DebtStatus, event: DebtEvent): DebtStatus | null =>
  MOVES[event].from.includes(status) ? MOVES[event].to : null;

/** For `update … where status = any(…)`: the statuses in which `event` takes effect. */
export const statusesBefore = (event: DebtEvent): readonly DebtStatus[] => MOVES[event].from;

/** A campaign is COMPLETED when none of its debts is live. */
export const LIVE_DEBT_STATUSES: readonly DebtStatus[] = WORKED;
export const isLive = (status: DebtStatus): boolean => WORKED.includes(status);

/** Debts that do not count against an imported duplicate; a PAID one counts for ever. */
export const REIMPORTABLE_DEBT_STATUSES: readonly DebtStatus[] = ['EXHAUSTED', 'STOPPED'];
