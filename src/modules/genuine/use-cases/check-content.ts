import { createHash } from 'node:crypto';
import { DOCUMENT_NAMES, kindOfProtocol } from '../../../kernel/protocol.ts';
import type { TakeFromSharedRate } from '../../../platform/database/rate-limits.ts';
import { pageOfCode } from '../../debts/use-cases/page-code.ts';
import type { SharedDeps } from '../../deps.ts';
import { ORIGIN_OF_CONTENT } from '../queries/origins.ts';
import { type ContentKind, pixCodeOf, sendersOf } from '../rules/content.ts';

/** What a link of this deployment leads to. Whether it exists is for the database to say. */
interface LinkTarget {
  readonly debtId: string | null;
  readonly pageId: string | null;
  /** The protocol of a receipt or of an annual quittance. */
  readonly receipt: string | null;
  readonly agreement: string | null;
}

interface LinkDeps extends Pick<SharedDeps, 'publicUrl' | 'receiptLinks'> {
  /** Whether the link by which a debtor ends the e-mails is signed; null where no e-mails are sent. */
  readonly isUnsubscribeSigned:
    | ((link: { readonly messageId: string; readonly debtId: string }, signature: string) => boolean)
    | null;
}

const NOWHERE: LinkTarget = { debtId: null, pageId: null, receipt: null, agreement: null };

/** What a browser may show behind the address of a page: the notice of a button, or the whole rest of an agreement. */
const PAGE =
  /^\/(checkout|pay|direitos)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?(?:\?(?:aviso=[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|quitar=tudo))?$/i;
/** The pages below that of a debt or of a person: the offers, and what asks before one is accepted or a button pressed. */
const BELOW_PAGE =
  /^\/(checkout|pay)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?:offers\/?(?:\?aviso=[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?|(?:offers\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/accept|dispute|opt-out)\/?)$/i;
/**
 * The page of rights as a browser shows it after the digits, with the proof of them, the links to the copy there, and the
 * addresses of the two forms that are answered by a page.
 */
const OPEN_RIGHTS =
  /^\/direitos\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/(?:abrir|nao-e-meu)|\?v=[0-9a-z]{6,8}\.[\w-]{43}(?:&(?:pedido=PD-\d{4}-[0-9A-Z]{11}|erro=[a-z_]{1,20}|format=(?:json|pdf)))?)$/;
const SHORT = /^\/p\/([\w-]{23})\/?$/;
const DOCUMENT =
  /^\/(verify|api\/(?:receipts|agreements|annual-quittances)\/download)\/([A-Z]{2}-\d{4}-[0-9A-Z]{11})\/?\?sig=([\w-]{43})$/;
const END =
  /^\/api\/messaging\/email-unsubscribe\?message=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})&debt=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})&sig=([\w-]{43})$/;

/**
 * Reads what was pasted as a link of this deployment, and of no other host. The text is compared character by character:
 * a parser of addresses would take the look-alikes of a host for the host. Upper case counts in the host alone, and a
 * scheme or a slash at the end may be missing.
 */
function readLink({ publicUrl, receiptLinks, isUnsubscribeSigned }: LinkDeps, content: string): LinkTarget {
  const path = pathOf(publicUrl, content.replace(/\s+/gu, ''));
  if (path === null) return NOWHERE;

  const page = PAGE.exec(path) ?? BELOW_PAGE.exec(path);
  if (page !== null) return ofPage(page[1]?.toLowerCase() === 'checkout' ? 'debt' : 'person', page[2]!.toLowerCase());

  const rights = OPEN_RIGHTS.exec(path);
  if (rights !== null) return ofPage('rights', rights[1]!);

  const short = SHORT.exec(path);
  const coded = short === null ? null : pageOfCode(short[1]!);
  if (coded !== null) return ofPage(coded.kind, coded.id);

  const document = DOCUMENT.exec(path);
  if (document !== null) {
    const [, place = '', protocol = '', signature = ''] = document;
    const kind = kindOfProtocol(protocol);
    if (kind === null || kind === 'PD') return NOWHERE;
    const isPlace = place === 'verify' || place === `api/${DOCUMENT_NAMES[kind]}s/download`;
    if (!isPlace || !receiptLinks.isSigned(kind, protocol, signature)) return NOWHERE;
    return kind === 'AC' ? { ...NOWHERE, agreement: protocol } : { ...NOWHERE, receipt: protocol };
  }

  const end = END.exec(path);
  if (end !== null) {
    const [, messageId = '', debtId = '', signature = ''] = end;
    return isUnsubscribeSigned?.({ messageId, debtId }, signature) === true ? ofPage('debt', debtId) : NOWHERE;
  }
  return NOWHERE;
}

const ofPage = (kind: 'debt' | 'person' | 'rights', id: string): LinkTarget =>
  kind === 'debt' ? { ...NOWHERE, debtId: id } : { ...NOWHERE, pageId: id };

/** Returns what stands behind the address of this deployment; null for any other text. */
function pathOf(publicUrl: string, text: string): string | null {
  const own = publicUrl.replace(/^https?:\/\//, '');
  const rest = text.replace(/^https?:\/\//i, '');
  // Only ASCII has letters whose case counts for nothing here: `K` is no `k`.
  const begins = rest.slice(0, own.length).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return begins === own.toLowerCase() && rest.charAt(own.length) === '/' ? rest.slice(own.length) : null;
}

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
