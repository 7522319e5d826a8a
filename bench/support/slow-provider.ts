/**
 * A payment provider that answers every question about a payment with "pending" after 50 to 100 ms, and refuses one
 * token. It reports its address, and the number of refused questions at `/refused`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const SHORTEST_MS = 50;
const MAX_MS = 100;
const REFUSED_TOKEN = process.env['BENCH_REFUSED_TOKEN'] ?? '';
const AMOUNT = Number(process.env['BENCH_AMOUNT'] ?? 0);

let refused = 0;
const server = createServer((request, response) => {
  const answer = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.url === '/refused') {
    answer(200, { refused });
    return;
  }
  const waitMs = SHORTEST_MS + Math.random() * (MAX_MS - SHORTEST_MS);
  setTimeout(() => {
    if (request.headers.authorization === `Bearer ${REFUSED_TOKEN}`) {
      refused += 1;
      answer(401, { message: 'unauthorized', error: 'unauthorized', status: 401, cause: [] });
      return;
    }
    const id = (request.url ?? '').split('/').at(-1);
    answer(200, {
      id,
      status: 'pending',
      status_detail: 'pending_waiting_transfer',
      currency_id: 'BRL',
      external_reference: id,
      transaction_amount: AMOUNT / 100,
      transaction_amount_refunded: 0,
      date_approved: null,
      date_last_updated: new Date().toISOString(),
      date_of_expiration: null,
    });
  }, waitMs);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pid: process.pid })}\n`,
  );
});
process.stdin.resume().once('end', () => process.exit(0));
