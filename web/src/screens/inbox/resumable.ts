import type { GetDebtResult } from '../../api/client.ts';

type Held = Pick<GetDebtResult, 'status' | 'staffAnswersUntil'>;

const RESUMABLE: readonly GetDebtResult['status'][] = ['DISPUTED', 'ON_HOLD'];

/** Whether the collection of a debt rests until the company decides. */
export const isResumable = ({ status }: Pick<Held, 'status'>): boolean => RESUMABLE.includes(status);

/** Whether resuming also ends the staff's own conversation, during which the assistant says nothing. */
export const handsBack = (debt: Held): boolean => isResumable(debt) && debt.staffAnswersUntil !== null;
