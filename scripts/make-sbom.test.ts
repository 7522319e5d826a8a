import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { lockedPackages } from './audit/lock.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const schemas = join(dirname(require.resolve('@cyclonedx/cyclonedx-library/package.json')), 'res', 'schema');
const schema = (name: string): object =>
  JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;

/** Validates by the published schema of the version and by the schemas of licences and signatures that it refers to. */
const validator = (version: string) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // The validator does not know these formats itself.
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
  ajv.addSchema(schema('spdx'), 'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json');
  ajv.addSchema(schema('jsf-0.82'), 'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json');
  return ajv.compile(schema(`bom-${version}`));
};

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string }[];
  readonly externalReferences?: readonly { readonly hashes?: readonly object[] }[];
}
interface Bom {
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const make = (...args: string[]): Bom => {
  const out = join(mkdtempSync(join(tmpdir(), 'quita-sbom-')), 'sbom.cdx.json');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/make-sbom.ts', '--out', out, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(out, 'utf8')) as Bom;
};

const bom = make();

describe('npm run sbom', () => {
  it('is valid by the published schema of its version, which refuses an SBOM with a deliberate error', () => {
    const validate = validator(bom.specVersion);
    validate(bom);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...bom, components: [{ type: 'library' }] })).toBe(false);
  });

  it('lists every package that the product needs with a checksum, and none that only its tests need', () => {
    const wanted = lockedPackages(join(root, 'package-lock.json')).filter(({ dev }) => !dev);
    const names = bom.components.map(({ name, version }) => `${name}@${version}`);
    expect(names.sort()).toEqual(
      [...wanted.map(({ name, version }) => `${name}@${version}`), 'temporal-cli@1.9.1'].sort(),
    );
    const bare = bom.components.filter(({ hashes, externalReferences }) => !hashes && !externalReferences?.[0]?.hashes);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('names the product independently of its folder, and depends only on components that it lists', () => {
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Component;
    expect(bom.metadata.component).toMatchObject({ name, version, type: 'application' });
    const refs = new Set(bom.dependencies.map(({ ref }) => ref));
    for (const { dependsOn } of bom.dependencies) for (const one of dependsOn) expect(refs).toContain(one);
  });

  it('includes the development packages with --all', () => {
    expect(make('--all').components.length).toBeGreaterThan(bom.components.length);
  });
});
