export { blockPausing, waitForGates } from '../../db/queries/pause-locks.ts';
