import type { Email } from 'postal-mime';
import { z } from 'zod';
import { bounceInWords } from './bounce-in-words.ts';
import { failureStatus } from './failure-status.ts';
import type { MailReport } from './mail-facts.ts';

const MAX_CHARACTERS = 64 * 1024;

/** Returns what a part of a mail says as text; the bytes of a report are ASCII. */
export function contentOf(email: Email, ...types: readonly string[]): string {
  const part = email.attachments.find(({ mimeType }) => types.includes(mimeType));
  if (part === undefined) return '';
  return typeof part.content === 'string'
    ? part.content.slice(0, MAX_CHARACTERS)
    : Buffer.from(new Uint8Array(part.content).subarray(0, MAX_CHARACTERS)).toString('latin1');
}

/** Complaints in the sense of RFC 5965. `auth-failure` is a report about signatures, and `not-spam` the opposite. */
const COMPLAINTS = ['abuse', 'fraud', 'opt-out', 'opt-out-list'];

/** Reads a delivery status notification (RFC 3464), a complaint (RFC 5965), or what older and large servers write. */
export function reportOf(email: Email, type: string, text: string): MailReport | null {
  if (isHotmailComplaint(email)) return { kind: 'complaint' };
  const feedback = contentOf(email, 'message/feedback-report');
  if (feedback !== '') {
    const kind = fieldsOf(feedback).get('feedback-type')?.toLowerCase() ?? '';
    return COMPLAINTS.includes(kind) ? { kind: 'complaint' } : { kind: 'other' };
  }
  const status = contentOf(email, 'message/delivery-status', 'message/global-delivery-status');
  if (status !== '') return deliveryOf(status);
  if (type.startsWith('multipart/report')) return { kind: 'other' };
  return sesNotification(text) ?? bounceInWords(email, text);
}

/** Microsoft's programme for consumer mailboxes returns the mail without a report in the sense of RFC 5965. */
const isHotmailComplaint = ({ from, subject = '' }: Email): boolean =>
  from?.address?.toLowerCase() === 'staff@hotmail.com' &&
  subject.toLowerCase().startsWith('complaint about message from');

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
  const [own, answer] = ['status', 'diagnostic-code'].map((name) =>
    (recipients[failed]!.get(name) ?? '').slice(0, 1_000),
  );
  return { kind: 'delivery', delivery: 'failed', status: failureStatus(own!, answer!) };
}

const sesBody = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(),
  bounce: z
    .object({
      bounceType: z.string(),
      bouncedRecipients: z
        .array(z.object({ status: z.string().max(20).nullish(), diagnosticCode: z.string().nullish() }))
        .max(50),
    })
    .optional(),
});

/** Amazon SES can send its notifications as e-mails whose text is JSON, with what the notification service adds below. */
function sesNotification(text: string): MailReport | null {
  const begin = text.trimStart().slice(0, MAX_CHARACTERS);
  if (!begin.startsWith('{') || !begin.includes('"mail"')) return null;
  const end = begin.indexOf('\n--\n');
  let body: unknown;
  try {
    body = JSON.parse(end === -1 ? begin : begin.slice(0, end));
  } catch {
    return null;
  }
  const { data } = sesBody.safeParse(body);
  const kind = (data?.notificationType ?? data?.eventType ?? '').toLowerCase();
  if (kind === 'complaint') return { kind: 'complaint' };
  if (kind === 'delivery') return { kind: 'delivery', delivery: 'delivered', status: '2.0.0' };
  if (kind !== 'bounce' || data?.bounce === undefined) return kind === '' ? null : { kind: 'other' };
  const [recipient] = data.bounce.bouncedRecipients;
  const assumed = data.bounce.bounceType === 'Permanent' ? '5.0.0' : '4.0.0';
  const answer = (recipient?.diagnosticCode ?? '').slice(0, 1_000);
  return { kind: 'delivery', delivery: 'failed', status: failureStatus(recipient?.status ?? assumed, answer) };
}
