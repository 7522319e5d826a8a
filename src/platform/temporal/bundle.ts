import { access, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { sdkLogger } from './sdk-runtime.ts';

const SOURCES = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
export const BUILT_BUNDLE = fileURLToPath(new URL('../../../build/workflow-bundle.js', import.meta.url));

export const bundleWorkflows = (logger: Logger, sources = SOURCES): Promise<{ code: string }> =>
  bundleWorkflowCode({ workflowsPath: sources, logger: sdkLogger(logger) });

/** The file is renamed when it is complete, because a worker may start and read it at the same time. */
export async function writeWorkflowBundle(logger: Logger, file = BUILT_BUNDLE): Promise<void> {
  const { code } = await bundleWorkflows(logger);
  await mkdir(dirname(file), { recursive: true });
  const temporaryFile = `${file}.${process.pid}`;
  await writeFile(temporaryFile, code);
  await rename(temporaryFile, file);
}

// Workflows use the kernel and the rules of modules.
const SOURCE_FOLDERS = ['workflows', 'src/kernel', 'src/modules'].map((folder) =>
  fileURLToPath(new URL(`../../../${folder}`, import.meta.url)),
);

/** Tells whether the built bundle is newer than all sources; building it again would only cost seconds. */
async function isBuiltFromSources(file: string): Promise<boolean> {
  try {
    const built = (await stat(file)).mtimeMs;
    for (const folder of SOURCE_FOLDERS) {
      for (const name of await readdir(folder, { recursive: true })) {
        if (folder.endsWith('modules') && !name.includes(`${sep}rules${sep}`)) continue;
        if ((await stat(join(folder, name))).mtimeMs > built) return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}

/** Builds the file when it is missing or older than its sources, so that several workers need not bundle each. */
export async function refreshWorkflowBundle(logger: Logger): Promise<void> {
  if (!(await isBuiltFromSources(BUILT_BUNDLE))) await writeWorkflowBundle(logger);
}

/** Production uses the bundle that was built and tested beforehand; development bundles the current sources. */
export async function findWorkflowBundle(options: {
  readonly production: boolean;
  readonly logger: Logger;
  readonly file?: string;
}): Promise<WorkflowBundleOption> {
  const { production, logger, file = BUILT_BUNDLE } = options;
  if (!production) return (await isBuiltFromSources(file)) ? { codePath: file } : bundleWorkflows(logger);
  try {
    await access(file);
  } catch (cause) {
    throw new Error('build/workflow-bundle.js is missing: run `node scripts/bundle-workflows.ts` before the worker', {
      cause,
    });
  }
  return { codePath: file };
}
