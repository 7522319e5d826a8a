import { type Config, ConfigError, loadConfig, type Role, readEnvironment, type SecretName } from './config/index.ts';
import { prepareDataDir } from './runtime/data-dir.ts';
import { isSecretKept, keptSecret } from './runtime/secrets.ts';

export interface SecretOptions {
  /** What a command works with. */
  readonly secrets?: readonly SecretName[];
  /** Of no use when made anew: what was written with the service's own would not be found with another. */
  readonly neverMade?: readonly SecretName[];
}

/**
 * The configuration of this process; secrets that are not set are made at the first start and kept in DATA_DIR, never in
 * production. A command has no roles and names the secrets that it works with.
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

/** For what needs none, in production either: no secret is asked for, and none is made. */
export const loadWithoutSecrets = (): Config =>
  loadConfig({ ...readEnvironment(), NODE_ENV: 'development' }, { roles: [], keptSecret: () => 'not used' });

/** For people: one line for each problem of the configuration, the message alone for anything else. */
export const explain = (error: unknown): string => {
  if (error instanceof ConfigError)
    return `The configuration is wrong:\n${error.problems.map((one) => `  ${one}`).join('\n')}`;
  return error instanceof Error ? error.message : String(error);
};
