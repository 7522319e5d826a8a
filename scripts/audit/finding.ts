export const SEVERITIES = ['low', 'moderate', 'high', 'critical', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** True for a package that only development needs. */
  readonly dev: boolean;
}

export interface Finding {
  /** The id of the advisory, `GHSA-…` when it has one. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly package: string;
  readonly version: string;
  readonly severity: Severity;
  readonly title: string;
  readonly url: string;
  readonly dev: boolean;
}

/** A source could not be asked. The message says in one line which source did not answer, and why. */
export class NotAnswered extends Error {}

export const severityOf = (text: unknown): Severity => {
  const lower = typeof text === 'string' ? text.toLowerCase() : '';
  if (lower === 'medium') return 'moderate';
  return SEVERITIES.find((severity) => severity === lower) ?? 'unknown';
};
