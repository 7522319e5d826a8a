import { INTENTS, type Intent } from '../../../debts/rules/intents.ts';

const PREFIX = 'quita:';

/** A button's payload comes back when the debtor presses it. Without one WhatsApp would send the button's title. */
export const payloadOf = (intent: Intent): string => `${PREFIX}${intent}`;

/** Returns null for a payload that this product has not chosen; the title of the button is then read like a text. */
export const intentOf = (payload: string | null): Intent | null =>
  payload?.startsWith(PREFIX) === true
    ? (INTENTS.find((intent) => intent === payload.slice(PREFIX.length)) ?? null)
    : null;
