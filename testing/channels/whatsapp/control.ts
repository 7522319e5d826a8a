/**
 * Addresses by which another process moves the fake, for example a tour through the whole product: what debtors write,
 * what Meta decides, and which bad day comes next.
 */
import type { BadDay } from '../fake-channel.ts';
import type { Answer } from './answers.ts';
import { type Change, categoryChange, movedChange, qualityChange, type Sender, templateChange } from './payloads.ts';
import type { FakeTemplates } from './templates.ts';

interface Controlled {
  readonly sender: Sender;
  readonly templates: FakeTemplates;
  number: Readonly<Record<string, string>>;
  readonly taken: readonly unknown[];
  write(from: string, content: Readonly<Record<string, unknown>>): Promise<number>;
  writeHidden(phone: string, content: Readonly<Record<string, unknown>>): Promise<number>;
  shareCard(phone: string, shared?: string): Promise<number>;
  post(...changes: readonly Change[]): Promise<number>;
  next(...days: readonly BadDay[]): void;
}

interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

type Control = (fake: Controlled, body: Readonly<Record<string, string>>) => unknown;

const CONTROLS: Readonly<Record<string, Control>> = {
  /** `{ from, text }`, or `{ from, payload, title }` for a button. Answers with the status that the service gave. */
  'POST _fake/messages': async (fake, { from = '', text, payload, title }) => ({
    status: await fake.write(
      from,
      payload === undefined
        ? { type: 'text', text: { body: text } }
        : { type: 'button', button: { payload, text: title } },
    ),
  }),
  /** `{ from, text }`: somebody writes who hides the phone. */
  'POST _fake/hidden': async (fake, { from = '', text }) => ({
    status: await fake.writeHidden(from, { type: 'text', text: { body: text } }),
  }),
  /** `{ from, shared }`: the same person taps the button that asks for the phone. */
  'POST _fake/cards': async (fake, { from = '', shared }) => ({ status: await fake.shareCard(from, shared) }),
  /** `{ name, status, reason }` */
  'POST _fake/templates': async (fake, { name = '', status = 'APPROVED', reason = 'NONE' }) => {
    Object.assign(fake.templates.find(name), { status, rejected_reason: reason });
    return { status: await fake.post(templateChange({ name, event: status, reason })) };
  },
  /** `{ name, category }`: Meta moves a template. */
  'POST _fake/categories': async (fake, { name = '', category = 'MARKETING' }) => {
    const template = fake.templates.find(name);
    const from = template.category;
    template.category = category;
    return { status: await fake.post(categoryChange({ name, from, to: category })) };
  },
  /** `{ id, fromUserId, toUserId, from, to }`: a person changes the number. */
  'POST _fake/moves': async (fake, { id = 'wamid.moved', ...moved }) => ({
    status: await fake.post(movedChange(fake.sender, { id, ...moved })),
  }),
  /** `{ rating, status, limit }` of the number. */
  'POST _fake/number': async (fake, { rating = 'GREEN', status = 'CONNECTED', limit = 'TIER_2K' }) => {
    fake.number = { quality_rating: rating, status, whatsapp_business_manager_messaging_limit: limit };
    return { status: await fake.post(qualityChange(fake.sender, 'ONBOARDING', limit)) };
  },
  /** `{ day }` */
  'POST _fake/days': (fake, { day }) => {
    fake.next(day as BadDay);
    return {};
  },
  'GET _fake/taken': (fake) => fake.taken,
};

/** Returns null for a request that is meant for WhatsApp itself. */
export async function control(fake: Controlled, { method, path, body }: ControlRequest): Promise<Answer | null> {
  const run = CONTROLS[`${method} ${path}`];
  if (run === undefined) return null;
  try {
    return { status: 200, body: await run(fake, body.length === 0 ? {} : JSON.parse(body.toString())) };
  } catch (error) {
    return { status: 400, body: { error: String(error) } };
  }
}
