import type { RealChannel } from '../../kernel/messaging-channels.ts';

/** The names of the channels as operators read them. */
export const CHANNEL_TITLES: Readonly<Record<RealChannel, string>> = {
  whatsapp: 'WhatsApp',
  twilio: 'Twilio',
  zenvia: 'Zenvia',
  email: 'e-mail',
};
