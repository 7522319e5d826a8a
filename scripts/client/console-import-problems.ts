import { IMPORT_PROBLEMS } from '../../src/modules/campaigns/texts/reasons.ts';
import { tableOf } from './console-names.ts';

const HEAD = `/**
 * Written by \`scripts/make-web-client.ts\`. A problem is changed where the server has it, which writes it into the file of
 * rejected rows too: \`src/modules/campaigns/texts/reasons.ts\`.
 */
`;

/** Returns the source of the console's words for problems of an import, which its first page does not load. */
export const consoleImportProblems = (): string => HEAD + tableOf('IMPORT_PROBLEMS', IMPORT_PROBLEMS);
