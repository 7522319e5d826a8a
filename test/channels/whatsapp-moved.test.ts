import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { suppressionsOf } from '../../src/modules/messaging/queries/suppressions.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { SECRETS } from '../../testing/app.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import {
  type Change,
  type Moved,
  messagesChange,
  movedChange,
  signed,
  waIdOf,
  webhookBody,
} from '../../testing/channels/whatsapp/payloads.ts';
import { opened } from '../../testing/opened.ts';
import { type Debtor, receivedOf, startInboundApp, unmatchedOf, urlOf } from './inbound-app.ts';

const URL = urlOf('whatsapp');
const newId = () => String(Math.floor(1e14 + Math.random() * 9e14));
const newUser = () => `BR.${newId()}`;
const text = (body: string) => ({ type: 'text', text: { body } });
const seconds = () => Math.floor(Date.now() / 1_000);
const keys = createPersonKeys(SECRETS['PERSON_SECRET'] ?? '');

const app = await opened(startInboundApp());
let client: TestClient;
let meta: FakeWhatsApp;
let debtor: Debtor;
let before: string;
let after: string;

const deliver = (...changes: readonly Change[]) => app.deliver(meta.request(URL, ...changes));
const write = (from: string | null, userId: string, body: string) =>
  deliver(messagesChange(meta.sender, { id: `wamid.${randomUUID()}`, from, userId, content: text(body) }));
const move = (given: Partial<Moved> = {}) =>
  deliver(movedChange(meta.sender, { id: `wamid.${randomUUID()}`, fromUserId: before, toUserId: after, ...given }));
const received = async (of = client) => (await receivedOf(app, of.id)).map((row) => [row.debt_id, row.text, row.phone]);
const addresses = (of = client) =>
  app.query<{ channel_user_id: string | null; moved: boolean; moved_to_key: string | null; phone_key: string }>(
    `select channel_user_id, moved_at is not null as moved, moved_to_key, phone_key from recipients
     where client_id = $1 order by phone_key`,
    [of.id],
  );

beforeEach(async () => {
  client = await app.newClient();
  meta = new FakeWhatsApp({ phoneNumberId: newId(), accountId: newId() });
  await app.connect(client.id, 'whatsapp', meta.credentials);
  debtor = await app.newDebtor(client);
  before = newUser();
  after = newUser();
  expect(await write(waIdOf(debtor.phone), before, 'oi')).toBe(200);
});

describe('a person who changes the number', () => {
  it('is known by the new id, about the same debt and the same phone', async () => {
    expect(await move()).toBe(200);
    expect(await write(null, after, 'sou eu')).toBe(200);
    expect(await received()).toEqual([
      [debtor.id, 'oi', debtor.phone],
      [debtor.id, 'sou eu', debtor.phone],
    ]);
    expect(await addresses()).toMatchObject([{ channel_user_id: after, moved: true, moved_to_key: null }]);
  });

  it('is known when the message stands in the same batch, in whatever order', async () => {
    const message = messagesChange(meta.sender, { id: 'wamid.m', from: null, userId: after, content: text('PARAR') });
    expect(await deliver(message, movedChange(meta.sender, { id: 's', fromUserId: before, toUserId: after }))).toBe(
      200,
    );
    expect((await received()).at(-1)).toEqual([debtor.id, 'PARAR', debtor.phone]);
  });

  it('is known by the phone before when WhatsApp does not name the id before', async () => {
    expect(await move({ fromUserId: undefined as never, from: waIdOf(debtor.phone) })).toBe(200);
    expect(await addresses()).toMatchObject([{ channel_user_id: after, moved: true }]);
  });

  it('moves once, however often and late WhatsApp says so', async () => {
    const third = newUser();
    const first = {
      id: 'wamid.x',
      fromUserId: before,
      toUserId: after,
      from: waIdOf(debtor.phone),
      at: seconds() - 60,
    };
    expect(await deliver(movedChange(meta.sender, first))).toBe(200);
    expect(await move({ fromUserId: after, toUserId: third })).toBe(200);
    for (let time = 0; time < 2; time += 1) expect(await deliver(movedChange(meta.sender, first))).toBe(200);
    expect(await addresses()).toMatchObject([{ channel_user_id: third }]);
    // Somebody else has the phone since, and writes by it.
    const stranger = newUser();
    expect(await write(waIdOf(debtor.phone), stranger, 'quem é?')).toBe(200);
    const { fromUserId: _id, ...byPhone } = first;
    expect(await deliver(movedChange(meta.sender, byPhone))).toBe(200);
    expect(await addresses()).toMatchObject([{ channel_user_id: stranger, moved: false }]);
  });

  it('is nobody to a client whose secret did not sign, and to another client with the same id', async () => {
    const other = await app.newClient();
    const otherMeta = new FakeWhatsApp({ phoneNumberId: newId(), accountId: newId() });
    await app.connect(other.id, 'whatsapp', otherMeta.credentials);
    const change = movedChange(meta.sender, { id: 's', fromUserId: before, toUserId: after });
    expect(await app.deliver(signed(URL, webhookBody(meta.sender.accountId, change), otherMeta.secret))).toBe(401);
    const foreign = movedChange(otherMeta.sender, { id: 's', fromUserId: before, toUserId: after });
    expect(
      await app.deliver(signed(URL, webhookBody(otherMeta.sender.accountId, foreign, change), otherMeta.secret)),
    ).toBe(200);
    expect(await addresses()).toMatchObject([{ channel_user_id: before, moved: false }]);
  });

  it.each<Partial<Moved>>([
    { toUserId: 'x' },
    { toUserId: `BR.${'9'.repeat(200)}` },
    { toUserId: undefined as never },
    { fromUserId: undefined as never },
    { fromUserId: 'BR.9' },
  ])('with %j, which says nothing, changes nothing', async (given) => {
    expect(await move(given)).toBe(200);
    expect(await addresses()).toMatchObject([{ channel_user_id: before, moved: false }]);
  });

  it('keeps every wish about the phone, and about the new one where WhatsApp tells it', async () => {
    const newPhone = '+5511912345678';
    const personKey = 'p'.repeat(64);
    const suppress = (kind: string, clientId: string, phoneKey: string) =>
      app.query(
        `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values (false, $1, $2, $3, $4)`,
        [kind, personKey, phoneKey, clientId],
      );
    const other = await app.newClient();
    await suppress('wrong_person', client.id, keys.phone(debtor.phone));
    await suppress('phone_opt_out', client.id, keys.phone(debtor.phone));
    await suppress('opt_out', other.id, keys.phone(debtor.phone));
    const asked = (phone: string) =>
      app.worker
        .tenant(client.id)
        .transactional((tx) =>
          suppressionsOf.run(tx, { sandbox: false, personKeys: ['nobody'], phoneKeys: [keys.phone(phone)] }),
        );
    expect(await asked(newPhone)).toEqual([]);
    expect(await move({ from: waIdOf(debtor.phone), to: waIdOf(newPhone) })).toBe(200);
    const followed = (await asked(newPhone)).map(({ kind, phoneKey, clientId }) => [kind, phoneKey, clientId]);
    expect(followed.sort()).toEqual([
      ['phone_opt_out', keys.phone(newPhone), client.id],
      ['wrong_person', keys.phone(newPhone), client.id],
    ]);
    expect((await asked(debtor.phone)).length).toBe(3);
    // The phone itself is no phone of the debt: only the client says which are.
    const [debt] = await app.query('select * from debts where id = $1', [debtor.id]);
    expect(JSON.stringify(debt)).not.toContain('912345678');
  });
});

describe('a contact card', () => {
  it('with the phone of a debtor makes nobody that debtor', async () => {
    const stranger = newUser();
    const wa = waIdOf(debtor.phone);
    for (const origin of ['contact_request', 'other']) {
      const card = { origin, name: { formatted_name: 'Maria' }, phones: [{ phone: debtor.phone, wa_id: wa }] };
      const content = { type: 'contacts', contacts: [card] };
      const change = messagesChange(meta.sender, { id: `wamid.${origin}`, from: null, userId: stranger, content });
      expect(await deliver(change)).toBe(200);
    }
    expect(await write(null, stranger, 'quanto eu devo?')).toBe(200);
    expect(await received()).toHaveLength(1);
    expect(await unmatchedOf(app, client.id)).toHaveLength(3);
    expect(await addresses()).toMatchObject([{ channel_user_id: before, moved: false }]);
  });
});
