import type { MailFacts } from '../mail-facts.ts';

/** Sent to the thread, which receives the next mail only after its answer. */
export interface ReadRequest {
  readonly raw: Uint8Array;
}

/** `null` when the mail exceeds a limit or cannot be read. */
export interface ReadAnswer {
  readonly facts: MailFacts | null;
}
