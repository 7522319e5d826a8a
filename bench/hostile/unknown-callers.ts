import { setTimeout as sleep } from 'node:timers/promises';
import type { Input } from './input.ts';
import { type HostileCall, outcomeOf } from './source.ts';

const MIB = 1024 * 1024;
const SIGNATURE = `sha256=${'0'.repeat(64)}`;
const WEBHOOK = '/api/messaging/whatsapp';
const HELD_MS = 30_000;
const OPEN_AT_ONCE = 300;

/** A volley is a tenth of what an address may call in a minute. */
const VOLLEY = 60;
const VOLLEY_EVERY_MS = 6_000;

const calls = (name: string, finding: number, all: readonly HostileCall[], everyMs: number, atOnce: number): Input => ({
  name,
  finding,
  prepare: async (source) => ({
    everyMs,
    atOnce,
    strike: (n) => outcomeOf(source.send(all[n % all.length]!)),
  }),
});

const filled = (before: string, unit: string, after: string): string =>
  before + unit.repeat(Math.floor((3 * MIB - before.length - after.length - 1) / unit.length)) + after;

const WEBHOOK_BODIES = [
  filled('{"object":"whatsapp_business_account","x":"\\u0000","y":[', '0,', '0]}'),
  filled('{"object":"whatsapp_business_account","x":"\\u0000","y":[', '{},', '0]}'),
  filled('', '[', ''),
  '[]',
];

const unsignedPosts = calls(
  'unsigned posts of WhatsApp',
  4,
  WEBHOOK_BODIES.flatMap((body) => [
    { method: 'POST', path: WEBHOOK, body },
    { method: 'POST', path: WEBHOOK, body, headers: { 'x-hub-signature-256': SIGNATURE } },
  ]),
  2_000,
  1,
);

const endlessBodies: Input = {
  name: 'bodies that never end',
  finding: 5,
  prepare: async (source) => ({
    everyMs: HELD_MS,
    atOnce: OPEN_AT_ONCE,
    strike: async (n) => {
      const socket = source.open();
      let answer = '';
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.on('data', (bytes: Buffer) => {
        answer += bytes.toString('latin1');
      });
      socket.on('error', () => undefined);
      const path = n % 10 === 0 ? '/api/auth/login' : WEBHOOK;
      const size = n % 10 === 0 ? 200 * 1024 : 2 * MIB;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${source.host}\r\nContent-Type: application/json\r\n` +
          `X-Hub-Signature-256: ${SIGNATURE}\r\nContent-Length: ${size + 1_000}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(size, ' '));
      await Promise.race([ended, sleep(HELD_MS)]);
      socket.destroy();
      return /^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 'no answer';
    },
  }),
};

const get = (path: string): HostileCall => ({ method: 'GET', path });
const cookie = { cookie: 'quita_session=planted; quita_session=own', 'content-type': 'application/json' };

export const UNKNOWN_CALLERS: readonly Input[] = [
  unsignedPosts,
  endlessBodies,
  calls('documents', 8, ['/openapi.json', '/docs', '/openapi.json'].map(get), VOLLEY_EVERY_MS, VOLLEY),
  calls(
    'planted cookies and foreign origins',
    17,
    [
      { method: 'POST', path: '/api/session/token', headers: cookie, body: '{}' },
      {
        method: 'POST',
        path: '/api/session/end-all',
        headers: { ...cookie, origin: 'https://127.0.0.1:1' },
        body: '{}',
      },
    ],
    VOLLEY_EVERY_MS,
    VOLLEY,
  ),
];
