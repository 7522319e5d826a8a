/** What a worker can run: one export a workflow, by the name in `contract.ts`. */

export { heartbeat } from './heartbeat.ts';
export { purgeExpired } from './purge-expired.ts';
export { sendPasswordReset } from './send-password-reset.ts';
