import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ContentKeys } from '../../src/modules/genuine/queries/origins.ts';
import { createGenuineServices } from '../../src/modules/genuine/services.ts';
import { keepSentTexts } from '../../src/modules/genuine/use-cases/keep-sent-texts.ts';
import { createTextHashes } from '../../src/modules/genuine/use-cases/text-hashes.ts';
import { createTwilioChannel } from '../../src/modules/messaging/adapters/twilio/twilio-channel.ts';
import { createZenviaChannel } from '../../src/modules/messaging/adapters/zenvia/zenvia-channel.ts';
import { createUnsubscribeLinks } from '../../src/modules/messaging/use-cases/unsubscribe.ts';
import type { TakenMessage } from '../../testing/channels/fake-channel.ts';
import { FakeTwilio } from '../../testing/channels/fake-twilio.ts';
import { FakeZenvia } from '../../testing/channels/fake-zenvia.ts';
import { engineServices, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { openEmail } from '../channels/email-under-test.ts';
import { type Item, makeCodes, makeLinks, makeSenders, ORIGIN, sendTexts } from './items.ts';
import { mutationsOf } from './mutations.ts';
import { BY_CHANCE, middleTimes, tryOut } from './tries.ts';

const links = createUnsubscribeLinks({ secrets: ['links'], publicUrl: ORIGIN });
const engine = await opened(openEngine());
const email = await openEmail();
await opened(email.fake);
const [twilio, zenvia] = [await opened(FakeTwilio.open()), await opened(FakeZenvia.open())];
const smsChannels = [
  { fake: twilio, channel: createTwilioChannel({ baseUrl: twilio.baseUrl, statusCallbackUrl: ORIGIN }) },
  { fake: zenvia, channel: createZenviaChannel({ baseUrl: zenvia.baseUrl }) },
];

/** Each question, as it reached the database. */
const asked: ContentKeys[] = [];
const { checkContent } = createGenuineServices({
  ...engine.ofApi,
  db: {
    ...engine.ofApi.db,
    runUnscoped: (query, params) => {
      asked.push(params as unknown as ContentKeys);
      return engine.ofApi.db.runUnscoped(query, params);
    },
  },
  isUnsubscribeSigned: links.isSigned,
  fromAddress: 'cobranca@quita.example',
  takeFromGenuineRate: async () => {},
});
const check = (content: string) => checkContent({ content, rateKey: 'test' });
const NO = { genuine: false, kind: null, creditor: null, month: null, sandbox: false };
const AURORA = { name: 'Escola Aurora', cnpj: '11222333000181' };
const month = () =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(engine.present()).slice(0, 7);

const keepText = (debt: MadeDebt, text: string, createdAt?: Date): Promise<void> =>
  engine.db.tenant(debt.clientId).transactional((tx) =>
    keepSentTexts(tx, engine.deps, {
      clientId: debt.clientId,
      sandbox: false,
      texts: [text],
      ...(createdAt === undefined ? {} : { createdAt }),
    }),
  );

/** Asks about all, a few at a time, and returns those with another answer than expected. */
async function wronglyAnswered(
  items: readonly Item[],
  isRight: (item: Item, answer: object) => boolean,
): Promise<Item[]> {
  const wrong: Item[] = [];
  const waiting = items.values();
  const line = async (): Promise<void> => {
    for (const item of waiting) if (!isRight(item, await check(item.content))) wrong.push(item);
  };
  await Promise.all(Array.from({ length: 6 }, line));
  return wrong;
}

let shared: Promise<{ readonly debt: MadeDebt; readonly items: readonly Item[] }> | undefined;
/** A thousand true items: what was sent by each channel, codes, links of each kind, senders. */
const trueItems = () => {
  shared ??= (async () => {
    const debt = await engine.debt({ ...somebody() });
    const channels = [
      {},
      createTwilioChannel({ baseUrl: ORIGIN, statusCallbackUrl: ORIGIN }),
      createZenviaChannel(),
      email.channel,
    ];
    const texts: Item[] = [];
    for (const channel of channels) texts.push(...(await sendTexts(engine, debt, { channel, count: 75 })));
    const endOf = (debtId: string) => links.url({ messageId: randomUUID(), debtId });
    return {
      debt,
      items: [
        ...texts,
        ...(await makeCodes(engine, debt, 240)),
        ...(await makeLinks(engine, debt, { count: 300, endOf })),
        ...(await makeSenders(engine, 160)),
      ],
    };
  })();
  return shared;
};

describe('what was sent', () => {
  it('is found: a thousand true items of every kind, copied as they are or with other white space', async () => {
    const { items } = await trueItems();
    expect(items.length).toBeGreaterThanOrEqual(1_000);
    const isRight = ({ kind }: Item, answer: object) =>
      JSON.stringify(answer) ===
      JSON.stringify({
        genuine: true,
        kind,
        creditor: AURORA,
        month: kind === 'message' || kind === 'pix' ? month() : null,
        sandbox: false,
      });
    expect(await wronglyAnswered(items, isRight)).toEqual([]);
    const copied = items
      .filter(({ kind }) => kind === 'message')
      .map(({ kind, content }) => ({
        kind,
        content: `\r\n ${content.replace(/ /g, '\u00a0').replace(/\n+/g, '\r\n')} `,
      }));
    expect(await wronglyAnswered(copied, isRight)).toEqual([]);
  });

  it('is not found once anything was changed: ten thousand changed items, and no false yes', async () => {
    const { items } = await trueItems();
    const changed = items.flatMap(mutationsOf);
    expect(changed.length).toBeGreaterThanOrEqual(10_000);
    expect(await wronglyAnswered(changed, (_, answer) => JSON.stringify(answer) === JSON.stringify(NO))).toEqual([]);
  });

  it('is known from the moment of its booking, whoever writes it', async () => {
    const debt = await engine.debt({ ...somebody() });
    await engine.contact(debt);
    await engine.hear(debt, 'Quem é você?');
    const texts = engine.sent.map(({ text }) => text);
    expect(texts.length).toBeGreaterThanOrEqual(2);
    for (const text of texts)
      expect(await check(text)).toMatchObject({ genuine: true, kind: 'message', creditor: AURORA });
  });

  it.each(smsChannels)('is known as the fake of $channel.name has received it, to the letter', async (sms) => {
    const debt = await engine.debt({ ...somebody() });
    // An SMS spells the name without these letters.
    await engine.query(debt, `update debts set debtor_name = 'Íris Conceição' where id = $1`, [debt.id]);
    const { senderId } = sms.fake.credentials;
    const sender = { channel: sms.channel, credentials: sms.fake.credentials, id: senderId, number: senderId };
    await engineServices({ ...engine.deps, sendersOf: async () => [sender] }).contactDebtor(engine.request(debt));
    const [{ text }, ...more] = sms.fake.taken as [TakenMessage];
    expect([text.includes('Iris'), more]).toEqual([true, []]);
    expect(await check(text)).toMatchObject({ genuine: true, kind: 'message', creditor: AURORA, sandbox: false });
    expect(await check(`${text}!`)).toEqual(NO);
  });

  it('says of a test that it is one, and prefers what is real', async () => {
    const debt = await engine.debt({ ...somebody(), sandbox: true });
    const [item] = await sendTexts(engine, debt, { channel: {}, count: 1, sandbox: true });
    expect(await check(item!.content)).toMatchObject({ genuine: true, kind: 'message', sandbox: true });
    expect(await check(`${ORIGIN}/checkout/${debt.id}`)).toMatchObject({ genuine: true, kind: 'link', sandbox: true });
    await keepText(debt, item!.content);
    expect(await check(item!.content)).toMatchObject({ genuine: true, sandbox: false });
  });

  it('names nobody where several creditors send the same, and knows the address of the deployment', async () => {
    expect(await check('Cobranca@quita.example')).toEqual({ ...NO, genuine: true, kind: 'sender' });
    const debts = [await engine.debt({ ...somebody() }), await engine.debt({ ...somebody() })];
    for (const one of debts)
      await engine.query(
        one,
        `insert into channel_senders (client_id, channel, sender_id, shown_as) values ($1, 'twilio', '29091', '29091')`,
        [one.clientId],
      );
    expect(await check('29091')).toEqual({ ...NO, genuine: true, kind: 'sender' });
    for (const one of debts)
      await engine.query(one, `update channel_senders set replaced_at = quita_now() where client_id = $1`, [
        one.clientId,
      ]);
    expect(await check('29091')).toEqual(NO);
  });

  it('knows the word of an SMS account in any case, and nothing that looks like it', async () => {
    const debt = await engine.debt({ ...somebody() });
    const connect = (channel: string, word: string) =>
      engine.query(
        debt,
        'insert into channel_senders (client_id, channel, sender_id, shown_as) values ($1, $2, $3, $3)',
        [debt.clientId, channel, word],
      );
    await connect('zenvia', 'QUITA');
    await connect('twilio', 'Escola29091');
    const yes = { genuine: true, kind: 'sender', creditor: AURORA, month: null, sandbox: false };
    for (const word of ['QUITA', ' quita\n', 'Quita', 'ESCOLA29091'])
      expect([word, await check(word)]).toEqual([word, yes]);
    const others = [
      'QU1TA',
      'QUlTA',
      'QUITA.',
      'QUIT',
      'QUITAA',
      'QU ITA',
      'QÚITA',
      'QUІTA',
      'QUITA\u200b',
      '29091',
      'escola',
    ];
    for (const word of others) expect([word, await check(word)]).toEqual([word, NO]);
    // A first name or the name of a company is no sender of theirs.
    for (const word of ['Maria', 'Aurora', 'Escola']) expect([word, await check(word)]).toEqual([word, NO]);
    await engine.query(debt, 'update channel_senders set replaced_at = quita_now() where client_id = $1', [
      debt.clientId,
    ]);
    expect(await check('QUITA')).toEqual(NO);
  });

  it('is forgotten after 180 days, and known under a retired key that is still in the list', async () => {
    const debt = await engine.debt({ ...somebody() });
    const [recent] = await sendTexts(engine, debt, { channel: {}, count: 1 });
    const rotated = createGenuineServices({
      ...engine.ofApi,
      textHashes: createTextHashes(['a new secret', 'a-secret-of-the-tests']),
      isUnsubscribeSigned: null,
      fromAddress: null,
      takeFromGenuineRate: async () => {},
    });
    expect(await rotated.checkContent({ content: recent!.content, rateKey: '' })).toMatchObject({ genuine: true });
    const ago = (days: number) => new Date(engine.present() - days * 86_400_000);
    await keepText(debt, 'dita há pouco tempo', ago(179));
    expect(await check('dita há pouco tempo')).toMatchObject({ genuine: true });
    await keepText(debt, 'dita há muito tempo', ago(181));
    expect(await check('dita há muito tempo')).toEqual(NO);
  });
});

describe('messages of before', () => {
  it('get their hashes from the worker, once, unless they were refused or are too old', async () => {
    const debt = await engine.debt({ ...somebody() });
    const text = (what: string) => `Olá, ${what}: ${randomUUID()}`;
    const [sent, refused, waiting, old] = [text('enviada'), text('recusada'), text('na fila'), text('antiga')];
    await engine.query(
      debt,
      `insert into messages (client_id, debt_id, direction, channel, purpose, text, delivery, at, created_at)
       select $1, $2, 'out', 'whatsapp', 'reply', text, delivery, quita_now(), quita_now() - make_interval(days => age)
       from (values ($3, 'delivered', 40), ($4, 'failed', 1), ($5, 'waiting', 0), ($6, 'sent', 181)) as each (text, delivery, age)`,
      [debt.clientId, debt.id, sent, refused, waiting, old],
    );
    await Promise.all([engine.services.keepEarlierTexts(), engine.services.keepEarlierTexts()]);
    expect(await engine.services.keepEarlierTexts()).toBe(0);
    expect(await check(sent)).toMatchObject({ genuine: true, kind: 'message' });
    for (const other of [refused, waiting, old]) expect(await check(other)).toEqual(NO);
    const rows = await engine.query(debt, `select 1 from messages where debt_id = $1 and hash_kept`, [debt.id]);
    expect(rows).toHaveLength(3);
  });
});

describe('somebody who tries out', () => {
  it('learns nothing of a person: a debtor’s name, CPF, phone or invoice is answered as those of nobody', async () => {
    const { cpf, phone } = somebody();
    const debt = await engine.debt({ cpf, phone });
    await engine.contact(debt);
    const texts = engine.sent.map(({ text }) => text);
    const guesses = [
      cpf,
      '52998224725',
      phone,
      '+5511980009999',
      'Maria da Silva',
      'Mário da Selva',
      debt.id,
      randomUUID(),
    ];
    for (const guess of guesses) expect(await check(guess)).toEqual(NO);
    // Whoever knows the words still lacks the link, which nobody can guess.
    for (const text of texts.slice(-1))
      expect(
        await check(text.replace(/\/p\/\S+/, `/p/d${Buffer.from(randomUUID()).toString('base64url').slice(0, 22)}`)),
      ).toEqual(NO);
  });

  it('finds the same work behind every answer: one statement, with hashes in place of what was pasted', async () => {
    const { items } = await trueItems();
    const contents = [
      ...items.filter((_, index) => index % 100 === 0).map(({ content }) => content),
      'nada',
      '123.456.789-09',
    ];
    for (const content of contents) {
      asked.length = 0;
      await check(content);
      expect(asked).toHaveLength(1);
      const { textHashes, codeSha256 } = asked[0]!;
      expect([textHashes.length, textHashes[0]!.length, codeSha256.length]).toEqual([1, 32, 32]);
    }
    asked.length = 0;
    await check('Olá, Maria da Silva, CPF 529.982.247-25');
    expect(JSON.stringify(asked)).not.toMatch(/Maria|529/);
  });

  it('learns nothing of a person from words or from time, whatever it tries of 200 debtors and 200 strangers', async () => {
    const debt = await engine.debt({ ...somebody() });
    const tried = await tryOut(engine, debt, check);
    for (const { kind, bodies, advantage } of tried) {
      expect([kind, bodies]).toEqual([kind, [JSON.stringify(NO)]]);
      // The best guess by time is right as often as a coin.
      expect([kind, Math.abs(advantage - 0.5) < BY_CHANCE, advantage]).toEqual([kind, true, advantage]);
    }
  });

  it('waits equally long for a yes and a no', async () => {
    const { items } = await trueItems();
    const yes = items.flatMap(({ kind, content }) => (kind === 'message' ? [content] : [])).slice(0, 100);
    const no = yes.map((content) => `${content.slice(0, -1)}!`);
    const [ofYes = 0, ofNo = 0] = await middleTimes([yes, no], check);
    // A second statement would double it.
    expect(ofYes / ofNo).toBeGreaterThan(0.75);
    expect(ofYes / ofNo).toBeLessThan(1.33);
  });

  it('gets a quick no for what is no text', async () => {
    const contents = [
      '\u0000',
      'a\u0000b',
      '\ud800',
      '(((((((((('.repeat(400),
      '+'.repeat(4_096),
      ' '.repeat(4_095) + 'x',
      `${ORIGIN}/p/${'d'.repeat(4_000)}`,
      `1${' '.repeat(4_000)}1`,
    ];
    for (const content of contents) {
      const before = process.cpuUsage();
      expect(await check(content)).toEqual(NO);
      const { user } = process.cpuUsage(before);
      expect(user).toBeLessThan(2_000_000);
    }
  });
});
