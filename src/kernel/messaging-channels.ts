/** The channels that reach real people. `src/platform/config/schema.ts`, which imports nothing, has the same list. */
export const REAL_CHANNELS = ['whatsapp', 'twilio', 'zenvia', 'email'] as const;
export type RealChannel = (typeof REAL_CHANNELS)[number];

export const isRealChannel = (name: string): name is RealChannel => REAL_CHANNELS.some((known) => known === name);
