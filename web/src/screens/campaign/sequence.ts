import type { Campaign, Policy } from '../../api/client.ts';

export type Step = NonNullable<Campaign['sequence']>[number];

const isStep = (value: unknown): value is Step =>
  typeof value === 'object' && value !== null && 'kind' in value && 'tone' in value && 'thenWaitDays' in value;

/** The product's sequence, as the policy shows it. */
export function defaultSteps({ sequence }: Pick<Policy, 'sequence'>): readonly Step[] {
  const { steps } = sequence as { readonly steps?: unknown };
  return Array.isArray(steps) ? steps.filter(isStep) : [];
}

/** Keeps what the API asks of a sequence when its length changes: it begins with `first`, and only the end waits 0 days. */
export function tidied(steps: readonly Step[]): readonly Step[] {
  return steps.map((step, at) => {
    const isLast = at === steps.length - 1;
    const kind =
      at === 0 ? 'first' : step.kind === 'first' || (step.kind === 'last' && !isLast) ? 'reminder' : step.kind;
    return { ...step, kind, thenWaitDays: isLast ? step.thenWaitDays : Math.max(1, step.thenWaitDays) };
  });
}

export const withStep = (steps: readonly Step[]): readonly Step[] =>
  tidied([...steps, { kind: 'last', tone: steps.at(-1)?.tone ?? 'friendly', thenWaitDays: 0 }]);

export const withoutStep = (steps: readonly Step[], place: number): readonly Step[] =>
  tidied(steps.filter((_, at) => at !== place));

export const withChange = (steps: readonly Step[], place: number, change: Partial<Step>): readonly Step[] =>
  steps.map((step, at) => (at === place ? { ...step, ...change } : step));
