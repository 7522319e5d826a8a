import { existsSync } from 'node:fs';

const FOLDERS = ['src', 'activities', 'workflows', 'testing', 'test', 'bench', 'scripts', 'web'];

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // jest refuses a root that does not exist.
  roots: FOLDERS.filter((folder) => existsSync(new URL(folder, import.meta.url))).map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: ['**/*.test.ts'],
  transform: {},
  testRunner: '<rootDir>/testing/native/runner.ts',
  globalSetup: './testing/global-setup.ts',
  globalTeardown: './testing/global-teardown.ts',
  // A test that hangs ends here. What has to be fast asserts it by itself, because a busy machine is several times slower.
  testTimeout: 180_000,
  // One more than the two cores of a small machine: tests wait for PostgreSQL and Temporal for much of their time.
  maxWorkers: 3,
  // ES modules of a finished suite stay in the heap of its process. Without a limit a process reached 4 GB, and needed
  // so long to exit that jest ended it by force.
  workerIdleMemoryLimit: '800MB',
};
