import PostalMime, { type Attachment, type Email } from 'postal-mime';
import type { AttachmentKind } from '../../../debts/rules/attachment-kinds.ts';
import { isFromServer } from './bounce-in-words.ts';
import { textOfHtml } from './html-text.ts';
import type { MailAttachment, MailFacts } from './mail-facts.ts';
import { ownWords } from './own-words.ts';
import { contentOf, reportOf } from './report.ts';

/** What is read of one mail. The parts behind a long attachment are read too, because the attachment is shortened. */
const MAX_BYTES = 1_000_000;
/** The parser takes time for each line: 20,000 of them took it a quarter of a second. */
const MAX_LINES = 20_000;
/** About 57 kB of an attachment, or of a text in base64. */
const MAX_ENCODED_LINES = 1_000;

const LINE_FEED = 0x0a;
const SHORTEST_ENCODED_LINE = 60;

/**
 * Leaves out the rest of long attachments, and then what exceeds the bounds. A debtor's words may stand behind a picture
 * of several megabytes, while of the picture only its existence is reported.
 */
export function shortenMail(raw: Uint8Array): Uint8Array {
  const kept = new Uint8Array(Math.min(raw.length, MAX_BYTES));
  let length = 0;
  let encoded = 0;
  let start = 0;
  for (let lines = 0; start < raw.length && lines < MAX_LINES; ) {
    const feed = raw.indexOf(LINE_FEED, start);
    const end = feed === -1 ? raw.length : feed + 1;
    encoded = isEncoded(raw, start, end) ? encoded + 1 : 0;
    if (encoded <= MAX_ENCODED_LINES) {
      const line = raw.subarray(start, Math.min(end, start + MAX_BYTES - length));
      kept.set(line, length);
      length += line.length;
      lines += 1;
      if (length === MAX_BYTES) break;
    }
    start = end;
  }
  return kept.subarray(0, length);
}

/** A long line of base64 has neither a space nor another character outside its alphabet. */
function isEncoded(raw: Uint8Array, start: number, end: number): boolean {
  if (end - start < SHORTEST_ENCODED_LINE) return false;
  for (let at = start; at < end; at += 1) if (!ENCODED[raw[at]!]) return false;
  return true;
}

const ENCODED: readonly boolean[] = Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/=\r\n]/.test(String.fromCharCode(code)),
);

const LIMITS = {
  maxNestingDepth: 20,
  maxHeadersSize: 256 * 1024,
  // A forwarded mail is an attachment: its words are not the sender's.
  maxRfc822NestingDepth: 0,
} as const;
const MAX_HTML = 200_000;
const MAX_ATTACHMENTS = 10;
const MAX_FILENAME = 200;
/** Where a server returns our mail as part of its own text, or describes it there. */
const MAX_RETURNED = 16_000;

/** Where servers write for whom a mail was, and what mail programs copy from the mail that is answered. */
const RECIPIENTS = ['x-original-to', 'delivered-to', 'envelope-to', 'x-envelope-to', 'x-forwarded-to', 'to', 'cc'];
const ANSWERED = ['in-reply-to', 'references'];

/** Reads a mail in RFC 5322. Throws when it exceeds a limit of its structure. */
export async function readMail(raw: Uint8Array): Promise<MailFacts> {
  const email = await PostalMime.parse(shortenMail(raw), LIMITS);
  const type = headers(email, 'content-type')[0]?.toLowerCase() ?? '';
  const text = email.text ?? '';
  const report = reportOf(email, type, text);
  return {
    from: email.from?.address ?? null,
    messageId: email.messageId?.trim() ?? null,
    addressed: headers(email, ...RECIPIENTS, ...ANSWERED).join('\n'),
    returned: report === null ? '' : returnedHeaders(email) || text.slice(0, MAX_RETURNED),
    automatic: isAutomatic(email),
    report,
    words: report === null ? wordsOf(email, text) : '',
    attachments: report === null ? attachmentsOf(email) : [],
  };
}

function headers(email: Email, ...names: readonly string[]): string[] {
  return names.flatMap((name) => email.headers.filter(({ key }) => key === name).map(({ value }) => value));
}

/** The headers end at the first empty line. */
function returnedHeaders(email: Email): string {
  const returned = contentOf(
    email,
    'message/rfc822',
    'text/rfc822-headers',
    'message/rfc822-headers',
    'message/global',
    'message/global-headers',
  );
  return returned.replaceAll('\r', '').split('\n\n', 1)[0]!;
}

const AUTOMATIC_HEADERS = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'list-id'];
const AUTOMATIC_PRECEDENCE = ['bulk', 'junk', 'list', 'auto_reply'];
const AUTOMATIC_SUBJECT =
  /^(?:resposta autom[aá]tica|automatic reply|auto[- ]?reply|out of office|fora do escrit[oó]rio)\b/i;

/** RFC 3834, and what programs did before it. */
function isAutomatic(email: Email): boolean {
  const submitted = headers(email, 'auto-submitted')[0]?.trim().toLowerCase() ?? 'no';
  const precedence = headers(email, 'precedence')[0]?.trim().toLowerCase() ?? '';
  return (
    !submitted.startsWith('no') ||
    AUTOMATIC_PRECEDENCE.includes(precedence) ||
    email.headers.some(({ key }) => AUTOMATIC_HEADERS.includes(key)) ||
    isFromServer(email) ||
    AUTOMATIC_SUBJECT.test((email.subject ?? '').slice(0, 100))
  );
}

const ANSWER_SUBJECT = /^(?:re|res|resp|fw|fwd|enc)\s?:/i;

/** A subject that the sender has chosen is part of what they say: many write PARAR there and leave the text empty. */
function wordsOf(email: Email, text: string): string {
  const written = ownWords(
    text.trim() === '' && email.html !== undefined ? textOfHtml(email.html.slice(0, MAX_HTML)) : text,
  );
  const subject = (email.subject ?? '').slice(0, 300).trim();
  const own = subject === '' || ANSWER_SUBJECT.test(subject) ? [] : [subject];
  return [...own, ...(written === '' ? [] : [written])].join('\n');
}

/** Pictures inside the HTML are mostly logos of signatures. */
function attachmentsOf(email: Email): MailAttachment[] {
  return email.attachments
    .filter(({ related }) => related !== true)
    .slice(0, MAX_ATTACHMENTS)
    .map(({ mimeType, filename }) => ({
      kind: kindOf(mimeType),
      contentType: mimeType.slice(0, MAX_FILENAME),
      filename: filename?.slice(0, MAX_FILENAME) ?? null,
    }));
}

const DOCUMENTS = /^(?:application\/(?:pdf|msword|vnd\.|rtf|zip|octet-stream)|text\/)/;

function kindOf(mimeType: Attachment['mimeType']): AttachmentKind {
  const [type] = mimeType.split('/');
  if (type === 'image' || type === 'audio' || type === 'video') return type;
  if (mimeType === 'text/vcard' || mimeType === 'text/x-vcard') return 'contact';
  return DOCUMENTS.test(mimeType) ? 'document' : 'other';
}
