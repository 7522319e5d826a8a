export class SessionEnded extends Error {}

/** The service could not renew the session now; the session may still be open. */
export class SessionUnavailable extends Error {}
