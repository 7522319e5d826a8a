import { DAY } from '../../../kernel/calendar.ts';

export const STEP_KINDS = ['first', 'reminder', 'last'] as const;
export const TONES = ['friendly', 'neutral', 'firm'] as const;
/** The most contacts of a campaign's own sequence. */
export const MAX_SEQUENCE_STEPS = 12;

/** One contact of the sequence in `policies/sequence.json`, and the days to wait before the contact that follows it. */
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
  /** The moment from which the wait counts: the last contact, or a later answer, lapsed promise or resumption. */
  readonly anchorAt: number;
  /** The promised date passed without payment, so the next message mentions it. */
  readonly promiseLapsed: boolean;
  /** The debt has come back into collection since the last contact, so the next one is due without a wait. */
  readonly isBack?: boolean;
  /** The staff have decided about this since the last contact, so the next message takes it up. */
  readonly resumedAfter?: ResumedAfter | null;
}

export type ResumedAfter = 'dispute' | 'said_paid' | 'other';

export type SequenceMove =
  | {
      readonly kind: SequenceStep['kind'] | 'after_promise' | 'after_dispute' | 'after_said_paid';
      readonly tone: SequenceStep['tone'];
      /** The first step is 1. */
      readonly step: number;
      /** How many reminders of the sequence come before it. */
      readonly earlierReminders: number;
      readonly notBefore: number;
    }
  | { readonly kind: 'exhausted'; readonly notBefore: number };

/** Returns the next step and its earliest moment. The contact policy may delay the step but never brings it forward. */
export const nextMove = (sequence: CollectionSequence, position: SequencePosition): SequenceMove => {
  const { contactsMade, anchorAt, promiseLapsed, isBack = false, resumedAfter = null } = position;
  const last = sequence.steps[contactsMade - 1];
  const next = sequence.steps[contactsMade];
  // A promise lapses only after the promised date and one more business day, so no further wait is added.
  const wait = promiseLapsed || isBack || last === undefined ? 0 : last.thenWaitDays * DAY;
  if (next === undefined) return { kind: 'exhausted', notBefore: anchorAt + (last?.thenWaitDays ?? 0) * DAY };
  const kind = kindOf(next.kind, { promiseLapsed, resumedAfter });
  const earlierReminders = sequence.steps.slice(0, contactsMade).filter((step) => step.kind === 'reminder').length;
  return { kind, tone: next.tone, step: contactsMade + 1, earlierReminders, notBefore: anchorAt + wait };
};

type Kind = Exclude<SequenceMove['kind'], 'exhausted'>;

function kindOf(
  next: SequenceStep['kind'],
  { promiseLapsed, resumedAfter }: Required<Pick<SequencePosition, 'promiseLapsed' | 'resumedAfter'>>,
): Kind {
  if (promiseLapsed && next !== 'last') return 'after_promise';
  if (resumedAfter === 'dispute') return 'after_dispute';
  if (resumedAfter === 'said_paid') return 'after_said_paid';
  // Resuming makes the last step due again. It says that no message follows, which nobody is told twice.
  return resumedAfter !== null && next === 'last' ? 'reminder' : next;
}
