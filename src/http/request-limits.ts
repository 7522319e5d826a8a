/** How long a request may take to arrive, and how many imports run at the same time. */
export interface RequestLimits {
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly importBodyMs: number;
  /** The time for the client to read the answer of an import, which may have about 40 MB. */
  readonly importAnswerMs: number;
  readonly importsAtOnce: number;
  readonly importWaitMs: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  headersMs: 10_000,
  bodyMs: 60_000,
  importBodyMs: 5 * 60_000,
  importAnswerMs: 5 * 60_000,
  importsAtOnce: 2,
  importWaitMs: 30_000,
};

export const requestLimits = (changed: Partial<RequestLimits> = {}): RequestLimits => ({
  ...REQUEST_LIMITS,
  ...changed,
});
