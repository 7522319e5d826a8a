/** What a channel says about a text that it has to approve before it is sent. */
export const TEMPLATE_STATES = ['approved', 'pending', 'rejected', 'paused', 'missing'] as const;
export type TemplateState = (typeof TEMPLATE_STATES)[number];
