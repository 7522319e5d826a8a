/** To whom a test message goes. */
export interface TestRecipient {
  /** E.164; null for a channel that reaches mailboxes. */
  readonly phone: string | null;
  readonly email: string | null;
}
