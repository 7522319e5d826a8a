/**
 * A bank with the API Pix, over TLS with client certificates. It reports its credentials, and pays the charge whose id is
 * posted to `payUrl`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';

const bank = await new FakeBank('inter', { wantsScope: false }).start();
const server = createServer((request, response) => {
  bank.pay((request.url ?? '').slice(1));
  response.writeHead(204).end();
});
server.listen(0, '127.0.0.1', () => {
  const credentials = bank.credentials({ profile: 'custom', custom: bank.addresses });
  const payUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(`${JSON.stringify({ credentials, key: bank.key, payUrl })}\n`);
});
process.stdin.resume().once('end', () => process.exit(0));
