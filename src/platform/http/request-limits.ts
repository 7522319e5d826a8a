const MIB = 1024 * 1024;

/** The most bytes of bodies that are in memory at once: of all together, and of one address or client. */
export interface BytesInFlight {
  readonly total: number;
  readonly each: number;
}

/** A client that is slower than this is not served. */
export interface SlowestUpload {
  /** The rate is looked at each time after this time. */
  readonly afterMs: number;
  readonly bytesPerSecond: number;
}

/** How long a request may take to arrive, and how much is received and worked on at the same time. */
export interface RequestLimits {
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly importBodyMs: number;
  readonly slowestImport: SlowestUpload;
  /** How long a client may read nothing of an answer that waits for it. */
  readonly answerIdleMs: number;
  /** The slowest rate at which an answer of a known size is read, after `answerIdleMs`. */
  readonly answerBytesPerSecond: number;
  /** The time for an answer of which the size is not known when it begins, such as an export. */
  readonly streamMs: number;
  /** How many imports are checked and stored at once. */
  readonly importsAtOnce: number;
  /** How many imports are in memory at once: being received, waiting, in work, or being answered. */
  readonly importBodiesAtOnce: number;
  readonly importWaitMs: number;
  /** An import of JSON up to this size costs as much as any other call, counts as one, and waits for no place. */
  readonly smallImportBytes: number;
  /** Bodies of callers that are not known yet. */
  readonly publicBytes: BytesInFlight;
  /** Bodies of clients, without imports. */
  readonly clientBytes: BytesInFlight;
}

export const REQUEST_LIMITS: RequestLimits = {
  headersMs: 10_000,
  bodyMs: 60_000,
  importBodyMs: 5 * 60_000,
  slowestImport: { afterMs: 10_000, bytesPerSecond: 64 * 1024 },
  answerIdleMs: 30_000,
  answerBytesPerSecond: 64 * 1024,
  streamMs: 15 * 60_000,
  importsAtOnce: 2,
  importBodiesAtOnce: 8,
  importWaitMs: 30_000,
  smallImportBytes: 256 * 1024,
  publicBytes: { total: 64 * MIB, each: 16 * MIB },
  clientBytes: { total: 128 * MIB, each: 32 * MIB },
};

export const requestLimits = (changed: Partial<RequestLimits> = {}): RequestLimits => ({
  ...REQUEST_LIMITS,
  ...changed,
});
