import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, type LoadOptions, loadConfig, type RawEnvironment, readEnvironment } from './index.ts';
import { SECRET_NAMES, VARIABLES } from './schema.ts';
import { readTemporalConfig } from './temporal-config.ts';

const kept: LoadOptions = { keptSecret: (name) => `kept-${name}` };
const load = (env: RawEnvironment) => loadConfig(env, kept);

const problemsOf = (run: () => unknown): string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

const production = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name}-of-thirty-two-characters`]));

describe('configuration', () => {
  it('has the defaults of the contract', () => {
    expect(load({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: '.data',
      databaseUrl: undefined,
      temporal: { address: undefined, namespace: 'default', port: 7233, uiPort: 8233, taskQueue: 'quita' },
      jwtSecret: ['kept-JWT_SECRET'],
      personSecret: 'kept-PERSON_SECRET',
      accessTokenTtl: 900_000,
      loginRatePerMinute: 5,
      signupRatePerMinute: 30,
      publicRatePerMinute: 600,
      clientRatePerMinute: 600,
      maxConnections: 10_000,
      trustProxy: 0,
      corsOrigins: [],
      oidcIssuers: [],
      paymentProviders: [],
      pixMtlsProxies: undefined,
      messagingChannels: [],
      singleClient: false,
      agent: 'rules',
      sandboxMaxWait: 2_000,
      clockOffset: 0,
      roles: ['api', 'worker', 'relay'],
    });
  });

  it('uses the port in the default public URL, and drops a slash at the end of a given one', () => {
    expect(load({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(load({ PUBLIC_URL: 'https://pay.example.com/quita/' }).publicUrl).toBe('https://pay.example.com/quita');
  });

  it('treats an empty variable as not set', () => {
    expect(load({ DATABASE_URL: '', PORT: ' ', JWT_SECRET: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  it('lists all problems at once, one line each, and repeats no value', () => {
    const problems = problemsOf(() =>
      load({
        PORT: '70000',
        DATABASE_URL: 'mysql://user:hunter2@host/db',
        SANDBOX_MAX_WAIT: 'soon',
        AGENT: 'llm',
        PAYMENT_PROVIDER: 'mercadopago',
        SMTP_URL: 'smtp://user:hunter2@host',
      }),
    );
    const names = problems.map((line) => line.split(/[: ]/)[0]).sort();
    expect(names).toEqual(
      ['PORT', 'DATABASE_URL', 'SANDBOX_MAX_WAIT', 'LLM_BASE_URL', 'LLM_MODEL', 'PAYMENT_PROVIDER', 'MAIL_FROM'].sort(),
    );
    expect(problems.join('')).not.toMatch(/hunter2|\n/);
  });

  it.each([
    [{ PORT: '3000.5' }],
    [{ PORT: '-1' }],
    [{ HOST: '127.0.0.1', TRUST_PROXY: 'true' }],
    [{ PUBLIC_URL: 'pay.example.com' }],
    [{ PUBLIC_URL: 'https://pay.example.com/?a=1' }],
    [{ TEMPORAL_ADDRESS: 'temporal.example.com' }],
    [{ ACCESS_TOKEN_TTL: '15' }],
    [{ ACCESS_TOKEN_TTL: '25h' }],
    [{ LOGIN_RATE_PER_MINUTE: '0' }],
    [{ CORS_ORIGINS: 'https://app.example.com/path' }],
    [{ CORS_ORIGINS: '*' }],
    [{ PIX_MTLS_PROXIES: 'proxy.example' }],
    [{ PIX_MTLS_PROXIES: '10.0.0.0/33' }],
    [{ SINGLE_CLIENT: 'yes please' }],
    [{ JWT_SECRET: ' , ' }],
    [{ NODE_ENV: 'staging' }],
    [{ MESSAGING_CHANNEL: 'fax' }],
    [{ MESSAGING_CHANNEL: 'sandbox,whatsapp' }],
    [{ MESSAGING_CHANNEL: 'whatsapp,whatsapp' }],
    [{ TWILIO_ACCOUNT_SID: 'AC1' }],
    [{ OIDC_ISSUER: 'http://login.example.com', OIDC_AUDIENCE: 'quita' }],
    [{ OIDC_ISSUER: '["https://login.example.com", 3]', OIDC_AUDIENCE: 'quita' }],
    [{ OIDC_ISSUER: 'https://login.example.com' }],
    [{ OIDC_CLIENT_ID: 'quita' }],
    [{ OIDC_CLIENT_SECRET: 'secret' }],
    [{ MAIL_FROM: 'nobody' }],
    [{ CLOCK_OFFSET: '5' }],
    [{ CLOCK_OFFSET: '-' }],
    [{ CLOCK_OFFSET: '2d 3h' }],
    [{ CLOCK_OFFSET: '2h-3m' }],
    [{ CLOCK_OFFSET: '--2h' }],
    [{ CLOCK_OFFSET: '1.5h' }],
    [{ CLOCK_OFFSET: '367d' }],
    [{ CLOCK_OFFSET: '-366d1ms' }],
    [{ CLOCK_OFFSET: '99999999999999999999d' }],
    [{ TEMPORAL_API_KEY: 'key' }],
    [{ TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: '/nowhere.key' }],
  ])('refuses %j', (env) => {
    expect(problemsOf(() => load(env))).not.toEqual([]);
  });

  it('refuses a real provider with a sandbox channel, and a sandbox provider with a real channel', () => {
    const mix = 'PAYMENT_PROVIDER and MESSAGING_CHANNEL must both be real or both be sandbox';
    expect(problemsOf(() => load({ PAYMENT_PROVIDER: 'mercadopago' }))).toEqual([mix]);
    const whatsapp = { WHATSAPP_VERIFY_TOKEN: 'v' };
    expect(problemsOf(() => load({ MESSAGING_CHANNEL: 'whatsapp', ...whatsapp }))).toEqual([mix]);
    expect(load({ PAYMENT_PROVIDER: 'mercadopago', MESSAGING_CHANNEL: 'whatsapp', ...whatsapp })).toMatchObject({
      paymentProviders: ['mercadopago'],
      messagingChannels: ['whatsapp'],
    });
  });

  it('requires the credentials of a single client, and ignores them where each client has its own', () => {
    const real = {
      PAYMENT_PROVIDER: 'mercadopago',
      MESSAGING_CHANNEL: 'whatsapp',
      WHATSAPP_VERIFY_TOKEN: 'v',
    };
    expect(problemsOf(() => load({ ...real, SINGLE_CLIENT: 'true' }))).toHaveLength(4);
    const own = {
      MERCADOPAGO_ACCESS_TOKEN: 'a',
      WHATSAPP_TOKEN: 'b',
      WHATSAPP_PHONE_NUMBER_ID: '123',
      WHATSAPP_BUSINESS_ACCOUNT_ID: '456',
    };
    expect(load({ ...real, ...own, SINGLE_CLIENT: 'true' }).whatsappPhoneNumberId).toBe('123');
    expect(load({ ...real, ...own }).mercadopagoAccessToken).toBeUndefined();
  });

  it.each([
    ['2d3h', 51 * 3_600_000],
    ['-5h', -5 * 3_600_000],
    [' 1h30m5s250ms ', 5_405_250],
    ['366d', 366 * 86_400_000],
    ['-366d', -366 * 86_400_000],
    ['0s', 0],
    ['-0d', 0],
    ['', 0],
  ])('shifts the clock by %j', (CLOCK_OFFSET, clockOffset) => {
    expect(load({ CLOCK_OFFSET }).clockOffset).toBe(clockOffset);
  });

  it('refuses to shift the clock in production, by whatever it is', () => {
    const problem = 'CLOCK_OFFSET: is for development only, and must not be set in production';
    for (const CLOCK_OFFSET of ['2d3h', '-5h', '0s']) {
      const env = { NODE_ENV: 'production', ...production, CLOCK_OFFSET };
      expect(problemsOf(() => loadConfig(env, { roles: ['relay'] }))).toEqual([problem]);
    }
  });

  it('keeps the order of several channels, and requires what each of them needs', () => {
    const real = { PAYMENT_PROVIDER: 'mercadopago', MESSAGING_CHANNEL: 'zenvia, twilio,email' };
    expect(problemsOf(() => load(real)).map((line) => line.split(':')[0])).toEqual(['SMTP_URL', 'MAIL_FROM']);
    const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com' };
    expect(load({ ...real, ...mail }).messagingChannels).toEqual(['zenvia', 'twilio', 'email']);
    const single = problemsOf(() => load({ ...real, ...mail, SINGLE_CLIENT: 'true' }));
    expect(single.map((line) => line.split(':')[0])).toEqual([
      'MERCADOPAGO_ACCESS_TOKEN',
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
      'TWILIO_FROM',
      'ZENVIA_TOKEN',
      'ZENVIA_FROM',
    ]);
  });

  it('reads several secrets from one variable, and keeps their order', () => {
    expect(load({ RECEIPT_SECRET: 'new, old ,older' }).receiptSecret).toEqual(['new', 'old', 'older']);
    expect(load({ PERSON_SECRET: 'one,with,commas' }).personSecret).toBe('one,with,commas');
  });

  it('takes one issuer, or several as a JSON list, without normalising them', () => {
    const audience = 'quita';
    const one = load({ OIDC_ISSUER: 'http://127.0.0.1:4000/', OIDC_AUDIENCE: audience });
    expect(one.oidcIssuers).toEqual([{ issuer: 'http://127.0.0.1:4000/', audience }]);
    const two = load({ OIDC_ISSUER: '["https://a.example.com","https://b.example.com/"]', OIDC_AUDIENCE: audience });
    expect(two.oidcIssuers.map(({ issuer }) => issuer)).toEqual(['https://a.example.com', 'https://b.example.com/']);
  });

  it('takes the audience as the client of the console unless another is named', () => {
    const env = { OIDC_ISSUER: '["https://a.example.com","https://b.example.com/"]', OIDC_AUDIENCE: 'quita' };
    expect(load(env).consoleIdentity).toEqual({ issuer: 'https://a.example.com', clientId: 'quita' });
    const named = load({ ...env, OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'of the console' });
    expect(named.consoleIdentity).toEqual({ issuer: 'https://a.example.com', clientId: 'console' });
    expect(named.oidcClientSecret).toBe('of the console');
    expect(load({}).consoleIdentity).toBeNull();
  });

  it('generates no secret in production: each missing secret is a problem', () => {
    const asked: string[] = [];
    const options: LoadOptions = { keptSecret: (name) => asked.push(name).toString() };
    const problems = problemsOf(() => loadConfig({ NODE_ENV: 'production' }, options));
    expect(problems).toEqual(SECRET_NAMES.map((name) => `${name}: is needed in production`));
    expect(asked).toEqual([]);
    expect(loadConfig({ NODE_ENV: 'production', ...production }, options).nodeEnv).toBe('production');
  });

  it('requires the secrets that each role uses, and gives a process no other generated secret', () => {
    const asked: string[] = [];
    const missing = (options: LoadOptions) =>
      problemsOf(() => loadConfig({ NODE_ENV: 'production' }, options)).map((line) => line.split(':')[0]);
    const kept = { keptSecret: (name: string) => asked.push(name).toString() };
    expect(missing({ roles: ['api'], ...kept })).toEqual([...SECRET_NAMES]);
    expect(missing({ roles: ['worker'], ...kept })).toEqual(['RECEIPT_SECRET', 'ENCRYPTION_KEY', 'PERSON_SECRET']);
    expect(missing({ roles: ['relay'], ...kept })).toEqual([]);
    expect(missing({ roles: ['relay', 'worker'], ...kept })).toHaveLength(3);
    expect(missing({ roles: [], secrets: ['ENCRYPTION_KEY'], ...kept })).toEqual(['ENCRYPTION_KEY']);
    const relay = loadConfig({ NODE_ENV: 'production' }, { roles: ['relay'], ...kept });
    expect(relay).toMatchObject({ jwtSecret: [], receiptSecret: [], encryptionKey: [], personSecret: '' });
    expect(asked).toEqual([]);
    expect(problemsOf(() => loadConfig({}, { roles: ['worker'] }))).toHaveLength(3);
  });

  it('requires of a relay nothing that only the API and workers use', () => {
    const real = {
      PAYMENT_PROVIDER: 'mercadopago',
      MESSAGING_CHANNEL: 'whatsapp',
      SINGLE_CLIENT: 'true',
      AGENT: 'llm',
    };
    const missing = (roles: LoadOptions['roles'] & {}) =>
      problemsOf(() => loadConfig(real, { ...kept, roles })).map((line) => line.split(':')[0]);
    expect(missing(['relay'])).toEqual([]);
    expect(missing(['worker'])).not.toContain('WHATSAPP_VERIFY_TOKEN');
    expect(missing(['api'])).toContain('WHATSAPP_VERIFY_TOKEN');
  });

  it('lists files that cannot be read together with every other problem', () => {
    const env = { PORT: 'x', TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere.pem' };
    expect(problemsOf(() => load(env)).map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    ]);
  });

  it('generates the webhook secrets for real adapters too, outside production', () => {
    const real = { PAYMENT_PROVIDER: 'mercadopago', MESSAGING_CHANNEL: 'whatsapp', WHATSAPP_VERIFY_TOKEN: 'v' };
    const asked: string[] = [];
    loadConfig(real, { keptSecret: (name) => asked.push(name).toString() });
    expect(asked).toEqual([...SECRET_NAMES, 'EVIDENCE_KEYS']);
  });

  it('creates no secret when the environment has another problem', () => {
    const asked: string[] = [];
    const options: LoadOptions = { keptSecret: (name) => asked.push(name).toString() };
    expect(problemsOf(() => loadConfig({ PORT: 'x' }, options))).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  it('lists the missing secrets when no function returns stored ones', () => {
    expect(problemsOf(() => loadConfig({}))).toEqual(SECRET_NAMES.map((name) => `${name}: is not set`));
  });

  it('prefers the environment to the .env file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quita-env-'));
    writeFileSync(join(folder, '.env'), 'QUITA_TEST_ONLY="from the file"\nPATH=/from/the/file\n');
    const env = readEnvironment(folder);
    expect(env['QUITA_TEST_ONLY']).toBe('from the file');
    expect(env['PATH']).toBe(process.env['PATH']);
  });

  it('reads the TLS files of Temporal', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quita-tls-'));
    const [cert, key] = [join(folder, 'c.pem'), join(folder, 'k.pem')];
    writeFileSync(cert, 'C');
    writeFileSync(key, 'K');
    const { temporal } = load({
      TEMPORAL_ADDRESS: 'a.b:7233',
      TEMPORAL_TLS_CLIENT_CERT_PATH: cert,
      TEMPORAL_TLS_CLIENT_KEY_PATH: key,
    });
    expect(temporal.tls).toEqual({ clientCertPair: { crt: Buffer.from('C'), key: Buffer.from('K') } });
    expect(load({ TEMPORAL_ADDRESS: 'a.b:7233', TEMPORAL_API_KEY: 'k' }).temporal.tls).toBeUndefined();
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const entries = [...text.matchAll(/^#? ?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name, value]) => ({ name, value }));

  it('lists every variable once, and no other', () => {
    expect(entries.map(({ name }) => name).sort()).toEqual([...VARIABLES].sort());
  });

  it('sets only default values', () => {
    const set = Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    expect(load(set)).toEqual(load({}));
  });

  it('contains only valid examples', () => {
    const shown = Object.fromEntries(
      entries.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]),
    );
    expect(problemsOf(() => load(shown))).toEqual([]);
  });
});

describe('temporal.config.json', () => {
  const file = (content: string): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'quita-temporal-')), 'temporal.config.json');
    writeFileSync(path, content);
    return path;
  };

  it('holds the task queue, the namespace, limits, retention and search attributes', () => {
    expect(readTemporalConfig()).toMatchObject({
      taskQueue: 'quita',
      namespace: 'default',
      searchAttributes: {
        ClientId: 'Keyword',
        CampaignId: 'Keyword',
        DebtId: 'Keyword',
        Sandbox: 'Bool',
        Attention: 'Keyword',
        EndedAs: 'Keyword',
      },
    });
  });

  it('has lower precedence than the environment', () => {
    expect(load({ TEMPORAL_NAMESPACE: 'collections' }).temporal.namespace).toBe('collections');
  });

  it('is refused with a list of its problems', () => {
    expect(problemsOf(() => readTemporalConfig(file('{')))).toEqual(['temporal.config.json is not valid JSON']);
    const known = readTemporalConfig();
    const worker = { ...known.worker, maxCachedWorkflows: -1 };
    const wrong = { ...known, taskQueue: 7, worker, apiKey: 'secret' };
    const problems = problemsOf(() => readTemporalConfig(file(JSON.stringify(wrong))));
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(/taskQueue.*\n.*maxCachedWorkflows.*\n.*apiKey/s);
  });
});
