import { setCurrentDetails } from '@temporalio/workflow';
import type { DebtStep } from '../../../activities/contract.ts';
import type { DebtStatus } from '../../../src/kernel/debt-status.ts';
import { momentText } from './clock.ts';
import type { Work } from './contract.ts';

/** Why a run waits until a known moment, as operators read it at the timer and in the details of the run. */
const PURPOSES: Readonly<Record<string, string>> = {
  wait: 'for the next allowed contact',
  sendReceipt: 'to send the receipt',
  tryAgain: 'to try again what no sender can carry now',
};

/** A step of null has failed in all its tries. */
export const purposeOf = (step: Pick<DebtStep, 'kind'> | null): string =>
  step === null ? 'to try again what has failed' : (PURPOSES[step.kind] ?? PURPOSES['wait']!);

/** `refusedBy` are the rules that postpone the next contact. */
export const waitText = (nextAt: number | null, purpose: string, refusedBy: readonly string[] = []): string =>
  nextAt === null
    ? 'Waits for a decision, a message or a payment; no contact is planned'
    : `Wait until ${momentText(nextAt)} ${purpose}${refusedBy.length === 0 ? '' : ` (${refusedBy.join(', ')})`}, or for news`;

export interface RunDetails {
  readonly doing: Work | 'waiting' | 'needs an operator';
  readonly wait: string;
  /** The status of the debt as the last step has found it, and since when; null before the first step. */
  readonly status: { readonly is: DebtStatus; readonly since: number } | null;
  readonly contacts: number;
  /** Whether staff hold the simulated clock. */
  readonly isHeld: boolean;
}

/**
 * What Temporal's UI shows of a running collection. It is part of the answer to a query and no event, so it costs nothing.
 * It names moments of the debt's clock and numbers, and nothing of a person.
 */
export const showDetails = ({ doing, wait, status, contacts, isHeld }: RunDetails): void =>
  setCurrentDetails(
    [
      `**${doing}**`,
      ...(status === null ? [] : [`${status.is} since ${momentText(status.since)}`]),
      `${wait} (by the debt's clock${isHeld ? ', which staff hold' : ''})`,
      `${contacts} of its latest contacts remembered`,
    ].join(' · '),
  );
