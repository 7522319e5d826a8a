import base from './jest.config.js';

/**
 * The tests that need a compiler or minutes: the programs that judge the files of `deploy`, foreign generators, a campaign
 * under faults and a mixed load.
 */
/** @type {import('jest').Config} */
export default { ...base, testMatch: ['**/*.long.ts'] };
