/** The greatest depth to which lists and objects of a JSON body may be nested. */
export const MAX_JSON_DEPTH = 32;
