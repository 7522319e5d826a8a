import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { TEMPLATE_TEXTS } from '../../src/modules/messaging/texts/templates.ts';
import { type FakeWhatsApp, startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { cpfOf } from '../../testing/debts.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { nextWednesday, offsetTo } from '../../testing/moments.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { verifyCompany } from '../../testing/verified-company.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { storeCheckedSender } from '../support/checked-sender.ts';
import { BENCH_WEBHOOK_SECRET } from '../support/secrets.ts';
import { Caller } from './caller.ts';
import { Recorder } from './recorder.ts';

/** The opening of most windows is at nine; two hours later nobody is outside of one. */
const HOUR_OF_DAY = 11;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export interface World {
  readonly stack: Stack;
  readonly owner: Client;
  readonly provider: FakeMercadoPago;
  readonly whatsapp: FakeWhatsApp;
  readonly recorder: Recorder;
  readonly caller: Caller;
  /** The API itself, without the proxy in front. */
  readonly url: string;
  readonly clientId: string;
  readonly token: string;
  /** Debts of people who have never been seen before. */
  newDebts(count: number): object[];
  stop(): Promise<void>;
}

/** WhatsApp posts two delivery states for each message; they are calls of the service like any other. */
function recordReports(whatsapp: FakeWhatsApp, recorder: Recorder): void {
  const post = whatsapp.post.bind(whatsapp);
  whatsapp.post = async (...changes) => {
    const plannedAt = performance.now();
    const status = await post(...changes).catch((error: Error) => error.message);
    recorder.add('delivery state', plannedAt, status === 200 ? undefined : String(status));
    return typeof status === 'number' ? status : 0;
  };
}

/** A company that may contact real people, as the operator's check leaves it. */
async function signUp(url: string, owner: Client): Promise<{ clientId: string; token: string }> {
  const email = `financeiro@c${randomUUID().slice(0, 8)}.com.br`;
  const answer = await fetch(`${url}/api/onboarding/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Escola Aurora', email, password: 'Segredo123' }),
  });
  const { id, token } = (await answer.json()) as { id: string; token: string };
  await verifyCompany((text, values) => owner.query(text, values), id);
  return { clientId: id, token };
}

/** Starts the product's processes apart, with the fakes of Mercado Pago and WhatsApp, at a time when contacts may go. */
export async function startWorld(folder: string): Promise<World> {
  const recorder = new Recorder();
  const offsetMinutes = Math.round(offsetTo(nextWednesday(HOUR_OF_DAY)) / MINUTE_MS);
  const provider = await new FakeMercadoPago({ webhookSecret: BENCH_WEBHOOK_SECRET }).start();
  const stops: (() => Promise<unknown>)[] = [() => provider.stop()];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).toReversed()) await one();
  };
  try {
    let whatsapp: FakeWhatsApp | undefined;
    const stack = await startStack({
      folder,
      direct: true,
      env: async (publicUrl) => {
        whatsapp = await startFakeWhatsApp({ webhookUrl: `${publicUrl}/api/messaging/whatsapp` });
        stops.push(whatsapp.close.bind(whatsapp));
        const { credentials, baseUrl, templates } = whatsapp;
        // A new number may reach two thousand people a day, which a load exceeds.
        whatsapp.number = { ...whatsapp.number, whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED' };
        templates.firstStatus = 'APPROVED';
        await createWhatsAppChannel({ baseUrl, templates: TEMPLATE_TEXTS }).templates?.push(
          TEMPLATE_TEXTS,
          credentials,
        );
        return {
          ACCESS_TOKEN_TTL: '12h',
          CLOCK_OFFSET: `${offsetMinutes}m`,
          SINGLE_CLIENT: 'true',
          PAYMENT_PROVIDER: 'mercadopago',
          MERCADOPAGO_BASE_URL: provider.baseUrl,
          MERCADOPAGO_ACCESS_TOKEN: provider.accessToken,
          MESSAGING_CHANNEL: 'whatsapp',
          WHATSAPP_BASE_URL: baseUrl,
          WHATSAPP_VERIFY_TOKEN: 'verify-token',
          WHATSAPP_TOKEN: credentials.accessToken,
          WHATSAPP_PHONE_NUMBER_ID: credentials.senderId,
          WHATSAPP_BUSINESS_ACCOUNT_ID: credentials.accountId ?? '',
          MESSAGING_WEBHOOK_SECRET: credentials.webhookSecret ?? '',
        };
      },
    });
    stops.push(() => stack.stop());
    if (whatsapp === undefined) throw new Error('The stack did not ask for its environment.');
    recordReports(whatsapp, recorder);
    const owner = new Client({ connectionString: stack.databaseUrl });
    await owner.connect();
    stops.push(() => owner.end());
    await owner.query(LET_OWNER_SEE);
    // The moments in the tables are those of the service's clock.
    await owner.query(`set quita.clock_offset_ms = ${offsetMinutes * MINUTE_MS}`);
    const url = stack.products.find(({ role }) => role === 'api')?.url ?? '';
    const caller = new Caller(recorder);
    stops.push(async () => caller.close());
    let people = 0;
    const dueDate = new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 10);
    const newDebts = (count: number): object[] =>
      Array.from({ length: count }, () => {
        people += 1;
        return {
          debtorName: `Maria da Conceição ${people}`,
          debtorPhone: `+55119${80_000_000 + people}`,
          debtorCpf: cpfOf(100_000_000 + people),
          originalAmount: 150.75,
          dueDate,
          invoiceId: `NF-${people}`,
        };
      });
    const { clientId, token } = await signUp(url, owner);
    // A sender that was not checked yet reaches 250 people, which are fewer than the run needs.
    await storeCheckedSender(owner, clientId, whatsapp.credentials);
    return { stack, owner, provider, whatsapp, recorder, caller, url, clientId, token, newDebts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
