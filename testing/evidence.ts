import type { App } from './app.ts';

export interface Line {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly contentHash: string;
  readonly previous: string;
  readonly hash: string;
  readonly salt: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what a line holds is what the tests are about
  readonly content: any;
}

/** The lines of a debt's chain as the database has them, with the hash before each, as a pack writes them. */
export async function linesOf(query: App['query'], debtId: string): Promise<Line[]> {
  const rows = await query<Omit<Line, 'previous' | 'content'> & { content: string | null }>(
    `select seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, kind,
       encode(content_hash, 'hex') as "contentHash", encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, content
     from evidence_lines where debt_id = $1 order by seq`,
    [debtId],
  );
  return rows.map((row, place) => ({
    ...row,
    previous: rows[place - 1]?.hash ?? '',
    content: row.content === null ? null : JSON.parse(row.content),
  }));
}

export const jsonLines = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
