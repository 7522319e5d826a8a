import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { bundleWorkflows } from '../../../src/platform/temporal/bundle.ts';
import type { WorkerLimits } from '../../../src/platform/temporal/worker.ts';

export const LIMITS: WorkerLimits = {
  maxConcurrentActivities: 10,
  maxConcurrentAnswers: 10,
  maxConcurrentWorkflowTasks: 10,
  maxCachedWorkflows: 100,
  shutdownGraceMs: 10_000,
};

export const fixtureBundle = (logger: Logger) =>
  bundleWorkflows(logger, fileURLToPath(new URL('../fixtures/index.ts', import.meta.url)));
