/** How deep lists and objects of a JSON body may stand inside one another. */
export const MAX_JSON_DEPTH = 32;
