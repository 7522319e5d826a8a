import module from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** The folder for temporary files would not do, because other users of the machine can write there. */
export const COMPILE_CACHE = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'quita-compiled');

/**
 * Node 24 brought these two compilers, which work on threads of their own. One that waits there for a garbage collection
 * while `process.exit` waits for its thread lets the process hang for ever: a supervisor takes it for running and starts
 * no other one. See decision 0092.
 */
const COMPILERS_THAT_STOP_EXITS = ['--no-maglev', '--no-concurrent-sparkplug'];

/** Every process of the product calls this before it loads anything else. */
export function configureCompilers(): void {
  for (const flag of COMPILERS_THAT_STOP_EXITS) setFlagsFromString(flag);
  // The next process reads what this one compiles. A folder that cannot be written only makes the start slower.
  module.enableCompileCache(COMPILE_CACHE);
}
