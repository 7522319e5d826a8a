/**
 * How long the tokens of accounts work. The lifetime of an access token is the setting `ACCESS_TOKEN_TTL`. The scripts of
 * the pages behind the mailed links (`src/platform/http/pages/assets`) name the periods of the links too.
 */
export const REFRESH_TOKEN_DAYS = 30;
export const PASSWORD_RESET_MINUTES = 30;
export const EMAIL_CONFIRMATION_HOURS = 24;
export const EMAIL_CHANGE_HOURS = 24;
export const INVITATION_DAYS = 7;

const HOUR = 3_600;
const DAY = 24 * HOUR;

export interface ConsoleLifetime {
  /** The session expires this long after its last use. */
  readonly idleSeconds: number;
  /** The session expires this long after the login, however much it is used. */
  readonly longestSeconds: number;
}

/** The theft of a cookie that does not rotate shows in no second use, so the session of the console has limits of its own. */
export const consoleLifetime = (remember: boolean): ConsoleLifetime =>
  remember ? { idleSeconds: 7 * DAY, longestSeconds: 30 * DAY } : { idleSeconds: 12 * HOUR, longestSeconds: 24 * HOUR };
