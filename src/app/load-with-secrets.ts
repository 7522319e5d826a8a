import {
  type Config,
  ConfigError,
  loadConfig,
  type Role,
  readEnvironment,
  type SecretName,
} from '../platform/config/index.ts';
import { prepareDataDir } from '../platform/runtime/data-dir.ts';
import { isSecretKept, keptSecret } from '../platform/runtime/secrets.ts';

export interface SecretOptions {
  /** The secrets that a command needs. */
  readonly secrets?: readonly SecretName[];
  /**
   * Secrets that a command must not create: data that the service wrote with its own could not be found with a new one.
   */
  readonly neverMade?: readonly SecretName[];
}

/**
 * Loads the configuration of this process. Outside production, secrets that are not set are created at the first start
 * and kept in DATA_DIR. A command has no roles and names the secrets that it needs.
 */
export const loadWithSecrets = (roles: readonly Role[], { secrets = [], neverMade = [] }: SecretOptions = {}): Config =>
  loadConfig(readEnvironment(), {
    roles,
    secrets: [...secrets, ...neverMade],
    keptSecret: (name, dataDir) => {
      const folder = prepareDataDir(dataDir);
      if (neverMade.includes(name) && !isSecretKept(folder, name)) {
        throw new Error(`${name} is not set and not kept in ${folder}: use the one that the service runs with`);
      }
      return keptSecret(folder, name);
    },
  });

/**
 * Describes an error for people: one line for each problem of the configuration, only the message of any other error.
 */
export const explain = (error: unknown): string => {
  if (error instanceof ConfigError)
    return `The configuration is wrong:\n${error.problems.map((one) => `  ${one}`).join('\n')}`;
  return error instanceof Error ? error.message : String(error);
};
