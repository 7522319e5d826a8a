import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpfOf, debtInput, debtInputs } from '../../testing/debts.ts';
import { sized } from '../support/quick.ts';
import { signUp } from './account.ts';
import type { Input } from './input.ts';
import { outcomeOf } from './source.ts';

const KIB = 1024;
/** A volley is a tenth of what a client may call in a minute. */
const VOLLEY = 60;
const VOLLEY_EVERY_MS = 6_000;
const DEBTS_OF_DRAFT = sized(50_000, 10_000);
const SLOW_ANSWER_MS = 14_000;
const WEBHOOKS = 10;
const UNREAD_MS = 20_000;

const timeline: Input = {
  name: 'long notes and timelines',
  finding: 7,
  async prepare(source) {
    const account = await signUp(source);
    const campaignId = await account.newCampaign();
    await account.importDebts(campaignId, debtInputs(1));
    const [debtId = ''] = await account.debtsOf(campaignId);
    const texts = ['x'.repeat(4_000), '\u0001'.repeat(4_000)];
    const read = (path: string) => source.send({ method: 'GET', path, headers: account.headers });
    return {
      everyMs: VOLLEY_EVERY_MS,
      atOnce: VOLLEY,
      strike: (n) => {
        if (n % 5 > 0) return outcomeOf(account.post(`/api/debts/${debtId}/notes`, { text: texts[n % 2] }));
        return outcomeOf(read(n % 10 === 0 ? `/api/debts/${debtId}` : `/api/debts/${debtId}/timeline?limit=200`));
      },
    };
  },
};

const unreadAnswers: Input = {
  name: 'answers that are not read',
  finding: 7,
  async prepare(source) {
    const account = await signUp(source);
    const campaignId = await account.newCampaign();
    await account.importDebts(campaignId, debtInputs(2_000));
    return {
      everyMs: VOLLEY_EVERY_MS,
      atOnce: VOLLEY,
      strike: async () => {
        const socket = source.open();
        const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
        socket.on('error', () => undefined);
        socket.pause();
        socket.write(
          `GET /api/campaigns/${campaignId}/debts?limit=100 HTTP/1.1\r\nHost: ${source.host}\r\n` +
            `Authorization: ${account.headers['authorization']}\r\n\r\n`,
        );
        await Promise.race([ended, sleep(UNREAD_MS)]);
        socket.destroy();
        return 'not read';
      },
    };
  },
};

const keyedNotes: Input = {
  name: 'keyed calls with unknown members',
  finding: 9,
  async prepare(source) {
    const account = await signUp(source);
    const campaignId = await account.newCampaign();
    await account.importDebts(campaignId, debtInputs(1));
    const [debtId = ''] = await account.debtsOf(campaignId);
    const body = { text: 'x', junk: Array.from({ length: Math.floor((255 * KIB) / 8) }, () => ({ a: 1 })) };
    return {
      everyMs: VOLLEY_EVERY_MS,
      atOnce: VOLLEY,
      strike: () => outcomeOf(account.post(`/api/debts/${debtId}/notes`, body, { 'idempotency-key': randomUUID() })),
    };
  },
};

const rehearsals: Input = {
  name: 'rehearsals of a large draft',
  finding: 11,
  async prepare(source) {
    const account = await signUp(source);
    const campaignId = await account.newCampaign();
    await account.importDebts(campaignId, debtInputs(DEBTS_OF_DRAFT));
    return {
      everyMs: 6_000,
      atOnce: 3,
      strike: () => outcomeOf(account.post(`/api/campaigns/${campaignId}/rehearse`, {})),
    };
  },
};

const THREATS = ['Vagabundo', 'PAGUE HOJE ou seu nome vai ao SERASA: https://golpe.example/pix', 'Serasa-ultimo-aviso'];

const names: Input = {
  name: 'threats in names',
  finding: 15,
  async prepare(source) {
    const account = await signUp(source);
    const campaignId = await account.newCampaign();
    const debts = Array.from({ length: 1_000 }, (_, n) =>
      debtInput(n + 1, { debtorName: `${THREATS[n % THREATS.length]} ${n}`, debtorCpf: cpfOf(200_000_000 + n) }),
    );
    return {
      everyMs: 2_000,
      atOnce: 1,
      strike: () => outcomeOf(account.post(`/api/import/json/${campaignId}`, { clientId: account.clientId, debts })),
    };
  },
};

const slowReceivers: Input = {
  name: 'slow receivers of webhooks',
  finding: 21,
  async prepare(source) {
    const account = await signUp(source);
    const receiver = createServer((incoming, response) => {
      incoming.resume();
      setTimeout(() => response.end(), SLOW_ANSWER_MS).unref();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    receiver.unref();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const ids: string[] = [];
    for (let n = 0; n < WEBHOOKS; n += 1) {
      const made = await account.post('/api/webhooks', { url: `${url}/${n}` });
      if (made.status !== 201) throw new Error(`The webhook was not made: ${made.status} ${made.text}`);
      ids.push((JSON.parse(made.text) as { id: string }).id);
    }
    return {
      everyMs: VOLLEY_EVERY_MS,
      atOnce: VOLLEY,
      strike: (n) => outcomeOf(account.post(`/api/webhooks/${ids[n % WEBHOOKS]}/test`, {})),
    };
  },
};

export const CLIENTS: readonly Input[] = [timeline, unreadAnswers, keyedNotes, rehearsals, names, slowReceivers];
