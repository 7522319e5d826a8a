/** What a debtor may send beside text. */
export const ATTACHMENT_KINDS = ['image', 'audio', 'video', 'document', 'location', 'contact', 'other'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];
