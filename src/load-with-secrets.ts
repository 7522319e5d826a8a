import { type Config, ConfigError, loadConfig, type Role, readEnvironment, type SecretName } from './config/index.ts';
import { prepareDataDir } from './runtime/data-dir.ts';
import { keptSecret } from './runtime/secrets.ts';

/**
 * The configuration of this process; secrets that are not set are made at the first start and kept in DATA_DIR, never in
 * production. A command has no roles and names the secrets that it works with.
 */
export const loadWithSecrets = (roles: readonly Role[], secrets: readonly SecretName[] = []): Config =>
  loadConfig(readEnvironment(), {
    roles,
    secrets,
    keptSecret: (name, dataDir) => keptSecret(prepareDataDir(dataDir), name),
  });

/** For people: one line for each problem of the configuration, the message alone for anything else. */
export const explain = (error: unknown): string => {
  if (error instanceof ConfigError)
    return `The configuration is wrong:\n${error.problems.map((one) => `  ${one}`).join('\n')}`;
  return error instanceof Error ? error.message : String(error);
};
