/** Runs a worker for the bare workflows with the settings of the product's worker. It ends with its input. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { readTemporalConfig } from '../../src/platform/config/temporal-config.ts';
import { createLogger } from '../../src/platform/runtime/logger.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { installSdkRuntime } from '../../src/platform/temporal/sdk-runtime.ts';

const { worker: limits } = readTemporalConfig();
const logger = createLogger({ level: 'error', destination: process.stderr });
await installSdkRuntime(logger);
const connection = await NativeConnection.connect({ address: process.env['BENCH_TEMPORAL_ADDRESS'] ?? '' });
const worker = await Worker.create({
  connection,
  taskQueue: 'bare',
  workflowBundle: await bundleWorkflows(logger, fileURLToPath(new URL('./bare-workflows.ts', import.meta.url))),
  activities: { doNothing: async () => undefined },
  maxConcurrentActivityTaskExecutions: limits.maxConcurrentActivities,
  maxConcurrentWorkflowTaskExecutions: limits.maxConcurrentWorkflowTasks,
  maxCachedWorkflows: limits.maxCachedWorkflows,
});
const running = worker.run();
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
process.stdin.resume().once('end', () => worker.shutdown());
await running;
process.exit(0);
