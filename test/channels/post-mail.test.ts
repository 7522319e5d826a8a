import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mailFixture, type OpenEmail, openEmail, SECRET } from './email-under-test.ts';

const SCRIPT = fileURLToPath(new URL('../../deploy/email/post-mail.mjs', import.meta.url));

let email: OpenEmail;
let server: Server;
let folder: string;
let status = 200;
const posted: { readonly headers: Record<string, string>; readonly body: Buffer }[] = [];

beforeAll(async () => {
  email = await openEmail();
  folder = mkdtempSync(join(tmpdir(), 'quita-mail-'));
  writeFileSync(join(folder, 'secret'), `${SECRET}\n`, { mode: 0o600 });
  server = createServer((request, response) => {
    void buffer(request).then((body) => {
      posted.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
  await email.fake.close();
});

/** Runs the script as a mail server does, and returns its exit code. */
function pipe(mail: string, to: string, address?: string): Promise<number | null> {
  const url = address ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/messaging/email-events`;
  const child = spawn(process.execPath, [SCRIPT, url, join(folder, 'secret'), to], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(mail);
  return new Promise((resolve) => child.once('exit', resolve));
}

describe('the script for the pipe of a mail server', () => {
  it('posts a mail with a long picture so that the webhook accepts and reads it', async () => {
    const id = '8d0d8a4e-8a0c-4c7e-9a52-0d9b0a7a1c11';
    const mail = mailFixture('reply-iphone', email, id);
    expect(mail.length).toBeGreaterThan(3_000_000);
    expect(await pipe(mail, email.addresses.reply(id))).toBe(0);
    const { headers, body } = posted.at(-1)!;
    expect(body.length).toBeLessThan(2_000_000);
    const request = { url: 'x', headers, body };
    expect(email.webhook.verify(request, [SECRET])).toBe(true);
    expect(await email.webhook.read(request)).toEqual([
      expect.objectContaining({ text: 'Segue\n\no comprovante', inReplyTo: id }),
    ]);
  });

  it('makes the mail server try again when the mail was not taken', async () => {
    status = 503;
    expect(await pipe('Subject: x\r\n\r\n', 'reply@x.example')).toBe(75);
    expect(await pipe('Subject: x\r\n\r\n', 'reply@x.example', 'http://127.0.0.1:1/')).toBe(75);
  });
});
