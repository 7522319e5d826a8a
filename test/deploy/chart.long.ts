import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { loadConfig, type Role } from '../../src/platform/config/index.ts';
import { SECRETS_OF_ROLES } from '../../src/platform/config/secrets.ts';
import { checkChart, type KubernetesObject, type Outcome } from '../../testing/deploy/check-chart.ts';
import { ROOT } from '../startup/support.ts';

const CHART = join(ROOT, 'deploy/helm/quita');
const read = (file: string) => load(readFileSync(join(CHART, file), 'utf8'));
const valuesOf = (file: string) => read(join('ci', file)) as Record<string, Record<string, unknown>>;
const FILES = readdirSync(join(CHART, 'ci'));

/** Values that the chart has to refuse, and what it says. */
const REFUSED = {
  nothing: { values: {}, says: /repository|PUBLIC_URL|address/ },
  'a secret among the values': {
    values: { ...valuesOf('smallest.yaml'), config: { PUBLIC_URL: 'https://a.example', JWT_SECRET: 'x'.repeat(32) } },
    says: /JWT_SECRET/,
  },
  'an address without https': {
    values: { ...valuesOf('smallest.yaml'), config: { PUBLIC_URL: 'http://a.example' } },
    says: /PUBLIC_URL/,
  },
  'a misspelled value': { values: { ...valuesOf('smallest.yaml'), workers: { replicas: 3 } }, says: /workers/ },
  'a network policy that names no database': {
    values: { ...valuesOf('smallest.yaml'), networkPolicy: { enabled: true } },
    says: /networkPolicy\.database\.peers/,
  },
  'KEDA without the address of Prometheus': {
    values: { ...valuesOf('smallest.yaml'), worker: { autoscaling: { by: 'keda' } } },
    says: /prometheusAddress/,
  },
};

let outcomes: ReadonlyMap<string, Outcome>;

beforeAll(async () => {
  const accepted = FILES.map((name) => ({ name, values: valuesOf(name) }));
  const refused = Object.entries(REFUSED).map(([name, { values }]) => ({ name, values }));
  outcomes = new Map((await checkChart(CHART, [...accepted, ...refused])).map((one) => [one.name, one]));
  // The checker is built here on a new machine.
}, 900_000);

const outcome = (name: string): Outcome => outcomes.get(name)!;
const objects = (name: string, kind: string): KubernetesObject[] =>
  outcome(name).objects.filter((object) => object.kind === kind);

interface Pod {
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the schemas have checked the form.
  readonly spec: any;
  // biome-ignore lint/suspicious/noExplicitAny: the schemas have checked the form.
  readonly container: any;
}

const pods = (name: string): Pod[] =>
  [...objects(name, 'Deployment'), ...objects(name, 'Job')].map(({ spec }) => {
    const { metadata, spec: pod } = spec.template;
    expect(pod.containers).toHaveLength(1);
    expect(pod.initContainers).toBeUndefined();
    return {
      component: metadata.labels['app.kubernetes.io/component'],
      labels: metadata.labels,
      spec: pod,
      container: pod.containers[0],
    };
  });
const pod = (name: string, component: string): Pod => pods(name).find((one) => one.component === component)!;

const selects = (selector: { matchLabels: Record<string, string> }, { labels }: Pod) =>
  Object.entries(selector.matchLabels).every(([key, value]) => labels[key] === value);

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}
const secretsOf = ({ container }: Pod) => (container.env as Variable[]).filter(({ valueFrom }) => valueFrom);
const required = (variables: readonly Variable[]) =>
  variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional !== true).map(({ name }) => name);

const ROLES: readonly Role[] = ['api', 'worker', 'relay'];
const CLUSTER = 'cluster.yaml';

describe.each(FILES)('the chart with ci/%s', (name) => {
  it('renders, passes the linter without a warning, and fits the strict schemas of Kubernetes', () => {
    const { refused, lint, invalid, objects: made } = outcome(name);
    expect({ refused, lint, invalid }).toEqual({ lint: [], invalid: [] });
    expect(made.length).toBeGreaterThan(8);
    const keys = made.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('runs no container as root, with a writable file system, a capability or a token of the cluster', () => {
    for (const { spec, container } of pods(name)) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const shared of ['hostNetwork', 'hostPID', 'hostIPC']) expect(spec[shared]).toBeUndefined();
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.image).toMatch(/^registry\.example\.com\/quita(?::\d+\.\d+\.\d+|@sha256:[0-9a-f]{64})$/);
      expect(container.resources).toMatchObject({
        requests: { cpu: expect.anything(), memory: expect.anything() },
        limits: { memory: expect.anything() },
      });
    }
  });

  it('contains no Secret and no value of one', () => {
    const made = outcome(name).objects;
    expect(made.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secretNames = new Set(pods(name).flatMap((one) => secretsOf(one).map((variable) => variable.name)));
    expect(secretNames.size).toBeGreaterThan(10);
    for (const { container } of pods(name)) {
      for (const { name: variable, value, valueFrom } of container.env as Variable[]) {
        expect([variable, secretNames.has(variable)]).toEqual([variable, valueFrom !== undefined]);
        expect([variable, value === undefined]).toEqual([variable, valueFrom !== undefined]);
      }
    }
    for (const { data } of objects(name, 'ConfigMap')) {
      expect(Object.keys(data ?? {}).filter((key) => secretNames.has(key))).toEqual([]);
    }
    expect(JSON.stringify(made)).not.toMatch(/:\/\/[^/"@\s]+:[^/"@\s]+@/);
  });

  it('gives each role the secrets that it uses, and the owner’s login to no process that serves', () => {
    for (const role of ROLES) {
      const variables = secretsOf(pod(name, role));
      expect(required(variables).sort()).toEqual(['DATABASE_URL', ...SECRETS_OF_ROLES[role]].sort());
      expect(new Set(variables.map(({ valueFrom }) => valueFrom!.secretKeyRef.name)).size).toBe(1);
      for (const { name: variable, valueFrom } of variables) {
        expect(valueFrom!.secretKeyRef.key).toBe(variable);
        expect(valueFrom!.secretKeyRef.name).toMatch(new RegExp(`-${role}$`));
      }
    }
    const optional = (role: Role) => secretsOf(pod(name, role)).filter((one) => one.valueFrom!.secretKeyRef.optional);
    expect(optional('relay').map((one) => one.name)).toEqual(['TEMPORAL_API_KEY', 'METRICS_TOKEN']);
  });

  it('probes every process that serves, and gives it time to end', () => {
    for (const role of ROLES) {
      const { spec, container } = pod(name, role);
      const port = role === 'api' ? 'http' : 'metrics';
      expect(container.startupProbe.httpGet).toEqual({ path: '/health/live', port });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/health/live', port });
      expect(container.readinessProbe.httpGet).toEqual({
        path: role === 'api' ? '/health/ready' : '/health/live',
        port,
      });
      expect(container.ports.map((one: { name: string }) => one.name)).toEqual([port]);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
      expect(container.args).toEqual([role]);
    }
    const metricsPort = (pod(name, 'worker').container.env as Variable[]).find((one) => one.name === 'METRICS_PORT');
    expect(Number(metricsPort?.value)).toBe(pod(name, 'worker').container.ports[0].containerPort);
  });

  it('selects exactly the pods of one role by each budget, Deployment and Service', () => {
    const budgets = objects(name, 'PodDisruptionBudget');
    expect(budgets).toHaveLength(3);
    const chosen = (selector: { matchLabels: Record<string, string> }) =>
      pods(name)
        .filter((one) => selects(selector, one))
        .map((one) => one.component);
    for (const { metadata, spec } of [...budgets, ...objects(name, 'Deployment')]) {
      expect(chosen(spec.selector)).toEqual([metadata.labels?.['app.kubernetes.io/component']]);
    }
    for (const { spec } of objects(name, 'Service')) expect(chosen({ matchLabels: spec.selector })).toEqual(['api']);
  });

  it('starts each role in production with its plain configuration and its secrets', () => {
    const config = objects(name, 'ConfigMap')[0]!.data!;
    // What the configuration of the examples asks for, where the role may have it.
    const needed: [string, string][] = [
      ...('MAIL_FROM' in config ? [['SMTP_URL', 'smtps://mail.example.com:465'] as [string, string]] : []),
      ['LLM_API_KEY', 'key'],
      ['WHATSAPP_VERIFY_TOKEN', 'token'],
    ];
    for (const role of ROLES) {
      const plain = (pod(name, role).container.env as Variable[]).filter(({ value }) => value !== undefined);
      const made = required(secretsOf(pod(name, role))).map((variable) => [variable, `${variable}-`.padEnd(40, 'x')]);
      const mayHave = secretsOf(pod(name, role)).map((variable) => variable.name);
      const env: Record<string, string | undefined> = {
        NODE_ENV: 'production',
        ...config,
        ...Object.fromEntries(plain.map(({ name: variable, value }) => [variable, value])),
        ...Object.fromEntries(made),
        DATABASE_URL: 'postgresql://quita_api_login:password@db.example.com/quita',
        ...Object.fromEntries(needed.filter(([variable]) => mayHave.includes(variable))),
      };
      // The paths of certificates exist in the pod only.
      const inPod = Object.fromEntries(Object.entries(env).filter(([variable]) => !variable.endsWith('_PATH')));
      expect(loadConfig(inPod, { roles: [role] })).toMatchObject({ nodeEnv: 'production', roles: [role] });
    }
  });
});

describe('the chart', () => {
  it.each(Object.keys(REFUSED))('refuses %s', (name) => {
    expect(outcome(name).refused).toMatch(REFUSED[name as keyof typeof REFUSED].says);
  });

  it('runs the image of the package’s version unless the values name another', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(pod('smallest.yaml', 'api').container.image).toBe(`registry.example.com/quita:${version}`);
  });

  it('migrates by a hook before each install and upgrade, with the owner’s login and nothing else', () => {
    const [job] = objects(CLUSTER, 'Job');
    expect(job!.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const migrate = pod(CLUSTER, 'migrate');
    expect(secretsOf(migrate).map(({ name }) => name)).toEqual([
      'DATABASE_URL',
      'DATABASE_API_PASSWORD',
      'DATABASE_WORKER_PASSWORD',
    ]);
    for (const { valueFrom } of secretsOf(migrate)) expect(valueFrom!.secretKeyRef.name).toBe('quita-owner');
    expect(migrate.container.envFrom).toBeUndefined();
  });

  it('keeps a Deployment for the operator’s commands, of which no pod runs', () => {
    const [operator] = objects(CLUSTER, 'Deployment').filter(({ metadata }) => metadata.name.endsWith('-operator'));
    expect(operator!.spec.replicas).toBe(0);
    expect(objects('cloud.yaml', 'Deployment').map(({ metadata }) => metadata.name)).toEqual([
      'pay-api',
      'pay-worker',
      'pay-relay',
    ]);
  });

  it('denies all traffic but the named, and opens the internet to no relay and no migration', () => {
    const policies = objects(CLUSTER, 'NetworkPolicy');
    const [deny] = policies.filter(({ metadata }) => metadata.name === 'quita-deny');
    expect(deny!.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect([deny!.spec.ingress, deny!.spec.egress]).toEqual([undefined, undefined]);
    for (const one of pods(CLUSTER)) expect(selects(deny!.spec.podSelector, one)).toBe(true);
    for (const name of [CLUSTER, 'cloud.yaml']) {
      const byRole = objects(name, 'NetworkPolicy').filter(({ metadata }) => !metadata.name.endsWith('-deny'));
      for (const { spec, metadata } of byRole) {
        const chosen = pods(name).filter((one) => selects(spec.podSelector, one));
        expect(chosen.map((one) => one.component)).toEqual([metadata.labels?.['app.kubernetes.io/component']]);
        for (const rule of spec.egress) {
          expect(rule.to.length).toBeGreaterThan(0);
          expect(rule.ports.length).toBeGreaterThan(0);
        }
        for (const rule of spec.ingress) expect(rule.from.length).toBeGreaterThan(0);
      }
    }
    const egressOf = (component: string) =>
      policies.find(({ metadata }) => metadata.name === `quita-${component}`)!.spec.egress as {
        to: { ipBlock?: { cidr: string; except: string[] } }[];
        ports: { port: number }[];
      }[];
    const internet = (component: string) =>
      egressOf(component).filter(({ to }) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'));
    expect(internet('relay')).toEqual([]);
    expect(internet('migrate')).toEqual([]);
    for (const component of ['api', 'worker']) {
      const [rule] = internet(component);
      expect(rule!.ports.map(({ port }) => port)).toEqual([443, 465, 587]);
      expect(rule!.to[0]!.ipBlock!.except).toEqual(
        expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16']),
      );
    }
    expect(egressOf('migrate').flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53, 5432]);
  });

  it('lets nobody but the ingress controller and the monitoring reach the API', () => {
    const api = objects(CLUSTER, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'quita-api')!;
    expect(api.spec.ingress).toEqual([
      {
        from: ['ingress-nginx', 'monitoring'].map((space) => ({
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': space } },
        })),
        ports: [{ port: 'http', protocol: 'TCP' }],
      },
    ]);
  });

  it('scales the API by its CPU and the workers by how long tasks wait, and names no number of replicas then', () => {
    const scalers = objects(CLUSTER, 'HorizontalPodAutoscaler');
    expect(scalers.map(({ spec }) => spec.scaleTargetRef.name)).toEqual(['quita-api', 'quita-worker']);
    expect(scalers[1]!.spec.metrics).toEqual([
      {
        type: 'External',
        external: {
          metric: { name: 'quita_task_backlog_seconds', selector: { matchLabels: { work: 'answers' } } },
          target: { type: 'Value', value: '5' },
        },
      },
    ]);
    const [keda] = objects('cloud.yaml', 'ScaledObject');
    expect(keda!.spec.triggers[0].metadata.query).toBe('max(quita_task_backlog_seconds{namespace="collections"})');
    expect(objects('cloud.yaml', 'HorizontalPodAutoscaler')).toEqual([]);
    const replicas = (name: string, component: string) =>
      objects(name, 'Deployment').find(({ metadata }) => metadata.name.endsWith(`-${component}`))!.spec.replicas;
    expect([replicas(CLUSTER, 'api'), replicas(CLUSTER, 'worker'), replicas(CLUSTER, 'relay')]).toEqual([
      undefined,
      undefined,
      2,
    ]);
    expect([replicas('cloud.yaml', 'api'), replicas('cloud.yaml', 'worker')]).toEqual([3, undefined]);
  });

  it('shows Prometheus every role with the token of METRICS_TOKEN', () => {
    const monitors = [...objects(CLUSTER, 'ServiceMonitor'), ...objects(CLUSTER, 'PodMonitor')];
    const seen = monitors.map(({ spec, metadata }) => {
      const [endpoint] = spec.endpoints ?? spec.podMetricsEndpoints;
      expect(endpoint.authorization.credentials.key).toBe('METRICS_TOKEN');
      return [metadata.labels?.['app.kubernetes.io/component'], endpoint.port, endpoint.authorization.credentials.name];
    });
    expect(seen).toEqual([
      ['api', 'http', 'quita-api'],
      ['worker', 'metrics', 'quita-worker'],
      ['relay', 'metrics', 'quita-relay'],
    ]);
  });
});
