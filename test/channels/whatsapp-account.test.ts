import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleDocument } from '../../src/modules/messaging/adapters/whatsapp/templates.ts';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import type { MessagingChannel, TemplateText } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { type FakeWhatsApp, startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { graphError } from '../../testing/channels/whatsapp/answers.ts';
import { readPdf } from '../../testing/read-pdf.ts';

let fake: FakeWhatsApp;
let channel: MessagingChannel;
beforeEach(async () => {
  fake = await startFakeWhatsApp();
  channel = createWhatsAppChannel({ baseUrl: fake.baseUrl, templates: [] });
});
afterEach(() => fake.close());

const text = (name: string, change: Partial<TemplateText> = {}): TemplateText => ({
  name,
  language: 'pt_BR',
  body: 'Olá, {{1}}. Veja a página.',
  examples: ['Ana'],
  buttons: [],
  document: false,
  ...change,
});
const push = (...texts: readonly TemplateText[]) => channel.templates!.push(texts, fake.credentials);
const states = (...names: readonly string[]) => channel.templates!.states(names, fake.credentials);
const calls = (method: string, path: string) =>
  fake.requests.filter((request) => request.method === method && request.path.endsWith(path));

describe('the templates of WhatsApp', () => {
  it('are created in the documented form, with examples, buttons and a document', async () => {
    const buttons = [
      { title: 'Já paguei', intent: 'already_paid' },
      { title: 'Parar', intent: 'opt_out' },
    ] as const;
    await push(text('quita_first_v1', { buttons }), text('quita_receipt_v1', { document: true }));
    const bodies = calls('POST', 'message_templates').map(({ body }) => JSON.parse(body.toString()) as unknown);
    expect(bodies).toEqual([
      {
        name: 'quita_first_v1',
        language: 'pt_BR',
        category: 'UTILITY',
        components: [
          { type: 'BODY', text: 'Olá, {{1}}. Veja a página.', example: { body_text: [['Ana']] } },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'QUICK_REPLY', text: 'Já paguei' },
              { type: 'QUICK_REPLY', text: 'Parar' },
            ],
          },
        ],
      },
      expect.objectContaining({
        components: [
          { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: [...fake.templates.handles] } },
          expect.objectContaining({ type: 'BODY' }),
        ],
      }),
    ]);
    expect(calls('POST', 'app/uploads')[0]?.query.get('file_length')).toBe(String(sampleDocument().byteLength));
    expect((await readPdf(sampleDocument())).text).toContain('Exemplo do documento');
  });

  it('that exist are left as they are, on every page of the list', async () => {
    for (let number = 0; number < 250; number += 1) fake.templates.add(`other_${number}`, 'Olá.');
    fake.templates.add('quita_first_v1', 'Another text.', { status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
    fake.templates.add('quita_last_v1', 'Hello.', { language: 'en_US' });
    await push(text('quita_first_v1'), text('quita_last_v1'));
    expect(calls('GET', 'message_templates')).toHaveLength(2);
    expect(calls('POST', 'message_templates')).toHaveLength(1);
    expect(await states('quita_last_v1', 'quita_first_v1', 'quita_never_v1')).toEqual([
      { name: 'quita_last_v1', state: 'pending', reason: null, isMarketing: false },
      { name: 'quita_first_v1', state: 'rejected', reason: 'INVALID_FORMAT', isMarketing: false },
      { name: 'quita_never_v1', state: 'missing', reason: null, isMarketing: null },
    ]);
  });

  it('that WhatsApp refuses are named, and do not stop the others', async () => {
    const error: unknown = await push(text('quita_bad_v1', { body: '{{1}}, veja.' }), text('quita_good_v1')).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ kind: 'rejected' });
    expect(String(error)).toContain('quita_bad_v1 (100/2388299)');
    expect(fake.templates.all.map(({ name }) => name)).toEqual(['quita_good_v1']);
  });

  it('that another run has created meanwhile are no failure', async () => {
    fake.answerNext({ status: 200, body: { data: [] } });
    fake.templates.add('quita_first_v1', 'Olá.');
    await expect(push(text('quita_first_v1'))).resolves.toBeUndefined();
  });

  it.each([
    ['APPROVED', {}, 'approved', null],
    ['APPROVED', { category: 'MARKETING' }, 'approved', 'category MARKETING'],
    ['REJECTED', { rejected_reason: 'SCAM' }, 'rejected', 'SCAM'],
    ['PAUSED', {}, 'paused', null],
    ['DISABLED', {}, 'rejected', 'DISABLED'],
    ['IN_APPEAL', {}, 'pending', 'IN_APPEAL'],
    ['ARCHIVED', {}, 'paused', 'ARCHIVED'],
    ['PENDING_DELETION', {}, 'missing', null],
    ['SOMETHING_NEW', {}, 'pending', 'SOMETHING_NEW'],
    ['APPROVED', { category: 'SOMETHING_NEW' }, 'approved', 'category SOMETHING_NEW'],
  ])('with status %s %p are %s', async (status, change, state, reason) => {
    fake.templates.add('quita_first_v1', 'Olá.', { status, ...change });
    const { category = 'UTILITY' } = change as { category?: string };
    const isMarketing = category === 'UTILITY' ? false : category === 'MARKETING' ? true : null;
    expect(await states('quita_first_v1')).toEqual([{ name: 'quita_first_v1', state, reason, isMarketing }]);
  });

  it('need the id of the business account', async () => {
    const withoutAccount = { ...fake.credentials, accountId: null };
    await expect(channel.templates!.states([], withoutAccount)).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(fake.requests).toEqual([]);
  });

  it('are not asked for without end', async () => {
    const endless = { status: 200, body: { data: [{}], paging: { cursors: { after: 'x' }, next: 'https://x' } } };
    fake.answerNext(...Array.from({ length: 60 }, () => endless));
    await expect(states('quita_first_v1')).rejects.toMatchObject({ kind: 'rejected' });
    expect(fake.requests.length).toBeLessThanOrEqual(40);
  });
});

describe('checking an account at WhatsApp', () => {
  const check = (change: object = {}) => channel.checkCredentials({ ...fake.credentials, ...change });

  it.each([
    [{}, { peoplePerDay: 2_000, quality: 'good' }],
    [{ quality_rating: 'RED' }, { quality: 'low' }],
    [{ quality_rating: 'NA', status: 'PENDING' }, { quality: null }],
    [{ status: 'RESTRICTED' }, { quality: 'blocked' }],
    [{ whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED' }, { peoplePerDay: null }],
    [{ whatsapp_business_manager_messaging_limit: 'TIER_250' }, { peoplePerDay: 250 }],
    [{ whatsapp_business_manager_messaging_limit: { value: 7 }, unknown: [1] }, { peoplePerDay: null }],
  ])('tells of a number with %p', async (change, expected) => {
    fake.number = { ...fake.number, ...(change as object) };
    expect(await check()).toMatchObject({ shownAs: '+55 11 4004-1234', ...expected });
  });

  it.each([
    ['token', { accessToken: 'EAAJ-very-secret' }],
    ['app secret', { webhookSecret: 'very-secret' }],
    ['number', { senderId: '999' }],
    ['business account', { accountId: '999' }],
    ['way of writing the number', { senderId: '../me' }],
  ])('refuses a wrong %s, and keeps secrets out of the error', async (_what, change) => {
    const error: unknown = await check(change).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'unauthorized' });
    expect(String(error) + JSON.stringify(error)).not.toMatch(/very-secret|EAAJ/);
  });

  it('refuses a number that belongs to another business account', async () => {
    fake.answerNext(
      { status: 200, body: { id: fake.credentials.senderId, display_phone_number: '+55 11 4004-1234' } },
      { status: 200, body: { data: [{ id: '5' }] } },
    );
    await expect(check()).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});

describe('what a debtor has sent', () => {
  const read = (id: string, maxBytes = 1_000) => channel.readAttachment!(id, fake.credentials, maxBytes);

  it('is read from where WhatsApp says it is', async () => {
    const id = fake.files.attach('image/jpeg', Buffer.from('picture'));
    expect(await read(id)).toEqual({ contentType: 'image/jpeg', content: Buffer.from('picture') });
    expect(fake.requests[0]?.query.get('phone_number_id')).toBe(fake.credentials.senderId);
    const voice = fake.files.attach('audio/ogg; codecs=opus', Buffer.from('sound'));
    expect(await read(voice)).toMatchObject({ contentType: 'audio/ogg' });
    const odd = fake.files.attach('text/html<script>', Buffer.from('?'));
    expect(await read(odd)).toMatchObject({ contentType: 'application/octet-stream' });
  });

  it('is not read when it is too large, whatever its size is said to be', async () => {
    const large = Buffer.alloc(2_000);
    await expect(read(fake.files.attach('image/png', large))).rejects.toMatchObject({ kind: 'rejected' });
    expect(fake.requests).toHaveLength(1);
    const lying = fake.files.attach('image/png', large, { claimedSize: 10 });
    await expect(read(lying)).rejects.toMatchObject({ kind: 'rejected' });
    expect(await read(lying, 2_000)).toMatchObject({ content: large });
  });

  it.each([
    'http://lookaside.fbsbx.com/x',
    'https://lookaside.fbsbx.com.evil.example/x',
    'https://evilfbsbx.com/x',
    'https://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/x',
    'https://user:pass@lookaside.fbsbx.com/x',
    'https://lookaside.fbsbx.com:8443/x',
    'file:///etc/passwd',
    'not an address',
  ])('is not looked for at %s, and the token is not shown there', async (url) => {
    const id = fake.files.attach('image/png', Buffer.from('x'), { url });
    await expect(read(id)).rejects.toMatchObject({ kind: 'rejected' });
    expect(fake.requests).toHaveLength(1);
  });

  it('is asked for again when the address has expired, and never by a strange id', async () => {
    const id = fake.files.attach('image/png', Buffer.from('x'));
    const media = { url: `${fake.baseUrl}/files/${id}`, mime_type: 'image/png', file_size: 1 };
    fake.answerNext({ status: 200, body: media }, { status: 404, body: '' });
    await expect(read(id)).rejects.toMatchObject({ kind: 'retryable' });
    await expect(read('../me?x=1')).rejects.toMatchObject({ kind: 'rejected' });
    await expect(read('404')).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  it('gets a read mark, and nobody minds when that fails', async () => {
    await channel.markRead!('wamid.1', fake.credentials);
    expect(fake.readMarks).toEqual(['wamid.1']);
    fake.answerNext(graphError(131009));
    await channel.markRead!('wamid.2', fake.credentials);
    await channel.markRead!('wamid.3', { ...fake.credentials, accessToken: '' });
    expect(fake.readMarks).toEqual(['wamid.1']);
  });
});
