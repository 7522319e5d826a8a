/**
 * Builds, once for a machine, the programs by which `npm run test:long` checks the files of `deploy/`, before the tests
 * begin: beside them the compilers would take the time that the tests wait for.
 */
import { buildChartChecker } from '../testing/deploy/check-chart.ts';
import { kubernetesSchemas } from '../testing/deploy/kubernetes-schemas.ts';
import { findPromtool } from '../testing/deploy/promtool.ts';

for (const build of [findPromtool, buildChartChecker, kubernetesSchemas]) {
  try {
    await build();
  } catch (error) {
    // The suite that needs it fails with the reason; the others run all the same.
    process.stdout.write(`${build.name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
