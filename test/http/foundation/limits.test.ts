import { describe, expect, it } from '@jest/globals';
import { clientIp, rateKey } from '../../../src/platform/http/client-ip.ts';
import { startHttpHarness } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';

describe('the address of a caller', () => {
  it.each([
    ['10.0.0.1', undefined, 1, '10.0.0.1'],
    ['10.0.0.1', '1.1.1.1', 0, '10.0.0.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
    ['10.0.0.1', '1.1.1.1', 2, '1.1.1.1'],
    ['10.0.0.1', '6.6.6.6, nonsense', 1, '10.0.0.1'],
    ['::ffff:9.9.9.9', undefined, 0, '9.9.9.9'],
    ['10.0.0.1', '1.1.1.1:4711', 1, '1.1.1.1'],
    ['10.0.0.1', '[2001:DB8::1]:4711', 1, '2001:db8::1'],
    ['fe80::1%eth0', undefined, 0, 'fe80::1'],
    [undefined, undefined, 0, 'unknown'],
  ])('%s, forwarded for %s, with %s trusted proxies, is %s', (remote, forwarded, trust, ip) => {
    expect(clientIp(remote, forwarded, trust)).toBe(ip);
  });

  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
  ])('%s is counted as %s', (ip, key) => {
    expect(rateKey(ip)).toBe(key);
  });
});

const harness = await opened(
  startHttpHarness({ config: { trustProxy: 1, signupRatePerMinute: 2, publicRatePerMinute: 3 } }),
);

describe('a rate', () => {
  const signup = (from: string) => harness.post('/api/signup', {}, { 'x-forwarded-for': `66.66.66.66, ${from}` });

  it('refuses further calls, states when to try again, and counts each address separately', async () => {
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await signup('1.1.1.1')).status);
    expect(statuses).toEqual([400, 400, 429, 429]);
    const refused = await signup('1.1.1.1');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: seconds });
    expect((await signup('1.1.1.2')).status).toBe(400);
  });

  it('counts a /64 network as one address, and each kind of rate separately', async () => {
    for (const host of ['1', '2', '3']) await signup(`2001:db8:7:7::${host}`);
    expect((await signup('2001:db8:7:7:ffff::4')).status).toBe(429);
    expect((await signup('2001:db8:7:8::1')).status).toBe(400);
    const docs = await harness.call('/docs', { headers: { 'x-forwarded-for': '2001:db8:7:7::1' } });
    expect(docs.status).toBe(200);
  });

  it('holds for concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signup('3.3.3.3')));
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(2);
  });
});
