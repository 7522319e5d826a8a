import type { ChannelCapabilities } from '../../ports/messaging-channel.ts';

/** What every provider of SMS can do. */
export const SMS_CAPABILITIES: ChannelCapabilities = {
  policyChannel: 'sms',
  freeTextWindowMs: null,
  templates: false,
  documents: false,
  pixCodes: false,
  deliveryStates: true,
  texts: 'short',
  reaches: 'phone',
  pace: null,
};
