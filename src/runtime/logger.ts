import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { isError, redactText, redactValue } from './redact.ts';

export type Logger = pino.Logger;

/** What every line says that is written inside `withLogContext`. */
export interface LogContext {
  requestId?: string;
  clientId?: string;
}

export interface LoggerOptions {
  readonly level?: string;
  /** Readable lines for people instead of JSON. */
  readonly pretty?: boolean;
  readonly destination?: pino.DestinationStream & NodeJS.WritableStream;
}

const context = new AsyncLocalStorage<LogContext>();

/** Lines of `run`, and of all it awaits, carry the context; members set on it later count from then on. */
export const withLogContext = <T>(fields: LogContext, run: () => T): T => context.run(fields, run);

const redactFields = (fields: object): object => redactValue(fields) as object;

/** Everything a line is made of passes here: an error handed over alone, the fields, the message, its arguments. */
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
      // Errors are plain objects by then; pino's own serializer would take them apart once more.
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
  // Bindings of a child pass no hook; grandchildren inherit this method from their parent.
  const child = logger.child;
  logger.child = function redactedChild(this: Logger, bindings: pino.Bindings, childOptions) {
    return child.call(this, redactFields(bindings), childOptions);
  } as Logger['child'];
  return logger;
}
