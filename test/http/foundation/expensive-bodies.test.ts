import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { jsonPointer } from '../../../src/platform/http/field-problems.ts';
import { startHttpHarness } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';
import { BODIES, filled, KIB, LIMIT, manyNumbers, NUL } from './expensive-bodies.ts';

const harness = await opened(
  startHttpHarness({ config: { loginRatePerMinute: 5, trustProxy: 1 }, routes: [manyNumbers] }),
);

interface Refusal {
  readonly code: string;
  readonly errors?: readonly { pointer?: string; parameter?: string; code: string }[];
}
const refusalOf = async (answer: Response) => (await answer.json()) as Refusal;

describe('the answer to an invalid body', () => {
  it('names one position of U+0000, however many there are', async () => {
    const answer = await harness.post('/api/strings', filled('{"a":["', `${NUL}","`, `${NUL}"]}`));
    const text = await answer.clone().text();
    expect(text.length).toBeLessThan(1_000);
    const { errors } = await refusalOf(answer);
    expect(errors).toEqual([{ pointer: '/a/0', code: 'invalid_value', message: expect.any(String) }]);
  });

  it('lists at most 50 problems of query and body together', async () => {
    const { errors } = await refusalOf(await harness.post('/api/numbers?take=1234', { list: Array(400).fill('x') }));
    expect(errors).toHaveLength(50);
    expect(errors!.slice(0, 2)).toEqual([
      expect.objectContaining({ parameter: 'take' }),
      expect.objectContaining({ pointer: '/list/0' }),
    ]);
  });

  it('has short pointers, also to a member with a long name', async () => {
    const name = 'n'.repeat(200_000);
    const answer = await harness.post('/api/strings', `{"a":{"${name}":"${NUL}"}}`);
    expect(await refusalOf(answer)).toMatchObject({ errors: [{ pointer: '/a', code: 'invalid_value' }] });
    expect(jsonPointer(['a/b', '~', 0])).toBe('/a~1b/~0/0');
    expect(jsonPointer(Array(1_000).fill('ab')).length).toBeLessThanOrEqual(500);
  });

  it('is small for the body whose answer once had 16 MB', async () => {
    const levels = Math.floor((44 * KIB) / (NUL.length + 4));
    const body = `[${`"${NUL}",[`.repeat(levels)}${']'.repeat(levels)}]`;
    const answer = await harness.post('/api/login', body, { 'x-forwarded-for': '9.9.9.9' });
    expect(answer.status).toBe(400);
    expect((await answer.clone().text()).length).toBeLessThan(1_000);
    expect((await refusalOf(answer)).code).toBe('malformed_json');
  });
});

describe('the event loop', () => {
  it('is not blocked for 50 ms by any body of 256 KiB', async () => {
    const script = new URL('./judge-expensive-bodies.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    const longest = Object.entries(JSON.parse(stdout) as Record<string, number>);
    expect(longest.map(([name]) => name)).toEqual(Object.keys(BODIES));
    expect(longest.filter(([, ms]) => ms >= 50)).toEqual([]);
  });

  it.each(Object.keys(BODIES))('is not blocked by %s, and the answer is small', async (name) => {
    const body = BODIES[name]!;
    expect(body.length).toBeLessThanOrEqual(LIMIT);
    for (const path of ['/api/numbers', '/api/strings', '/api/any']) {
      const answer = await harness.post(path, body);
      const text = await answer.text();
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200) expect(text.length).toBeLessThan(20_000);
    }
  });
});

describe('a flood of expensive logins', () => {
  const login = (body: string, ip: string) => harness.post('/api/login', body, { 'x-forwarded-for': ip });
  const large = (rest: string) => `{"padding":"${'x'.repeat(20_000)}",${rest}}`;

  it('is refused before it is parsed, separately for each address', async () => {
    const codes: string[] = [];
    for (let turn = 0; turn < 7; turn++) codes.push((await refusalOf(await login(large('"email"'), '1.1.1.1'))).code);
    expect(codes).toEqual([...Array(5).fill('malformed_json'), 'rate_limited', 'rate_limited']);
    const refused = await login(large('"email":"a"'), '1.1.1.1');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await login(large('"email":"a"'), '1.1.1.2')).status).toBe(423);
  });

  it('does not affect logins of a usual size, including malformed ones', async () => {
    for (let turn = 0; turn < 30; turn++) {
      expect((await refusalOf(await login('{"email"', '2.2.2.2'))).code).toBe('malformed_json');
      expect((await refusalOf(await login('{"email":5}', '2.2.2.2'))).code).toBe('validation_failed');
      expect((await refusalOf(await login('{"email":"a"}', '2.2.2.2'))).code).toBe('account_locked');
    }
    expect((await login('x'.repeat(LIMIT + 1), '2.2.2.2')).status).toBe(413);
  });
});
