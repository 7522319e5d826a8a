import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { isError, redactText, redactValue } from './redact.ts';

export type Logger = pino.Logger;

/** Fields of every line that is written inside `withLogContext`. */
export interface LogContext {
  requestId?: string;
  clientId?: string;
  /** The role of the client's member. */
  role?: string;
  memberId?: string;
}

export interface LoggerOptions {
  readonly level?: string;
  /** Readable lines for people instead of JSON. */
  readonly pretty?: boolean;
  readonly destination?: pino.DestinationStream & NodeJS.WritableStream;
}

const context = new AsyncLocalStorage<LogContext>();

/**
 * Adds the context to the lines of `run` and of everything it awaits; later changes of the object apply to later lines.
 */
export const withLogContext = <T>(fields: LogContext, run: () => T): T => context.run(fields, run);

/** The client of the request that this code works for, when it is known. */
export const currentClient = (): string | undefined => context.getStore()?.clientId;

/** The role of that client's member. */
export const currentRole = (): string | undefined => context.getStore()?.role;

/** The id of that member; undefined for an API key, which belongs to the company. */
export const currentMember = (): string | undefined => context.getStore()?.memberId;

const redactFields = (fields: object): object => redactValue(fields) as object;

/** Redacts every part of a line: an error that is passed alone, the fields, the message and its arguments. */
function redactArguments(given: readonly unknown[]): unknown[] {
  const [first, ...rest] = given;
  const args = isError(first) ? [{ err: first }, ...(rest.length === 0 ? [first.message] : rest)] : given;
  return args.map((arg) => (typeof arg === 'string' ? redactText(arg) : redactValue(arg)));
}

const output = ({ pretty, destination }: LoggerOptions): pino.DestinationStream => {
  if (!pretty) return destination ?? pino.destination({ dest: 1, sync: true });
  return PinoPretty({ colorize: destination === undefined, translateTime: 'SYS:HH:MM:ss', sync: true, destination });
};

export function createLogger(options: LoggerOptions = {}): Logger {
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // `redactArguments` has already turned errors into plain objects, so pino's own serializer must not run.
      serializers: { err: (error: unknown) => error },
      mixin: () => ({ ...context.getStore() }),
      hooks: {
        logMethod(args, method) {
          method.apply(this, redactArguments(args) as typeof args);
        },
      },
    },
    output(options),
  );
  // Pino calls no hook for the bindings of a child logger. Grandchildren inherit this method from their parent.
  const child = logger.child;
  logger.child = function redactedChild(this: Logger, bindings: pino.Bindings, childOptions) {
    return child.call(this, redactFields(bindings), childOptions);
  } as Logger['child'];
  return logger;
}
