/**
 * Everything outside the product, in a process of its own: the payment provider, WhatsApp, the receiver of webhooks and
 * the debtors. It writes what happened to a log that is only appended to, and takes commands as lines of JSON.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createWhatsAppChannel } from '../../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { TEMPLATE_TEXTS } from '../../../src/modules/messaging/texts/templates.ts';
import { startFakeWhatsApp } from '../../../testing/channels/fake-whatsapp.ts';
import { writeEntry } from '../../../testing/checker/log.ts';
import { FakeMercadoPago } from '../../../testing/fake-mercadopago.ts';
import { createRandom } from '../../support/random.ts';
import { BENCH_SECRETS } from '../../support/secrets.ts';
import { CLIENTS } from '../people.ts';
import { type Bank, openBank } from './bank.ts';
import { createDebtors } from './debtors.ts';
import { createDeliveries } from './deliveries.ts';
import { type AnswerFault, startFaultyProxy } from './faulty-proxy.ts';
import { openPhones } from './phones.ts';
import { openPixBank } from './pix-bank.ts';
import type { Command, Opened, State, WorldPlan } from './protocol.ts';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as WorldPlan;
const { seed, people, logFile } = plan;
let apiUrl = '';
let pixUrl = '';
let clientIds: readonly string[] = [];
let offsetMs = 0;
const clientIdOf = (client: number): string => clientIds[client] ?? '';
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const deliveries = createDeliveries(createRandom(seed + 1));
const provider = await new FakeMercadoPago({ webhookSecret: `${BENCH_SECRETS['PAYMENT_WEBHOOK_SECRET']}` }).start();
for (let client = 1; client < CLIENTS; client += 1) provider.addAccount({ id: 200_000_000 + client });
const senders = [];
for (let client = 0; client < CLIENTS; client += 1) {
  const sender = await startFakeWhatsApp({
    phoneNumberId: `10654035224292${client}`,
    accountId: `10229012933980${client}`,
    appSecret: `app-secret-of-client-${client}`,
  });
  sender.templates.firstStatus = 'APPROVED';
  await createWhatsAppChannel({ baseUrl: sender.baseUrl, templates: TEMPLATE_TEXTS }).templates?.push(
    TEMPLATE_TEXTS,
    sender.credentials,
  );
  senders.push(sender);
}

const debtors = createDebtors({
  people,
  random: createRandom(seed + 2),
  phones: () => phones,
  bank: () => bank,
  now: () => Date.now() + offsetMs,
});
const shared = { deliveries, logFile, clientIdOf };
const wallet = await openBank({ ...shared, provider, random: createRandom(seed + 3) });
const pixClient = CLIENTS - 1;
const pixBank = await openPixBank({
  ...shared,
  client: pixClient,
  random: createRandom(seed + 6),
  notificationUrl: () => pixUrl,
});
const bankOf = (client: number) => (client === pixClient ? pixBank : wallet);
const bank: Pick<Bank, 'chargesOf' | 'pay'> = {
  chargesOf: (client, cpf) => bankOf(client).chargesOf(client, cpf),
  pay: (charge) => bankOf(charge.client).pay(charge),
};
const phones = await openPhones({
  ...shared,
  senders,
  random: createRandom(seed + 4),
  webhookUrl: () => `${apiUrl}/api/messaging/whatsapp`,
  arrived: debtors.arrived,
});
const receiver = await startFaultyProxy({
  random: createRandom(seed + 5),
  pass: async ({ path, headers }) => {
    writeEntry(logFile, { kind: 'event_taken', clientId: path.slice(1), eventId: String(headers['webhook-id']) });
    return { status: 204, contentType: 'text/plain', body: Buffer.alloc(0) };
  },
});
const setBanksFault = (fault: AnswerFault | null): void => {
  wallet.proxy.setFault(fault);
  pixBank.setFault(fault);
};
const parties = { whatsapp: phones.proxy, banks: { setFault: setBanksFault }, receiver };

const opened: Opened = {
  mercadopagoUrl: `http://127.0.0.1:${wallet.proxy.port}`,
  whatsappUrl: `http://127.0.0.1:${phones.proxy.port}/v24.0`,
  receiverUrl: `http://127.0.0.1:${receiver.port}`,
  accounts: provider.accounts.map(({ id, accessToken, webhookSecret }) => ({
    accountId: String(id),
    accessToken,
    webhookSecret,
  })),
  pixAccount: pixBank.bank.credentials({ profile: 'custom', custom: pixBank.bank.addresses }),
  senders: senders.map(({ credentials }) => credentials),
};
say(opened);

function obey(command: Command): void {
  if (command.kind === 'open') ({ apiUrl, clientIds, pixUrl } = command);
  if (command.kind === 'clock') ({ offsetMs } = command);
  if (command.kind === 'fault') parties[command.on].setFault(command.fault);
  const state: State = { waiting: deliveries.waiting(), acting: debtors.acting() };
  say({ answers: command.id, ...state });
}

for await (const line of createInterface({ input: process.stdin })) obey(JSON.parse(line) as Command);
// The process ends with its input, so that none outlives a run that failed.
deliveries.stop();
process.exit(0);
