import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findTemporal } from './find-temporal.ts';
import { onFreePort } from './free-port.ts';
import { ownsPort, startTimeOf, stopForeignProcess } from './process-identity.ts';
import { supervise } from './supervisor.ts';
import { hiddenLoopback, openUiDoor } from './temporal-ui.ts';
import { lastLogLines, startWatchedChild, type WatchedChild } from './watched-child.ts';

const ANSWER_WITHIN_MS = 2_000;
const DESCRIBE_NAMESPACE = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

/** Encodes one protobuf field of type string behind gRPC's five-byte frame header. */
const stringMessage = (text: string): Buffer => {
  const value = Buffer.from(text, 'utf8');
  if (value.length > 127) throw new Error('a namespace name has at most 127 bytes');
  const body = Buffer.concat([Buffer.from([0x0a, value.length]), value]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(body.length, 1);
  return Buffer.concat([header, body]);
};

/**
 * Returns whether the server on this machine answers for the namespace. The gRPC request is encoded here because this
 * runs before the SDK's native library is loaded, and because the SDK's client waits for seconds after a refused
 * connection.
 */
export const temporalAnswers = (port: number, namespace: string): Promise<boolean> =>
  new Promise((resolve) => {
    const session = connect(`http://127.0.0.1:${port}`);
    const finish = (answer: boolean) => {
      clearTimeout(timer);
      session.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(false), ANSWER_WITHIN_MS);
    session.on('error', () => finish(false));
    const request = session.request({
      ':method': 'POST',
      ':path': DESCRIBE_NAMESPACE,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    request.on('error', () => finish(false));
    // An error has its gRPC status in the headers, a successful answer in the trailers.
    request.on('response', (headers) => {
      if (headers['grpc-status'] !== undefined && headers['grpc-status'] !== '0') finish(false);
    });
    request.on('trailers', (trailers) => finish(trailers['grpc-status'] === '0'));
    request.on('close', () => finish(false));
    request.resume();
    request.end(stringMessage(namespace));
  });

export { findTemporal };

const START_DEADLINE_MS = 60_000;
const STOP_GRACE_MS = 10_000;
/** The server's internal services choose random free ports, and another program may bind one of them first. */
const ATTEMPTS = 3;

export interface EmbeddedTemporalOptions {
  dataDir: string;
  /** The preferred ports; with 0 any free port is chosen. */
  port: number;
  uiPort: number;
  namespace: string;
  searchAttributes?: Readonly<Record<string, string>>;
  /** With `memory` all data is lost when the server stops; only tests use it. */
  storage?: 'file' | 'memory';
  ui?: boolean;
  /** When it is not given, `findTemporal` finds the program. */
  program?: string;
  log: (line: string) => void;
}

export interface EmbeddedTemporal {
  address: string;
  port: number;
  uiUrl: string | undefined;
  pid(): number | undefined;
  onExit(listener: (reason: string) => void): void;
  stop(): Promise<void>;
}

interface LaunchPlan {
  program: string;
  args: string[];
  pidFile: string;
  logFile: string;
  port: number;
  namespace: string;
  log: (line: string) => void;
}

/**
 * By default the server keeps 128,000 workflows in memory until newer ones take their place: gigabytes after a campaign
 * of 100,000 debts, most of which sleep for days. An older workflow is read from the disk again when it wakes.
 */
const SERVER_CACHES = [
  'history.hostLevelCacheMaxSize=2000',
  `history.eventsHostLevelCacheMaxSizeBytes=${64 * 1024 * 1024}`,
];

/**
 * The server has an HTTP API beside gRPC, which cannot be switched off and asks for no password. A page in a browser could
 * call it without a preflight, to signal or end workflows. Nothing of the product uses it, so it answers no real host.
 */
const NO_HTTP_API = 'frontend.httpAllowedHosts=["none.invalid"]';

interface UiAddress {
  host: string;
  port: number;
}

const serverArguments = (
  options: EmbeddedTemporalOptions,
  dataDir: string,
  port: number,
  ui: UiAddress | undefined,
): string[] => [
  'server',
  'start-dev',
  '--disable-config-file',
  '--disable-config-env',
  '--ip=127.0.0.1',
  `--port=${port}`,
  ...(ui === undefined ? ['--headless'] : [`--ui-ip=${ui.host}`, `--ui-port=${ui.port}`]),
  `--namespace=${options.namespace}`,
  '--log-level=warn',
  '--color=never',
  ...[...SERVER_CACHES, NO_HTTP_API].map((setting) => `--dynamic-config-value=${setting}`),
  ...Object.entries(options.searchAttributes ?? {}).map(([name, type]) => `--search-attribute=${name}=${type}`),
  ...(options.storage === 'memory'
    ? []
    : [
        `--db-filename=${join(dataDir, 'temporal.db')}`,
        // With WAL the data survives SIGKILL, and the server starts three times as many workflows a second as by
        // default.
        '--sqlite-pragma=journal_mode=WAL',
        '--sqlite-pragma=synchronous=NORMAL',
      ]),
];

const isPidRecord = (value: unknown): value is { pid: number; startedAt: string } =>
  typeof value === 'object' && value !== null && 'pid' in value && 'startedAt' in value;

/** Stops a server of an earlier start: a second server on the same file would start and answer without an error. */
const clearLeftovers = async (pidFile: string, log: (line: string) => void): Promise<void> => {
  try {
    const record: unknown = JSON.parse(readFileSync(pidFile, 'utf8'));
    if (isPidRecord(record) && startTimeOf(record.pid) === record.startedAt) {
      log(`Temporal of an earlier start still runs (pid ${record.pid}): stopping it`);
      await stopForeignProcess(record.pid, 'SIGTERM', STOP_GRACE_MS);
    }
  } catch (error) {
    // There is no file, or a crash truncated it before its server had answered.
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  rmSync(pidFile, { force: true });
};

const waitUntilReady = async (child: WatchedChild, { port, namespace }: LaunchPlan): Promise<boolean> => {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    // The server of another instance may have bound the port first, so the answer counts
    // only if our child owns the port.
    if ((await temporalAnswers(port, namespace)) && ownsPort(child.pid, port)) return true;
    await Promise.race([sleep(50), child.exited]);
  }
  return false;
};

const launch = async (plan: LaunchPlan): Promise<WatchedChild> => {
  await clearLeftovers(plan.pidFile, plan.log);
  for (let attempt = 1; ; attempt += 1) {
    const child = startWatchedChild({
      command: plan.program,
      args: plan.args,
      stopSignal: 'SIGTERM',
      logFile: plan.logFile,
    });
    const startedAt = startTimeOf(child.pid);
    if (startedAt !== undefined)
      writeFileSync(plan.pidFile, JSON.stringify({ pid: child.pid, startedAt }), { mode: 0o600 });
    if (await waitUntilReady(child, plan)) return child;
    await child.stop(0);
    if (attempt === ATTEMPTS) throw new Error(`Temporal did not start:\n${lastLogLines(plan.logFile)}`);
  }
};

export const startEmbeddedTemporal = async (options: EmbeddedTemporalOptions): Promise<EmbeddedTemporal> => {
  const { log, namespace } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const program = options.program ?? (await findTemporal({ log }));
  const pidFile = join(dataDir, 'temporal.pid');
  const startOn = async (port: number, ui: UiAddress | undefined): Promise<EmbeddedTemporal> => {
    const args = serverArguments(options, dataDir, port, ui);
    const plan: LaunchPlan = { program, args, pidFile, logFile: join(dataDir, 'temporal.log'), port, namespace, log };
    const server = await supervise({ name: 'Temporal', launch: () => launch(plan), stopGraceMs: STOP_GRACE_MS, log });
    return {
      pid: server.pid,
      onExit: server.onExit,
      stop: async () => {
        await server.stop();
        rmSync(pidFile, { force: true });
      },
      address: `127.0.0.1:${port}`,
      port,
      uiUrl: undefined,
    };
  };
  const startWithUi = async (port: number): Promise<EmbeddedTemporal> => {
    const host = hiddenLoopback();
    let target: UiAddress = { host, port: 0 };
    const server = await onFreePort({ name: 'Temporal UI', preferred: 0, host, avoid: [port], log }, (uiPort) => {
      target = { host, port: uiPort };
      return startOn(port, target);
    });
    try {
      const avoid = [port, target.port];
      return await onFreePort({ name: 'Temporal UI', preferred: options.uiPort, avoid, log }, async (uiPort) => {
        const door = await openUiDoor({ port: uiPort, target });
        const stop = async () => {
          await door.close();
          await server.stop();
        };
        return { ...server, stop, uiUrl: `http://localhost:${uiPort}` };
      });
    } catch (error) {
      await server.stop();
      throw error;
    }
  };
  await clearLeftovers(pidFile, log);
  return onFreePort({ name: 'Temporal', preferred: options.port, log }, (port) =>
    options.ui === false ? startOn(port, undefined) : startWithUi(port),
  );
};
