/** What a person does between reading a message and having paid. */
export type StepToPay = 'open_page' | 'copy_code' | 'pay_in_bank';

interface ReadMessage {
  readonly text: string;
  /** The Pix code that came with the message. */
  readonly pixCode: string | null;
}

/**
 * Returns the steps from a message to the payment; null for a message by which nothing can be paid. `pages` are the
 * beginnings of the addresses of pages that show a code.
 */
export function stepsToPay({ text, pixCode }: ReadMessage, pages: readonly string[]): readonly StepToPay[] | null {
  if (pixCode !== null) return ['copy_code', 'pay_in_bank'];
  return pages.some((page) => text.includes(page)) ? ['open_page', 'copy_code', 'pay_in_bank'] : null;
}
