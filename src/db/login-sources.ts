import { createHash } from 'node:crypto';

/** How long the failures of strangers do not lock out whoever has logged in. */
export const SOURCE_DAYS = 30;
/** Of one e-mail; the ones that were used least lately are forgotten. */
const SOURCES_KEPT = 50;

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** By the key that rates count by: the address, or its /64. */
export const addressSource = (rateKey: string): string => hash(`address:${rateKey}`);
export const deviceSource = (token: string): string => hash(`device:${token}`);

/** Of a right password, in its transaction: the hashes of all that the login came from. */
export const REMEMBER_SOURCES = `
  with seen as (
    insert into login_sources (email_hash, source_hash, last_login_at)
    select $1, source, clock_timestamp() from unnest($2::text[]) as source
    on conflict (email_hash, source_hash) do update set last_login_at = excluded.last_login_at
  )
  delete from login_sources where email_hash = $1 and source_hash <> all ($2::text[]) and source_hash in (
    select source_hash from login_sources where email_hash = $1
    order by last_login_at desc offset ${SOURCES_KEPT})`;

/** Where somebody else may have logged in, nothing that they used stays known. */
export const FORGET_SOURCES = 'delete from login_sources where email_hash = $1';
