/**
 * The names of `patched()` branches, one constant each, oldest first, with the date from which no open run needs the
 * old branch. Each change of the order of steps needs a name here and a saved history in test/replay/histories. There is
 * none yet: the first release has no version before it.
 */
export const VERSIONS = {} as const;
