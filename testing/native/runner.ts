import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Runs a suite as jest does, but in the process itself and not in a context of `vm`. The modules of the product and of
 * its packages are loaded once for all suites of a process, by node as in production; they hold no state that a suite
 * could leave behind. A suite and what stands in `test` and `testing` is loaded anew for each suite.
 */

/** A test runner of jest. The packages publish no type of it. */
type Runner = (
  globalConfig: object,
  config: object,
  environment: object,
  runtime: object,
  path: string,
  send: unknown,
) => Promise<unknown>;

const ROOT = new URL('../../', import.meta.url).href;
const GLOBALS = new URL('globals.ts', import.meta.url).href;
const OF_ONE_SUITE = [`${ROOT}test/`, `${ROOT}testing/`];
const require = createRequire(import.meta.url);

const { default: runSuite } = require('jest-circus/runner') as { default: Runner };
let suites = 0;

registerHooks({
  resolve(specifier, context, next) {
    const suite = context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get('suite');
    if (suite === null) return next(specifier, context);
    if (specifier === '@jest/globals') return { url: `${GLOBALS}?suite=${suite}`, shortCircuit: true };
    const resolved = next(specifier, context);
    return OF_ONE_SUITE.some((folder) => resolved.url.startsWith(folder))
      ? { ...resolved, url: `${resolved.url}?suite=${suite}` }
      : resolved;
  },
});

/** jest-circus keeps its tests and handlers in its module and on the global object. */
function requireAnew(file: string): unknown {
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  delete require.cache[require.resolve(file)];
  return require(file);
}

const run: Runner = (globalConfig, config, environment, _runtime, path, send) => {
  suites += 1;
  // jest maps each stack to the sources. Types are stripped in place, so that stacks are right as they are, and a browser's
  // library, which takes a stack at each call, needed a tenth of its suites' time for it.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  const natively = {
    requireInternalModule: requireAnew,
    requireModule: require,
    setGlobalsForRuntime: (globals: object) => Object.assign(globalThis, { suiteGlobals: globals }),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (file: string) => import(`${pathToFileURL(file)}?suite=${suites}`),
    enterTestCode: () => {},
    leaveTestCode: () => {},
  };
  return runSuite(globalConfig, config, environment, natively, path, send);
};

export default run;
