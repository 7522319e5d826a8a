import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { purgeExpired } from '../services/purge-expired.ts';
import { sendPasswordReset } from '../services/send-password-reset.ts';
import { composeMailer } from './mailer.ts';

/** What the worker's activities call. */
export const composeWorkerUseCases = (config: Config, db: Database) => ({
  purgeExpired: purgeExpired({ db }),
  sendPasswordReset: sendPasswordReset({ db, mailer: composeMailer(config, db), publicUrl: config.publicUrl }),
});
