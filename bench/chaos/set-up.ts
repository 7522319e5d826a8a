import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createChannelCredentials } from '../../src/modules/messaging/use-cases/channel-credentials.ts';
import { createClientCredentials } from '../../src/modules/payments/use-cases/client-credentials.ts';
import { pixNotificationAddress } from '../../src/modules/payments/use-cases/pix-notification-address.ts';
import { createAesGcmCipher } from '../../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { callJson } from '../../testing/call-json.ts';
import { writeEntry } from '../../testing/checker/log.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { verifyCompany } from '../../testing/verified-company.ts';
import { storeCheckedSender } from '../support/checked-sender.ts';
import { BENCH_SECRETS, BENCH_WEBHOOK_SECRET } from '../support/secrets.ts';
import type { DueDates } from './days.ts';
import { type Bill, CLIENTS, type Person } from './people.ts';
import type { World } from './world/start-world.ts';

export interface ClientOfRun {
  readonly id: string;
  readonly campaignId: string;
  readonly webhookId: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

export interface SetUpPlan {
  readonly url: string;
  readonly databaseUrl: string;
  readonly world: World;
  readonly people: readonly Person[];
  readonly dueDates: DueDates;
  readonly logFile: string;
}

/** Few instalments and the earliest breach, so that agreements end within the days of a run. */
const offersOf = (client: number) => ({
  bands: [{ fromDays: 1, toDays: null, maxDiscountPercent: 10 }],
  discountOn: 'all',
  minEntryPercent: 0,
  minInstalment: 20,
  maxInstalments: 3,
  maxDaysToFirst: 3,
  holdDays: 3,
  maxOffers: 3,
  personAbove: null,
  // biome-ignore lint/suspicious/noThenProperty: the contract names it so
  breach: { afterDays: 5, then: client === 0 ? 'restore' : 'keep' },
  graceMoves: 0,
});

/**
 * Connects the accounts of each client as `quita clients connect` does, without asking the fakes first. The last client
 * has its account at a bank, so that about half of the debts are paid there.
 */
async function connect(
  databaseUrl: string,
  clientIds: readonly string[],
  world: World,
  { owner, pixAccountId }: { readonly owner: Client; readonly pixAccountId: string },
): Promise<void> {
  const db = await openDatabase({ url: databaseUrl, role: 'quita_worker', poolSize: 2 });
  try {
    const cipher = createAesGcmCipher([BENCH_SECRETS['ENCRYPTION_KEY']!]);
    const payments = createClientCredentials(db, cipher);
    const channels = createChannelCredentials(db, cipher);
    for (const [index, clientId] of clientIds.entries()) {
      const { accountId, ...account } = world.accounts[index]!;
      const sender = world.senders[index]!;
      await db.tenant(clientId).transactional(async (tx) => {
        if (index === CLIENTS - 1) {
          const { pixAccount } = world;
          const listAt = new Date();
          await payments.store(
            tx,
            { id: pixAccountId, clientId, provider: 'pix', accountId: pixAccount.key, listAt },
            pixAccount,
          );
        } else {
          await payments.store(tx, { clientId, provider: 'mercadopago', accountId }, { kind: 'token', ...account });
        }
        await channels.store(tx, clientId, 'whatsapp', sender);
      });
      await verifyCompany((text, values) => owner.query(text, values), clientId);
      await storeCheckedSender(owner, clientId, sender);
    }
  } finally {
    await db.close();
  }
}

/** Bills that are not due yet fall due on one of two days. */
const dueDateOf = ({ upcoming, amountCentavos }: Bill, { overdue, upcoming: dates }: DueDates): string =>
  upcoming ? dates[amountCentavos % 2]! : overdue;

/** Signs up the clients, connects them, imports their debts and creates their webhooks. Nothing is launched yet. */
export async function setUpClients(plan: SetUpPlan): Promise<readonly ClientOfRun[]> {
  const { url, databaseUrl, world, people, dueDates, logFile } = plan;
  const ask = (method: string, path: string, body: unknown, token?: string): Promise<unknown> =>
    callJson(method, `${url}${path}`, { body, token });
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query(LET_OWNER_SEE);
    const signedUp: { id: string; token: string; key: string }[] = [];
    for (let index = 0; index < CLIENTS; index += 1) {
      const domain = `c${randomUUID().slice(0, 8)}.com.br`;
      const account = { name: `Escola Aurora ${index}`, email: `financeiro@${domain}`, password: 'Segredo123' };
      const { id, token } = (await ask('POST', '/api/onboarding/signup', account)) as { id: string; token: string };
      const { apiKey } = (await ask('POST', '/api/onboarding/me/api-key', undefined, token)) as { apiKey: string };
      signedUp.push({ id, token, key: apiKey });
    }
    const ids = signedUp.map(({ id }) => id);
    const pixAccountId = randomUUID();
    await connect(databaseUrl, ids, world, { owner, pixAccountId });
    const pixUrl = pixNotificationAddress(url, pixAccountId, [BENCH_WEBHOOK_SECRET]);
    await world.tell({ kind: 'open', apiUrl: url, clientIds: ids, pixUrl });
    const clients: ClientOfRun[] = [];
    for (const [index, { id, token, key }] of signedUp.entries()) {
      const call = (method: string, path: string, body?: unknown) => ask(method, path, body, key);
      const receiver = { url: `${world.receiverUrl}/${id}` };
      const webhook = (await ask('POST', '/api/webhooks', receiver, token)) as { id: string };
      await ask('PUT', '/api/offers/policy', offersOf(index), token);
      const campaign = (await call('POST', '/api/campaigns', { name: 'Mensalidades' })) as { id: string };
      const reminders = { daysBefore: dueDates.reminders };
      await call('PATCH', `/api/campaigns/${campaign.id}`, { reminders });
      const bills = people.flatMap((person) =>
        person.bills.flatMap((bill) =>
          bill.client === index ? [{ person, bill, dueDate: dueDateOf(bill, dueDates) }] : [],
        ),
      );
      const debts = bills.map(({ person, bill, dueDate }) => ({
        debtorName: person.name,
        debtorPhone: person.phone,
        debtorCpf: person.cpf,
        originalAmount: bill.amountCentavos / 100,
        dueDate,
        invoiceId: bill.invoiceId,
      }));
      const done = (await call('POST', `/api/import/json/${campaign.id}`, { clientId: id, debts })) as {
        imported: number;
      };
      if (done.imported !== debts.length) throw new Error(`Only ${done.imported} debts were imported.`);
      for (const { person, bill, dueDate } of bills) {
        const { cpf, phone } = person;
        const { invoiceId, amountCentavos } = bill;
        const debt = { clientId: id, invoiceId, cpf, phone, amountCentavos, dueDate, reminders: dueDates.reminders };
        writeEntry(logFile, { kind: 'debt_imported', ...debt });
      }
      clients.push({ id, campaignId: campaign.id, webhookId: webhook.id, call });
    }
    return clients;
  } finally {
    await owner.end();
  }
}
