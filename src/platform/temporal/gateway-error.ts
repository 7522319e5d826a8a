const GRPC_NAMES: Readonly<Record<number, string>> = {
  1: 'CANCELLED',
  2: 'UNKNOWN',
  3: 'INVALID_ARGUMENT',
  4: 'DEADLINE_EXCEEDED',
  5: 'NOT_FOUND',
  6: 'ALREADY_EXISTS',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  9: 'FAILED_PRECONDITION',
  12: 'UNIMPLEMENTED',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
};

/** A failed call to Temporal. `permanent` means that the same call fails again until its cause is removed. */
export class GatewayError extends Error {
  readonly code: string;
  readonly permanent: boolean;

  constructor(code: string, options: { permanent?: boolean; detail?: string; cause?: unknown } = {}) {
    super(options.detail === undefined ? code : `${code}: ${options.detail}`, { cause: options.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.permanent = options.permanent ?? false;
  }
}

interface GrpcFailure {
  readonly code: number;
  readonly details: string;
}

const isGrpcFailure = (error: unknown): error is GrpcFailure =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error;

/** Depending on the call, the SDK returns the gRPC error itself or wraps it once. */
export function grpcFailure(error: unknown): GrpcFailure | undefined {
  if (isGrpcFailure(error)) return error;
  return error instanceof Error && isGrpcFailure(error.cause) ? error.cause : undefined;
}

export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const failure = grpcFailure(error);
  if (failure !== undefined) {
    const code = GRPC_NAMES[failure.code] ?? `GRPC_${failure.code}`;
    // The server's text may be kept because it can only repeat what it received, which is ids.
    return new GatewayError(code, {
      permanent: code === 'INVALID_ARGUMENT',
      detail: failure.details.slice(0, 200),
      cause: error,
    });
  }
  // The call did not reach the server: a TypeError or RangeError means that the command itself is wrong.
  return new GatewayError(error instanceof Error ? error.name : 'UnknownError', {
    permanent: error instanceof TypeError || error instanceof RangeError,
    cause: error,
  });
}
