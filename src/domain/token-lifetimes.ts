/**
 * How long the tokens of accounts work. The lifetime of an access token is the setting `ACCESS_TOKEN_TTL`. The scripts of
 * the pages behind the mailed links (`src/http/pages/assets`) name the periods of the links too.
 */
export const REFRESH_TOKEN_DAYS = 30;
export const PASSWORD_RESET_MINUTES = 30;
export const EMAIL_CONFIRMATION_HOURS = 24;
