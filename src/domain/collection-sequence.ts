import { DAY } from './calendar.ts';

export const STEP_KINDS = ['first', 'reminder', 'last'] as const;
export const TONES = ['friendly', 'neutral', 'firm'] as const;

/** One outreach of the sequence in `policies/sequence.json`, and how long it is given to work. */
export interface SequenceStep {
  readonly kind: (typeof STEP_KINDS)[number];
  readonly tone: (typeof TONES)[number];
  readonly thenWaitDays: number;
}

export interface CollectionSequence {
  readonly id: string;
  readonly version: string;
  readonly steps: readonly SequenceStep[];
}

export interface SequencePosition {
  readonly contactsMade: number;
  /** The last contact, or what re-anchors the sequence after it: the debtor's answer, a promise that lapsed, a resume. */
  readonly anchorAt: number;
  /** The promise was not kept: the next text speaks of it. */
  readonly promiseLapsed: boolean;
}

export type SequenceMove =
  | {
      readonly kind: SequenceStep['kind'] | 'after_promise';
      readonly tone: SequenceStep['tone'];
      /** Counted from 1. */
      readonly step: number;
      readonly notBefore: number;
    }
  | { readonly kind: 'exhausted'; readonly notBefore: number };

/** What comes next and not before when; the policy may delay it further, never hurry it. */
export const nextMove = (sequence: CollectionSequence, position: SequencePosition): SequenceMove => {
  const { contactsMade, anchorAt, promiseLapsed } = position;
  const last = sequence.steps[contactsMade - 1];
  const next = sequence.steps[contactsMade];
  // A lapsed promise has been waited for already, the business day after it included.
  const wait = promiseLapsed || last === undefined ? 0 : last.thenWaitDays * DAY;
  if (next === undefined) return { kind: 'exhausted', notBefore: anchorAt + (last?.thenWaitDays ?? 0) * DAY };
  const kind = promiseLapsed && next.kind !== 'last' ? 'after_promise' : next.kind;
  return { kind, tone: next.tone, step: contactsMade + 1, notBefore: anchorAt + wait };
};
