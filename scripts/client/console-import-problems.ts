import { IMPORT_PROBLEMS } from '../../src/modules/campaigns/texts/reasons.ts';

const HEAD = `/**
 * Written by \`scripts/make-web-client.ts\`. A problem is changed where the server has it, which writes it into the file of
 * rejected rows too: \`src/modules/campaigns/texts/reasons.ts\`.
 */
`;

/** Returns the source of the console's words for problems of an import, which its first page does not load. */
export function consoleImportProblems(): string {
  const rows = Object.entries(IMPORT_PROBLEMS).map(([code, problem]) => `  ${code}: '${problem}',\n`);
  return `${HEAD}export const IMPORT_PROBLEMS = {\n${rows.join('')}} as const;\n`;
}
