import { STATES } from '../../src/kernel/phone.ts';
import { METHOD_NAMES, METHOD_PHRASES } from '../../src/kernel/texts/payment-methods.ts';
import { REASON_NAMES, STATUS_NAMES } from '../../src/modules/debts/texts/names.ts';
import { COMPONENT_NAMES } from '../../src/modules/terms/texts/components.ts';

/** The names that the console shares with exports, mails and pages. The console may not import the server's files. */
const NAMES = { COMPONENT_NAMES, METHOD_NAMES, METHOD_PHRASES, REASON_NAMES, STATUS_NAMES };

const HEAD = `/**
 * Written by \`scripts/make-web-client.ts\`. A name is changed where the server has it: \`src/modules/debts/texts/names.ts\`,
 * \`src/modules/terms/texts/components.ts\`, \`src/kernel/texts/payment-methods.ts\` and \`src/kernel/phone.ts\`.
 */
`;

const lines = (texts: readonly string[]): string => texts.map((text) => `  ${text},\n`).join('');

/** Returns the source of the console's file of these names. */
export function consoleNames(): string {
  const tables = Object.entries(NAMES).map(([table, names]) => {
    const members = Object.entries(names).map(([key, name]) => `${key}: '${name}'`);
    return `export const ${table} = {\n${lines(members)}} as const;\n`;
  });
  const states = `export const STATES = [\n${lines(STATES.map((state) => `'${state}'`))}] as const;\n`;
  return [HEAD, ...tables, states].join('\n');
}
