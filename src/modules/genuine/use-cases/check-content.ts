import { createHash } from 'node:crypto';
import type { TakeFromSharedRate } from '../../../platform/database/rate-limits.ts';
import type { SharedDeps } from '../../deps.ts';
import { ORIGIN_OF_CONTENT } from '../queries/origins.ts';
import { type ContentKind, pixCodeOf, sendersOf } from '../rules/content.ts';
import { type LinkDeps, readLink } from './read-link.ts';

export interface GenuineAnswer {
  readonly genuine: boolean;
  readonly kind: ContentKind | null;
  /** Null also where several creditors send the same, such as from one address. */
  readonly creditor: { readonly name: string; readonly cnpj: string | null } | null;
  /** When a message was sent or a code was made: `2026-11`. */
  readonly month: string | null;
  readonly sandbox: boolean;
}

export interface GenuineDeps extends LinkDeps, Pick<SharedDeps, 'db' | 'textHashes'> {
  /** Throws `rate_limited`. */
  readonly takeFromGenuineRate: TakeFromSharedRate;
  /** The address from which this deployment sends e-mails in the name of its creditors. */
  readonly fromAddress: string | null;
}

interface ContentRequest {
  readonly content: string;
  /** The address of the caller, by which the questions of an hour are counted. */
  readonly rateKey: string;
}

const UNKNOWN: GenuineAnswer = { genuine: false, kind: null, creditor: null, month: null, sandbox: false };

/**
 * Says whether a creditor of this deployment sent what was pasted. Every question does the same work and runs the same
 * statement, whatever was pasted and whatever is found. Texts reach the database as hashes, and nothing is stored.
 */
export const checkContent =
  (deps: GenuineDeps) =>
  async ({ content, rateKey }: ContentRequest): Promise<GenuineAnswer> => {
    await deps.takeFromGenuineRate(rateKey);
    // Half a character is no text, and an encoder would write another one in its place.
    const text = content.isWellFormed() ? content : '';
    const code = pixCodeOf(text);
    const senders = sendersOf(text);
    const [origin] = await deps.db.runUnscoped(ORIGIN_OF_CONTENT, {
      textHashes: deps.textHashes.toFind(text),
      codeMd5: createHash('md5').update(code).digest('hex'),
      codeSha256: createHash('sha256').update(code).digest(),
      ...readLink(deps, text),
      senders,
    });
    if (origin !== undefined) {
      const { kind, name, cnpj, month, sandbox } = origin;
      return { genuine: true, kind, creditor: name === null ? null : { name, cnpj }, month, sandbox };
    }
    const isOwnAddress = deps.fromAddress !== null && senders.includes(deps.fromAddress.toLowerCase());
    return isOwnAddress ? { ...UNKNOWN, genuine: true, kind: 'sender' } : UNKNOWN;
  };
