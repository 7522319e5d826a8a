import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundaryOf, MalformedMultipart, type Part, splitMultipart } from './multipart.ts';

const part = (name: string, value: string, more = '') =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const split = (text: string | Buffer): Promise<Part[]> => splitMultipart(Buffer.from(text as string, 'latin1'), 'B');
const texts = (parts: readonly Part[]) => parts.map(({ name, bytes }) => [name, bytes.toString()]);
const isRefused = (text: string | Buffer) => expect(split(text)).rejects.toThrow(MalformedMultipart);

describe('a multipart body', () => {
  it('is split into its parts, with or without a preamble, padding and an epilogue', async () => {
    const body = `${part('a', 'one')}${part('file', 'two\r\nlines\r\n', '; filename="x.csv"')}--B--`;
    for (const text of [body, `before\r\n${body}\r\nafter`, body.replaceAll('--B\r\n', '--B \t\r\n')]) {
      expect(texts(await split(text))).toEqual([
        ['a', 'one'],
        ['file', 'two\r\nlines\r\n'],
      ]);
    }
    expect((await split(body)).map(({ isFile }) => isFile)).toEqual([false, true]);
    expect(texts(await split(`${part('a', '')}--B--`))).toEqual([['a', '']]);
    expect(texts(await split(`--B\r\nContent-Disposition: form-data; name=a\r\n\r\n--B--`))).toEqual([['a', '']]);
    expect(await split('--B--')).toEqual([]);
  });

  it('has names in UTF-8, with quotation marks as clients write them', async () => {
    const named = async (name: string) => (await split(Buffer.from(`${part(name, '')}--B--`)))[0]?.name;
    expect(await named('colunas é')).toBe('colunas é');
    expect(await named('a\\"b\\\\c')).toBe('a"b\\c');
    expect(await named('a;filename=b')).toBe('a;filename=b');
  });

  it.each(['7bit', '8BIT', 'binary'])('may name the transfer encoding %s, which changes no byte', async (encoding) => {
    const text = `--B\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n=41\r\n--B--`;
    expect(texts(await split(text))).toEqual([['a', '=41']]);
  });

  it.each(['base64', 'quoted-printable', 'utf16le', 'hex', 'x', ''])(
    'is refused with the encoding %j',
    async (encoding) => {
      await isRefused(
        `--B\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\nYQ==\r\n--B--`,
      );
    },
  );

  it('is refused when it is not one', async () => {
    const headers = 'Content-Disposition: form-data; name="a"\r\n';
    for (const text of [
      '',
      'B',
      '--B',
      '--B\r\n',
      part('a', 'no end'),
      `--B\r\n${headers}`,
      `--B\r\n${headers}\r\n`,
      `--Bx\r\n${headers}\r\n\r\n--B--`,
      `--B\n${headers}\r\n\r\n--B--`,
      '--B\r\nContent-Disposition: form-data\r\n\r\n\r\n--B--',
      '--B\r\nContent-Disposition: attachment; name="a"\r\n\r\n\r\n--B--',
      '--B\r\nContent-Disposition: form-data; name="a\r\n\r\n\r\n--B--',
      '--B\r\nno header\r\n\r\n\r\n--B--',
      '--B\r\n\r\nvalue\r\n--B--',
    ]) {
      await isRefused(text);
    }
  });

  it('has at most 20 parts, and 16 KiB of headers in each', async () => {
    const many = (count: number) => `${part('a', 'x').repeat(count)}--B--`;
    expect(await split(many(20))).toHaveLength(20);
    await isRefused(many(21));
    const long = (bytes: number) => `${part('a', 'x', `; filename="${'f'.repeat(bytes)}"`)}--B--`;
    expect(await split(long(16_000))).toHaveLength(1);
    await isRefused(long(17_000));
  });

  it('is found across the pieces of a long search', async () => {
    const around = 256 * 1024;
    for (let bytes = around - 70; bytes <= around + 4; bytes += 2) {
      const [only] = await split(`${part('a', '\r'.repeat(bytes))}--B--`);
      expect(only?.bytes.length).toBe(bytes);
    }
  });

  it('is read or refused, and never fails in another way', async () => {
    const piece = fc.constantFrom(
      '--B',
      '\r\n--B',
      '--B--',
      '\r\n',
      '\r',
      '\n',
      '"',
      ';',
      '=',
      ':',
      'Content-Disposition: form-data; name="a"',
      'Content-Disposition: form-data; name="file"; filename="a"',
      'Content-Transfer-Encoding: 7bit',
      'Content-Type: text/plain; charset=utf-16',
      'filename="',
      '\\',
      '\0',
    );
    const bodies = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(bodies, async (pieces) => {
        try {
          await split(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMultipart);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('returns the bytes that were put into it, whatever they are', async () => {
    const value = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .array(fc.constantFrom('\r', '\n', '-', '--', 'B', '\r\n'), { maxLength: 30 })
        .map((all) => Buffer.from(all.join(''))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (values) => {
        fc.pre(values.every((bytes) => !Buffer.from(bytes).includes('\r\n--B') && !Buffer.from(bytes).includes('--B')));
        const body = Buffer.concat([
          ...values.flatMap((bytes, index) => [
            Buffer.from(`--B\r\nContent-Disposition: form-data; name="${index}"\r\n\r\n`),
            bytes,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('--B--\r\n'),
        ]);
        expect((await splitMultipart(body, 'B')).map(({ bytes }) => [...bytes])).toEqual(
          values.map((bytes) => [...bytes]),
        );
      }),
    );
  });
});

describe('a boundary', () => {
  it.each([
    ['multipart/form-data; boundary=b', 'b'],
    ['multipart/form-data; charset=utf-8; Boundary="a; b"', 'a; b'],
    ['multipart/form-data', undefined],
    ['multipart/form-data; boundary=', undefined],
    [`multipart/form-data; boundary=${'b'.repeat(71)}`, undefined],
    ['multipart/form-data; boundary="é"', undefined],
  ])('of %s is %s', (header, boundary) => {
    expect(boundaryOf(header)).toBe(boundary);
  });
});
