import { AppError } from '../../kernel/errors.ts';
import type { Caller } from '../shared/caller.ts';
import type { Route } from './define-route.ts';

/** Throws `step_up_required` when the member has a second factor and did not prove it to this session lately. */
export function requireStepUp({ needsStepUp }: Pick<Caller, 'needsStepUp'>): void {
  if (needsStepUp === true) throw new AppError('step_up_required');
}

/** What a route asks of the member's second factor. */
export function checkFactor(route: Pick<Route, 'stepUp' | 'withoutFactor'>, caller: Caller): void {
  if (caller.lacksFactor === true && route.withoutFactor !== true) throw new AppError('second_factor_missing');
  if (route.stepUp === 'always') requireStepUp(caller);
}
