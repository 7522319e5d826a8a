/** The best rate of this machine: only Koa, a router and one statement. It reports its address. */
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { Pool } from 'pg';

/** Reads the same as `debt_payments`, as a plain statement without row security. */
const PAYMENT = `
    select d.status as "debtStatus", d.wrong_person_at is not null as "wrongPerson",
      d.original_amount_centavos as "debtAmountCentavos", c.id as "paymentId",
      c.provider_payment_id as "providerPaymentId", c.status as "chargeStatus", c.amount_centavos as "amountCentavos",
      c.br_code as "brCode", c.expires_at as "expiresAt", c.paid_at as "paidAt", c.underpaid_at as "underpaidAt",
      (select r.protocol from receipts r where r.charge_id = c.id
        and (r.pdf is not null or r.shortened_at is not null)) as "receiptProtocol"
    from debts d left join lateral (
      select * from charges where debt_id = d.id and provider_payment_id is not null
      order by (status = 'APPROVED' and not duplicate) desc, attempt desc limit 1
    ) c on true
    where d.client_id = $1 and d.id = $2`;

const clientId = process.env['BENCH_CLIENT_ID'] ?? '';
const pool = new Pool({ connectionString: process.env['BENCH_DATABASE_URL'] ?? '', max: 20 });
await pool.query('create table if not exists bench_rows (id uuid primary key default gen_random_uuid(), text text)');

const STATUS = {
  name: 'status',
  text: `
    select status as "debtStatus", wrong_person_at is not null as "wrongPerson",
      (select status from charges where debt_id = debts.id and provider_payment_id is not null
        order by attempt desc limit 1) as "chargeStatus"
    from debts where id = $1`,
};

const app = new Koa();
const router = new Router();
router.post('/insert', async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  await pool.query({ name: 'insert', text: 'insert into bench_rows (text) values ($1)', values: [text] });
  ctx.status = 200;
});
const read = (query: { name: string; text: string }, values: (id: string) => string[]) => async (ctx: Koa.Context) => {
  const { rows } = await pool.query({ ...query, values: values(String(ctx['params'].id)) });
  ctx.body = JSON.stringify(rows[0]);
  ctx.type = 'application/json';
};
router.get(
  '/status/:id',
  read(STATUS, (id) => [id]),
);
router.get(
  '/payment/:id',
  read({ name: 'payment', text: PAYMENT }, (id) => [clientId, id]),
);
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pid: process.pid })}\n`,
  );
});
process.stdin.resume().once('end', () => process.exit(0));
