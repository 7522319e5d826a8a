import { STATES } from '../../src/kernel/phone.ts';
import { METHOD_NAMES, METHOD_PHRASES } from '../../src/kernel/texts/payment-methods.ts';
import { REASON_NAMES, STATUS_NAMES } from '../../src/modules/debts/texts/names.ts';
import { MAX_SEQUENCE_STEPS } from '../../src/modules/policy/rules/collection-sequence.ts';
import { RULE_SOURCES, RULE_TEXTS } from '../../src/modules/policy/texts/contact-rules.ts';
import { COMPONENT_NAMES } from '../../src/modules/terms/texts/components.ts';

/** The names, and a limit, that the console shares with exports, mails and pages. The console may not import the server's files. */
const NAMES = { COMPONENT_NAMES, METHOD_NAMES, METHOD_PHRASES, REASON_NAMES, RULE_SOURCES, RULE_TEXTS, STATUS_NAMES };

const HEAD = `/**
 * Written by \`scripts/make-web-client.ts\`. A name is changed where the server has it: \`src/modules/debts/texts/names.ts\`,
 * \`src/modules/terms/texts/components.ts\`, \`src/modules/policy/texts/contact-rules.ts\`, \`src/kernel/texts/payment-methods.ts\` and \`src/kernel/phone.ts\`; the limit, in \`src/modules/policy/rules/collection-sequence.ts\`.
 */
`;

const lines = (texts: readonly string[]): string => texts.map((text) => `  ${text},\n`).join('');

/** As the formatter writes it. */
function memberOf(key: string, name: string): string {
  const quoted = /^\w+$/.test(key) ? key : `'${key}'`;
  const line = `${quoted}: '${name}'`;
  return line.length + 3 <= 120 ? line : `${quoted}:\n    '${name}'`;
}

/** Returns the source of a table of names. */
export function tableOf(table: string, names: Readonly<Record<string, string>>): string {
  const members = Object.entries(names).map(([key, name]) => memberOf(key, name));
  return `export const ${table} = {\n${lines(members)}} as const;\n`;
}

/** Returns the source of the console's file of these names. */
export function consoleNames(): string {
  const tables = Object.entries(NAMES).map(([table, names]) => tableOf(table, names));
  const states = `export const STATES = [\n${lines(STATES.map((state) => `'${state}'`))}] as const;\n`;
  const limit = `export const MAX_SEQUENCE_STEPS = ${MAX_SEQUENCE_STEPS};\n`;
  return [HEAD, ...tables, states, limit].join('\n');
}
