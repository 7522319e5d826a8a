/** What an answer of a passkey is asked for. One that was made for another purpose is refused. */
export const PASSKEY_PURPOSES = ['register', 'login', 'second_factor', 'step_up'] as const;
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number];

export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME_LENGTH = 60;
/** So long the browser may take to answer. */
export const PASSKEY_MINUTES = 5;

/** How a browser reaches a passkey, by the names of the standard. Others that a browser tells are not stored. */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export const knownTransports = (told: readonly string[] = []): Transport[] =>
  TRANSPORTS.filter((transport) => told.includes(transport));
