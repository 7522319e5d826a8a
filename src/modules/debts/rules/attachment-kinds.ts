/** What a debtor may send beside text. */
export const ATTACHMENT_KINDS = ['image', 'audio', 'video', 'document', 'location', 'contact', 'other'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/**
 * `waiting`: the channel has not been asked for the content yet. `absent`: there is none, it is too large, or the channel
 * gives it no more.
 */
export const ATTACHMENT_STATES = ['waiting', 'stored', 'absent'] as const;
export type AttachmentState = (typeof ATTACHMENT_STATES)[number];
