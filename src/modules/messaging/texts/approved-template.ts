/** How a text becomes a template that a channel approves before it is sent. */
import type { MessageValues } from './values.ts';

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** The only place that builds the name of a template: lower case, digits and underscores, as WhatsApp asks. */
export const templateName = (parts: readonly string[], version: number): string =>
  `quita_${parts.join('_')}_v${version}`;

/**
 * Numbers the placeholders of a body. Each occurrence has a number of its own, because no channel documents that one
 * number may stand twice.
 */
export const numberedBody = (body: string): string => {
  let count = 0;
  return body.replace(PLACEHOLDER, () => {
    count += 1;
    return `{{${count}}}`;
  });
};

/** The values of a numbered body, in order. */
export const parametersOf = (body: string, values: MessageValues): string[] =>
  [...body.matchAll(PLACEHOLDER)].map(([, name]) => {
    const value = values[name!];
    if (value === undefined) throw new Error(`The template names ${name}, which has no value`);
    return value;
  });
