import { sql } from 'kysely';
import { prepared } from '../../../platform/database/queries/builder.ts';
import type { ContentKind } from '../rules/content.ts';

export interface ContentKeys {
  readonly textHashes: readonly Buffer[];
  readonly codeMd5: string;
  readonly codeSha256: Buffer;
  readonly debtId: string | null;
  readonly pageId: string | null;
  readonly receipt: string | null;
  readonly agreement: string | null;
  readonly senders: readonly string[];
}

/** The columns of the routine `origin_of_content`. */
interface Origin {
  readonly kind: ContentKind;
  readonly name: string | null;
  readonly cnpj: string | null;
  readonly month: string | null;
  readonly sandbox: boolean;
}

/** Asks where something comes from that was pasted. Every question is this one statement. */
export const ORIGIN_OF_CONTENT = prepared('origin_of_content', (queries, keys: ContentKeys) =>
  queries
    .selectFrom(
      sql<Origin>`origin_of_content(${keys.textHashes}::bytea[], ${keys.codeMd5}::text, ${keys.codeSha256}::bytea,
        ${keys.debtId}::uuid, ${keys.pageId}::uuid, ${keys.receipt}::text, ${keys.agreement}::text,
        ${keys.senders}::text[])`.as('origin'),
    )
    .selectAll(),
);
