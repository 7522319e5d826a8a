/** Writes build/workflow-bundle.js, which workers run in production; `--check` only tests that it can be built. */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { bundleWorkflows, writeWorkflowBundle } from '../src/platform/temporal/bundle.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const logger = pino({ level: 'warn' });

if (values.check) {
  await bundleWorkflows(logger);
  process.stdout.write('The workflows can be bundled\n');
} else {
  await writeWorkflowBundle(logger);
  process.stdout.write('Workflow bundle written to build/workflow-bundle.js\n');
}
