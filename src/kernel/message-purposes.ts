/** Why a message is sent to a debtor. */
export const MESSAGE_PURPOSES = [
  'collection',
  'reminder',
  'agreement',
  'reply',
  'receipt',
  'opt_out_confirmation',
] as const;
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number];
