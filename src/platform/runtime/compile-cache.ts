import module from 'node:module';
import { join } from 'node:path';

/** The folder for temporary files would not do, because other users of the machine can write there. */
export const COMPILE_CACHE = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'quita-compiled');

/** Lets the next process read what this one compiles. A folder that cannot be written only makes the start slower. */
export const keepCompiledCode = (): void => void module.enableCompileCache(COMPILE_CACHE);
