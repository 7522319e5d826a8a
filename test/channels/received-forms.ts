import { formsOfMail } from '../../src/platform/mail/email.ts';
import type { FakeChannel } from '../../testing/channels/fake-channel.ts';
import type { FakeSmtp } from '../../testing/channels/fake-smtp.ts';

export interface ReceivedForm {
  readonly channel: string;
  readonly content: string;
}

export interface Fakes {
  readonly whatsapp: FakeChannel;
  readonly twilio: FakeChannel;
  readonly smtp: FakeSmtp;
}

/** What some debtors have got, in each form in which they may copy it: a mail as plain text, and as its page shows it. */
export function receivedForms({ whatsapp, twilio, smtp }: Fakes, debtors: readonly string[]): ReceivedForm[] {
  const isOfThem = (to: string): boolean => debtors.includes(to) || debtors.includes(`+${to}`);
  const texts = (channel: string, { taken }: FakeChannel): ReceivedForm[] =>
    taken.filter(({ to }) => isOfThem(to)).map(({ text }) => ({ channel, content: text }));
  const mails = smtp.taken
    .filter(({ to }) => isOfThem(to))
    .flatMap(({ email: { text = '', html = '' } }) => formsOfMail({ text, html }))
    .map((content) => ({ channel: 'email', content }));
  return [...texts('whatsapp', whatsapp), ...texts('twilio', twilio), ...mails];
}

/** Asks `POST /api/genuine` about each, and returns those that it does not know as real messages. */
export async function notGenuine(url: string, forms: readonly ReceivedForm[]): Promise<readonly object[]> {
  const wrong: object[] = [];
  for (const form of forms) {
    const answer = await fetch(`${url}/api/genuine`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: form.content }),
    });
    const { genuine, kind, sandbox, ...rest } = (await answer.json()) as Record<string, unknown>;
    if (genuine !== true || kind !== 'message' || sandbox !== false) wrong.push({ ...form, genuine, kind, ...rest });
  }
  return wrong;
}
