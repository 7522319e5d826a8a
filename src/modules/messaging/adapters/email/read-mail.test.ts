import { describe, expect, it } from '@jest/globals';
import { expectCostBelow } from '../../../../../testing/cpu-cost.ts';
import { readMail, shortenMail } from './read-mail.ts';

const HEAD = 'From: a@b.example\r\nMIME-Version: 1.0\r\n';
const MEGABYTE = 1_000_000;
const fill = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const nested = (depth: number): string =>
  Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('');

describe('readMail', () => {
  // Without the bound of lines the first two took the parser nine and thirteen seconds.
  it.each([
    ['empty lines', `${HEAD}\r\n${fill('\n', MEGABYTE)}`],
    ['parts', `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${fill('--b\n\nx\n', MEGABYTE)}`],
    ['open elements', `${HEAD}Content-Type: text/html\r\n\r\n${fill('<i>', 100_000)}${fill('</b>', 100_000)}`],
    ['introductions', `${HEAD}\r\n${fill('Em 1 escreveu:\n>\n', MEGABYTE)}`],
    ['a flowed text', `${HEAD}Content-Type: text/plain; format=flowed\r\n\r\n${fill('> a \n', MEGABYTE)}`],
  ])('takes no long time for a megabyte of %s', async (_what, mail) => {
    await expectCostBelow(60, () => readMail(Buffer.from(mail)));
  });

  it('refuses what nests too deeply or has too many headers', async () => {
    await expect(readMail(Buffer.from(`${HEAD}${nested(30)}`))).rejects.toThrow();
    await expect(readMail(Buffer.from(`${HEAD}${fill(`X-A: ${'1'.repeat(50)}\r\n`, MEGABYTE)}`))).rejects.toThrow();
  });

  it('reads the words behind a picture of many megabytes', async () => {
    const picture = fill(`${'QUJD'.repeat(19)}\r\n`, 8 * MEGABYTE);
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n${picture}\r\n--b\r\nContent-Type: text/plain\r\n\r\nPARAR\r\n--b--\r\n`;
    const facts = await readMail(Buffer.from(mail));
    expect(facts).toMatchObject({
      words: 'PARAR',
      attachments: [{ kind: 'image', contentType: 'image/png', filename: 'a.png' }],
    });
  });

  it('reads only what the parser shows of a forwarded mail: that it is attached', async () => {
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSegue\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nPARAR\r\n--b--\r\n`;
    expect(await readMail(Buffer.from(mail))).toMatchObject({ words: 'Segue', attachments: [{ kind: 'other' }] });
  });
});

describe('shortenMail', () => {
  it('leaves an ordinary mail as it is', () => {
    const mail = Buffer.from(`${HEAD}\r\nOlá\r\n${fill(`${'QUJD'.repeat(19)}\r\n`, 50_000)}\r\nfim`);
    expect(Buffer.from(shortenMail(mail))).toEqual(mail);
  });

  it('keeps its bounds', () => {
    expect(shortenMail(Buffer.alloc(3 * MEGABYTE, 'a b')).length).toBe(MEGABYTE);
    expect(shortenMail(Buffer.alloc(MEGABYTE, '\n')).length).toBe(20_000);
    expect(shortenMail(Buffer.alloc(0)).length).toBe(0);
  });
});
