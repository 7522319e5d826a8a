import base from './jest.config.js';

/**
 * The tests that need a compiler or minutes: the programs that judge the files of `deploy`, foreign generators, a campaign
 * under faults, a mixed load, a benchmark, a hundred thousand offers, and whole services that are killed, restored or
 * divided into processes.
 */
/** @type {import('jest').Config} */
export default { ...base, testMatch: ['**/*.long.ts'] };
