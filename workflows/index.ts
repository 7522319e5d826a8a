/** What a worker can run: one export a workflow, by the name in `contract.ts`. */
export { heartbeat } from './heartbeat.ts';
