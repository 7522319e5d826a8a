import type { TemplateState } from '../../rules/template-states.ts';

/** The states of a template as the management API and the webhook write them. */
const STATES: ReadonlyMap<string, TemplateState> = new Map([
  ['APPROVED', 'approved'],
  ['REINSTATED', 'approved'],
  // People complain about it, and it can still be sent.
  ['FLAGGED', 'approved'],
  ['PENDING', 'pending'],
  ['IN_APPEAL', 'pending'],
  // It has its earlier state again, and only a question to WhatsApp tells which one.
  ['UNARCHIVED', 'pending'],
  ['REJECTED', 'rejected'],
  ['LIMIT_EXCEEDED', 'rejected'],
  // It was paused too often and can never be sent again.
  ['DISABLED', 'rejected'],
  ['PAUSED', 'paused'],
  // Nobody used it for long; an operator can restore it.
  ['ARCHIVED', 'paused'],
  ['DELETED', 'missing'],
  ['PENDING_DELETION', 'missing'],
]);

/** WhatsApp sends `LOCKED` for several events, and the title names which. */
const LOCKED_TITLES: ReadonlyMap<string, TemplateState> = new Map([
  ['FIRST_PAUSE', 'paused'],
  ['SECOND_PAUSE', 'paused'],
  ['RATE_LIMITING_PAUSE', 'paused'],
  ['UNPAUSE', 'approved'],
  ['DISABLED', 'rejected'],
]);

export const templateState = (status: string): TemplateState | undefined => STATES.get(status);

export const stateOfEvent = (event: string, title: string | null): TemplateState | undefined =>
  event === 'LOCKED' || event === 'UNLOCKED' ? LOCKED_TITLES.get(title ?? '') : templateState(event);

/** Returns null for a category that the service does not know: WhatsApp may add some, and none of them is advertising. */
export function isMarketing(category: string | null): boolean | null {
  if (category === 'MARKETING') return true;
  return category === 'UTILITY' || category === 'AUTHENTICATION' ? false : null;
}

const MAX_REASON_LENGTH = 300;
const SELF_EXPLAINING = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DELETED', 'PENDING_DELETION'];

/** Says why, in WhatsApp's words: a status that the port does not name, the reason, and the explanation. */
export function reasonOf(status: string, reason: string | null, explanation: string | null): string | null {
  const words = [
    ...(SELF_EXPLAINING.includes(status) ? [] : [status]),
    ...(reason === null || reason === 'NONE' ? [] : [reason]),
    ...(explanation === null ? [] : [explanation]),
  ];
  return words.length === 0 ? null : words.join(': ').slice(0, MAX_REASON_LENGTH);
}

export const isOurLanguage = (code: string): boolean => code.replace('-', '_') === 'pt_BR';
