import { type Config, ConfigError, loadConfig, type Role, readEnvironment } from './config/index.ts';
import { prepareDataDir } from './runtime/data-dir.ts';
import { keptSecret } from './runtime/secrets.ts';

/** The configuration of this process; secrets that are not set are made at the first start and kept in DATA_DIR. */
export const loadWithSecrets = (roles: readonly Role[]): Config =>
  loadConfig(readEnvironment(), { roles, keptSecret: (name, dataDir) => keptSecret(prepareDataDir(dataDir), name) });

/** For people: one line for each problem of the configuration, the message alone for anything else. */
export const explain = (error: unknown): string => {
  if (error instanceof ConfigError)
    return `The configuration is wrong:\n${error.problems.map((one) => `  ${one}`).join('\n')}`;
  return error instanceof Error ? error.message : String(error);
};
