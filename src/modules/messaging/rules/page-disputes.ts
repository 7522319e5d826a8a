import type { Intent } from '../../debts/rules/intents.ts';

/** The message that the button of a page stores when it is about the debt with which it is stored. */
export const DISPUTE_OF_ONE = 'Não reconheço esta dívida.';
/** The message of a button that is about every debt of the person. What the person writes beside it follows. */
export const DISPUTE_OF_ALL = 'Não reconheço nenhuma dívida.';

/** Whether buttons of pages dispute the debt of the turn alone, or all debts of the person. */
export type PageDispute = 'one' | 'all';

interface Pressed {
  readonly channel: string;
  readonly button: Intent | null;
  readonly text: string;
}

/** Returns what the buttons of pages dispute in a turn; null when none of them was pressed. */
export function pageDisputeIn(messages: readonly Pressed[]): PageDispute | null {
  const pressed = messages.filter(({ channel, button }) => channel === 'page' && button === 'dispute');
  if (pressed.length === 0) return null;
  return pressed.some(({ text }) => text.startsWith(DISPUTE_OF_ALL)) ? 'all' : 'one';
}
