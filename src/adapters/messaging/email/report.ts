import type { Email } from 'postal-mime';
import type { MailReport } from './mail-facts.ts';

const MOST_CHARACTERS = 64 * 1024;

/** Returns what a part of a mail says as text; the bytes of a report are ASCII. */
export function contentOf(email: Email, ...types: readonly string[]): string {
  const part = email.attachments.find(({ mimeType }) => types.includes(mimeType));
  if (part === undefined) return '';
  return typeof part.content === 'string'
    ? part.content.slice(0, MOST_CHARACTERS)
    : Buffer.from(new Uint8Array(part.content).subarray(0, MOST_CHARACTERS)).toString('latin1');
}

/** Complaints in the sense of RFC 5965. `auth-failure` is a report about signatures, and `not-spam` the opposite. */
const COMPLAINTS = ['abuse', 'fraud', 'opt-out', 'opt-out-list'];

/** Reads a delivery status notification (RFC 3464), a complaint (RFC 5965), or a bounce in words. */
export function reportOf(email: Email, type: string, text: string): MailReport | null {
  const feedback = contentOf(email, 'message/feedback-report');
  if (feedback !== '') {
    const kind = fieldsOf(feedback).get('feedback-type')?.toLowerCase() ?? '';
    return COMPLAINTS.includes(kind) ? { kind: 'complaint' } : { kind: 'other' };
  }
  const status = contentOf(email, 'message/delivery-status', 'message/global-delivery-status');
  if (status !== '') return deliveryOf(status);
  if (type.startsWith('multipart/report')) return { kind: 'other' };
  return bounceInWords(email, text);
}

/** Fields of a block, unfolded; the first of a name counts. */
function fieldsOf(block: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let name = '';
  for (const line of block.split('\n')) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (name !== '') fields.set(name, `${fields.get(name)} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    name = colon === -1 ? '' : line.slice(0, colon).trim().toLowerCase();
    if (fields.has(name)) name = '';
    else if (name !== '') fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** Our mails have one recipient. More of them are the members of its list, and a failure of one tells nothing certain. */
function deliveryOf(text: string): MailReport {
  const recipients = text
    .replaceAll('\r', '')
    .split('\n\n')
    .map(fieldsOf)
    .filter((fields) => fields.has('action'));
  const actions = recipients.map((fields) => fields.get('action')!.toLowerCase().split(/[ (;]/)[0]!);
  if (actions.includes('delivered')) return { kind: 'delivery', delivery: 'delivered', status: '2.0.0' };
  const failed = actions.indexOf('failed');
  if (failed === -1 || actions.some((action) => action !== 'failed')) return { kind: 'other' };
  return { kind: 'delivery', delivery: 'failed', status: statusOf(recipients[failed]!) };
}

const STATUS = /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;

/** `5.0.0` says nothing, while what the other server answered often does. */
function statusOf(fields: ReadonlyMap<string, string>): string {
  const [own, answered] = ['status', 'diagnostic-code'].map(
    (name) => STATUS.exec((fields.get(name) ?? '').slice(0, 1_000))?.[1],
  );
  const vague = own === undefined || own.endsWith('.0.0');
  return (vague ? (answered ?? own) : own) ?? '5.0.0';
}

const QMAIL = 'Hi. This is the qmail-send program at ';

/**
 * qmail, which many Brazilian providers run, writes bounces as plain text with a fixed beginning (QSBMF). Older versions
 * of Exim write them freely and name the recipients in a header.
 */
function bounceInWords(email: Email, text: string): MailReport | null {
  const begin = text.slice(0, 10_000).trimStart();
  const isExim = email.headers.some(({ key }) => key === 'x-failed-recipients');
  if (!isExim && !begin.startsWith(QMAIL)) return null;
  return { kind: 'delivery', delivery: 'failed', status: STATUS.exec(begin)?.[1] ?? '5.0.0' };
}
