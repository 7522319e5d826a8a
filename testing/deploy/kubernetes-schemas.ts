import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { cacheFolder } from '../../src/platform/runtime/go-programs.ts';
import { fetchModule, type GoModule } from '../go/go.ts';

/** The modules contain the interface of the servers as data (Apache License 2.0); nothing of them is compiled. */
const KUBERNETES: GoModule = {
  path: 'k8s.io/kubernetes',
  version: 'v1.36.3',
  sum: 'h1:qDQdoMiluAE2Eab6Fa52YV+WjiGz9mZFFoagEA6cI+o=',
};
const KEDA: GoModule = {
  path: 'github.com/kedacore/keda/v2',
  version: 'v2.21.0',
  sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
};
const PROMETHEUS_OPERATOR: GoModule = {
  path: 'github.com/prometheus-operator/prometheus-operator',
  version: 'v0.85.0',
  sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
};

export const KUBERNETES_VERSION = KUBERNETES.version.slice(1);
const FOLDER = join(
  cacheFolder(),
  `kubernetes-schemas-${KUBERNETES_VERSION}-${KEDA.version}-${PROMETHEUS_OPERATOR.version}`,
);

type Schema = { readonly [key: string]: unknown };
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers are accepted where the server reads a number or a text, and unknown fields nowhere that fields are declared. */
const strict = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(strict);
  if (!isSchema(value)) return value;
  if (value['x-kubernetes-int-or-string'] === true || value['format'] === 'int-or-string') {
    return { type: ['string', 'integer'] };
  }
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strict(one)]));
  const closes =
    isSchema(value['properties']) &&
    value['additionalProperties'] === undefined &&
    value['x-kubernetes-preserve-unknown-fields'] !== true;
  return closes ? { ...inner, additionalProperties: false } : inner;
};

const referred = (schema: unknown): string[] => {
  const names = [...JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name!);
  return [...new Set(names)];
};

/** The kind's definition with every definition that it uses. */
function standalone(
  name: string,
  { group, version, kind }: Kind,
  definitions: Readonly<Record<string, Schema>>,
): Schema {
  const used = new Set<string>([name]);
  for (const one of used) for (const next of referred(definitions[one])) used.add(next);
  const own = definitions[name]!;
  const fixed = { apiVersion: { const: group === '' ? version : `${group}/${version}` }, kind: { const: kind } };
  return {
    ...own,
    properties: { ...(own['properties'] as Schema), ...fixed },
    required: [...new Set([...((own['required'] as string[] | undefined) ?? []), 'apiVersion', 'kind'])],
    definitions: Object.fromEntries([...used].map((one) => [one, definitions[one]])),
  };
}

/** The file in which kubeconform looks for a kind. */
const fileOf = ({ group, version, kind }: Kind): string =>
  [kind, ...(group === '' ? [] : [group.split('.')[0]!]), version].join('-').toLowerCase().concat('.json');

async function ownKinds(write: (kind: Kind, schema: Schema) => Promise<void>): Promise<void> {
  const folder = await fetchModule(KUBERNETES);
  const { definitions } = JSON.parse(await readFile(join(folder, 'api/openapi-spec/swagger.json'), 'utf8')) as {
    definitions: Record<string, Schema>;
  };
  const closed = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [
      name,
      name.endsWith('.api.resource.Quantity') ? { type: ['string', 'number'] } : (strict(schema) as Schema),
    ]),
  );
  for (const [name, schema] of Object.entries(definitions)) {
    const kinds = (schema['x-kubernetes-group-version-kind'] as Kind[] | undefined) ?? [];
    // Kinds with several groups are options of calls and not objects that a chart has.
    if (kinds.length === 1 && isSchema(schema['properties']))
      await write(kinds[0]!, standalone(name, kinds[0]!, closed));
  }
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

async function customKinds(
  module: GoModule,
  files: readonly string[],
  write: (kind: Kind, schema: Schema) => Promise<void>,
): Promise<void> {
  const folder = await fetchModule(module);
  for (const file of files) {
    const { spec } = load(await readFile(join(folder, file), 'utf8')) as Definition;
    for (const { name, schema } of spec.versions) {
      const kind = { group: spec.group, version: name, kind: spec.names.kind };
      await write(kind, strict(schema.openAPIV3Schema) as Schema);
    }
  }
}

/** Returns where kubeconform finds the schemas, which are made once on a machine. */
export async function kubernetesSchemas(): Promise<string> {
  const location = join(FOLDER, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  if (existsSync(FOLDER)) return location;
  await mkdir(cacheFolder(), { recursive: true });
  const draft = await mkdtemp(join(cacheFolder(), 'kubernetes-schemas-incoming-'));
  const write = (kind: Kind, schema: Schema) => writeFile(join(draft, fileOf(kind)), JSON.stringify(schema));
  await ownKinds(write);
  await customKinds(KEDA, ['config/crd/bases/keda.sh_scaledobjects.yaml'], write);
  const monitors = ['servicemonitors', 'podmonitors'].map(
    (name) => `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`,
  );
  await customKinds(PROMETHEUS_OPERATOR, monitors, write);
  try {
    await rename(draft, FOLDER);
  } catch (error) {
    await rm(draft, { recursive: true });
    // Another run on this machine has made the same schemas meanwhile.
    if (!existsSync(FOLDER)) throw error;
  }
  return location;
}
