export const SEVERITIES = ['low', 'moderate', 'high', 'critical', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Needed for the work on the product and not by the product. */
  readonly dev: boolean;
}

export interface Finding {
  /** Of the advisory: `GHSA-…` where it has one. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly package: string;
  readonly version: string;
  readonly severity: Severity;
  readonly title: string;
  readonly url: string;
  readonly dev: boolean;
}

/** The question could not be put: says in one line who did not answer and how. */
export class NotAnswered extends Error {}

export const severityOf = (text: unknown): Severity => {
  const lower = typeof text === 'string' ? text.toLowerCase() : '';
  if (lower === 'medium') return 'moderate';
  return SEVERITIES.find((severity) => severity === lower) ?? 'unknown';
};
