import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startDatabase } from '../stack/servers.ts';
import { startTemporalCluster, type TemporalClusterOptions } from './temporal-cluster.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The suites that start workflows. Those that end or restart a Temporal server of their own are not concerned. */
const ENGINE_SUITES = [
  'test/workflows',
  'test/collection',
  'test/payments',
  'test/campaigns',
  'test/clock',
  'test/channels/tour.test.ts',
];

/** Runs the engine's suites, or those of the paths, on the cluster, and returns jest's exit code. */
export async function runSuites(
  folder: string,
  paths: readonly string[],
  say: (line: string) => void,
  options: Omit<TemporalClusterOptions, 'databaseUrl'>,
  signal: AbortSignal,
): Promise<number> {
  const database = await startDatabase(folder, say);
  try {
    const engine = await startTemporalCluster(folder, say, { ...options, databaseUrl: database.url });
    try {
      say(`Temporal ${engine.address}, logs in ${folder}`);
      const args = [
        join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
        ...(paths.length === 0 ? ENGINE_SUITES : paths),
      ];
      const jest = spawn(process.execPath, args, {
        cwd: ROOT,
        env: { ...process.env, TEST_TEMPORAL_ADDRESS: engine.address },
        stdio: 'inherit',
        signal,
      });
      // The signal ends the run with an error.
      const [code] = (await once(jest, 'exit').catch(() => [null])) as [number | null];
      return code ?? 1;
    } finally {
      await engine.stop();
    }
  } finally {
    await database.stop();
  }
}
