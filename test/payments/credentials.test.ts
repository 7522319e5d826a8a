import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  type AccountCredentials,
  type ClientCredentials,
  createClientCredentials,
} from '../../src/modules/payments/use-cases/client-credentials.ts';
import { createAesGcmCipher } from '../../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { SECRET_NAMES } from '../../src/platform/config/index.ts';
import { opened } from '../../testing/opened.ts';
import { newCharge, openPage, startRealApp } from './real-provider.ts';
import { newDebt, notify, readPayment } from './support.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const OWN_SECRET = 'the-clients-own-webhook-secret';

const real = await opened(startRealApp({ roles: ['api'], single: false }));

async function quita(args: readonly string[], input = '') {
  const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));
  const child = spawn(process.execPath, [CLI, ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      DATABASE_URL: real.app.database.url,
      MERCADOPAGO_BASE_URL: real.provider.baseUrl,
      ...secrets,
    },
    cwd: tmpdir(),
  });
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { out, err, code };
}

const stored = (clientId: string) =>
  real.app.query<{ sealed: string; account_id: string }>('select * from client_credentials where client_id = $1', [
    clientId,
  ]);

const store = (credentials: ClientCredentials, clientId: string, given: AccountCredentials, accountId = '1') =>
  real.worker.db
    .tenant(clientId)
    .transactional((tx) => credentials.store(tx, { clientId, provider: 'mercadopago', accountId }, given));

describe('quita clients connect', () => {
  it('checks the credentials at the provider and stores them encrypted', async () => {
    const client = await real.app.newClient();
    const { out, err, code } = await quita(
      ['clients', 'connect', client.id],
      `${real.provider.accessToken}\n${OWN_SECRET}\n`,
    );
    expect({ code, out }).toEqual({ code: 0, out: `${client.id} is connected to Mercado Pago account 123456789\n` });
    expect(out + err).not.toContain(real.provider.accessToken);
    const [row] = await stored(client.id);
    expect(row?.account_id).toBe('123456789');
    expect(row?.sealed).not.toContain(real.provider.accessToken);
    const [audit] = await real.app.query<{ details: object }>(
      `select details from audit_log where client_id = $1 and action = 'client_connected'`,
      [client.id],
    );
    expect(audit?.details).toEqual({ provider: 'mercadopago', accountId: '123456789' });
  });

  it('reads them from a file, and replaces the earlier ones', async () => {
    const client = await real.app.newClient();
    const file = join(mkdtempSync(join(tmpdir(), 'quita-connect-')), 'credentials.json');
    for (const webhookSecret of ['first', 'second']) {
      writeFileSync(file, JSON.stringify({ mercadopago: { accessToken: real.provider.accessToken, webhookSecret } }));
      expect((await quita(['clients', 'connect', client.id, file])).code).toBe(0);
    }
    const credentials = createClientCredentials(real.worker.db, createAesGcmCipher(['encryption_key-of-the-tests']));
    expect(await credentials.webhookSecrets(client.id)).toEqual(['second']);
  });

  it('says that the account before is kept for its charges', async () => {
    const client = await real.app.newClient();
    const before = real.provider.addAccount({ id: 777 });
    await quita(['clients', 'connect', client.id], `${before.accessToken}\n\n`);
    await openPage(real.app, await newDebt(real.app, {}, client));
    const { out } = await quita(['clients', 'connect', client.id], `${real.provider.accessToken}\n\n`);
    expect(out).toBe(
      `${client.id} is connected to Mercado Pago account 123456789\nIts account 777 is kept until the charges that it made have ended (1 charge is open)\n`,
    );
  });

  it('stores no credentials that the provider refuses, and prints no value', async () => {
    const client = await real.app.newClient();
    const { err, code } = await quita(['clients', 'connect', client.id], 'TEST-wrong-token\n\n');
    expect(code).toBe(1);
    expect(err).toContain('nothing was stored');
    expect(err).not.toContain('TEST-wrong-token');
    expect(await stored(client.id)).toEqual([]);
    expect((await quita(['clients', 'connect', randomUUID()], 'x\n\n')).err).toContain('There is no client');
  });
});

describe('a client’s own account', () => {
  it('receives its charges, and its own secret signs the notifications', async () => {
    const client = await real.app.newClient();
    const debtor = await newDebt(real.app, {}, client);
    const page = await real.app.get<string>(`/checkout/${debtor.id}`);
    expect(page.body).toContain('Não foi possível gerar o código Pix agora');

    const credentials = createClientCredentials(real.worker.db, createAesGcmCipher(['encryption_key-of-the-tests']));
    const own = { kind: 'token' as const, accessToken: real.provider.accessToken, webhookSecret: OWN_SECRET };
    await store(credentials, client.id, own);
    await real.app.query('update charges set retry_at = null where debt_id = $1', [debtor.id]);
    await real.app.get(`/checkout/${debtor.id}`);
    const { providerPaymentId } = await readPayment(debtor);
    const id = providerPaymentId ?? '';

    expect(await notify(real.app, id, { account: client.id, secret: OWN_SECRET })).toBe(200);
    expect(await notify(real.app, id, { account: (await real.app.newClient()).id, secret: OWN_SECRET })).toBe(401);
    expect(await notify(real.app, id, { secret: OWN_SECRET })).toBe(401);
  });

  it('has credentials that are encrypted again with the present key when they are read', async () => {
    const client = await real.app.newClient();
    const own = { kind: 'token' as const, accessToken: 'token', webhookSecret: null };
    const old = createClientCredentials(real.worker.db, createAesGcmCipher(['old-key']));
    await store(old, client.id, own);
    const [before] = await stored(client.id);
    const rotated = createClientCredentials(real.worker.db, createAesGcmCipher(['new-key', 'old-key']));
    const token = { credentials: { kind: 'token', accessToken: 'token' } };
    expect(await rotated.connected(client.id, ['mercadopago'])).toMatchObject(token);
    const [after] = await stored(client.id);
    expect(after?.sealed).not.toBe(before?.sealed);
    const now = createClientCredentials(real.worker.db, createAesGcmCipher(['new-key']));
    expect(await now.connected(client.id, ['mercadopago'])).toMatchObject(token);
  });

  it('has credentials that cannot be decrypted in another client’s row', async () => {
    const [one, two] = [await real.app.newClient(), await real.app.newClient()];
    const credentials = createClientCredentials(real.worker.db, createAesGcmCipher(['key']));
    for (const { id } of [one, two]) {
      await store(credentials, id, { kind: 'token', accessToken: id, webhookSecret: null });
    }
    const [stolen] = await stored(one.id);
    await real.app.query('update client_credentials set sealed = $2 where client_id = $1', [two.id, stolen?.sealed]);
    await expect(credentials.connected(two.id, ['mercadopago'])).rejects.toThrow('damaged');
  });
});

it('comes from the environment on a deployment for one company', async () => {
  const single = await startRealApp({ roles: ['api'] });
  try {
    expect((await newCharge(single)).providerId).toMatch(/^\d+$/);
  } finally {
    await single.close();
  }
});
