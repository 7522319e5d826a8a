import type { GetDebtResult } from '../../api/client.ts';

type Held = Pick<GetDebtResult, 'status' | 'staffAnswersUntil'>;

const RESUMABLE: readonly GetDebtResult['status'][] = ['DISPUTED', 'ON_HOLD', 'EXHAUSTED', 'UNREACHABLE'];

/** Whether the collection of a debt rests until the company decides, or has ended without a payment. */
export const isResumable = ({ status }: Pick<Held, 'status'>): boolean => RESUMABLE.includes(status);

/** Whether a debt that waits is of an agreement, which goes on when somebody resumes it. */
export const resumesAgreement = ({ status }: Pick<Held, 'status'>, waits: boolean): boolean =>
  status === 'AGREEMENT' && waits;

/** Whether the debt is resumed only with a note of what the team has checked. */
export const needsNote = ({ status }: Pick<Held, 'status'>, reasons: readonly string[] = []): boolean =>
  status === 'DISPUTED' || reasons.includes('said_paid') || reasons.includes('disputed');

/** Whether resuming also ends the staff's own conversation, during which the assistant says nothing. */
export const handsBack = (debt: Held): boolean => isResumable(debt) && debt.staffAnswersUntil !== null;
