import { onSessionChange, sessionState } from './session.ts';

/** A question for the code of the second factor. All requests that need one meanwhile wait for the same answer. */
export interface StepUp {
  readonly id: number;
  readonly answer: Promise<boolean>;
  readonly settle: (proved: boolean) => void;
}

let asked: StepUp | undefined;
let count = 0;
let proofs = 0;
const listeners = new Set<() => void>();

const change = (next: StepUp | undefined): void => {
  asked = next;
  for (const listener of listeners) listener();
};

export const stepUpNow = (): StepUp | undefined => asked;
export const onStepUpChange = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How often the code was given in this tab. */
export const timesProved = (): number => proofs;

function ask(): StepUp {
  let resolve: (proved: boolean) => void;
  const answer = new Promise<boolean>((done) => {
    resolve = done;
  });
  count += 1;
  const question: StepUp = {
    id: count,
    answer,
    settle: (proved) => {
      // The dialog of an earlier question may close after another one has begun.
      if (asked !== question) return;
      if (proved) proofs += 1;
      change(undefined);
      resolve(proved);
    },
  };
  change(question);
  return question;
}

/** Tells whether the person has proved the second factor; false when the question was cancelled. */
export const askStepUp = (): Promise<boolean> => (asked ?? ask()).answer;

onSessionChange(() => {
  if (sessionState().kind !== 'in') asked?.settle(false);
});
