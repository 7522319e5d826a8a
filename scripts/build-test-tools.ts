/**
 * Builds, once for a machine, the programs by which the tests check the files of `deploy/`, before the tests begin: beside
 * them the compilers would take the time that the tests wait for.
 */
import { buildChartChecker } from '../test/deploy/check-chart.ts';
import { kubernetesSchemas } from '../test/deploy/kubernetes-schemas.ts';
import { findPromtool } from '../test/support/promtool.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await findPromtool();
try {
  await buildChartChecker();
  await kubernetesSchemas();
} catch (error) {
  // The suite that needs it fails with the reason; the others run all the same.
  say(`The checker of the chart could not be built: ${error instanceof Error ? error.message : String(error)}`);
}
