/** What `@jest/globals` is for a suite that the runner beside this file loads. */
const { suiteGlobals } = globalThis as unknown as { suiteGlobals: typeof import('@jest/globals') };

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = suiteGlobals;
