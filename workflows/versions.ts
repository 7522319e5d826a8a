/**
 * Names of `patched()` branches, one constant each, oldest first, with the date from which no open run needs the old
 * branch. A change of a workflow's order of steps needs one here and a saved history in test/replay/histories.
 */
export const VERSIONS = {} as const;
