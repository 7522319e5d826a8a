/** Writes build/workflow-bundle.js, which workers run in production. */
import { pino } from 'pino';
import { BUILT_BUNDLE, writeWorkflowBundle } from '../src/temporal/bundle.ts';

const logger = pino({ level: 'warn' });
await writeWorkflowBundle(logger);
process.stdout.write(`Workflow bundle written to ${BUILT_BUNDLE}\n`);
