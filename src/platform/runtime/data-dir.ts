import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** Creates the folder for its owner only; the error says in one line why the folder cannot be used. */
export const prepareDataDir = (dataDir: string): string => {
  const folder = resolve(dataDir);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Error(`DATA_DIR ${folder} cannot be written (${code}): choose another folder or change its owner`);
  }
  return folder;
};
