/**
 * `npm run sbom` writes the components of the product as CycloneDX JSON to build/sbom.cdx.json. npm creates the list
 * from the lock file. The Temporal program, which is not in the lock file, is added with its required checksums.
 * Development packages are left out unless `--all` is given.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  ARCHIVE_BASE,
  ARCHIVE_SHA256,
  archivePath,
  TEMPORAL_VERSION,
} from '../src/platform/runtime/temporal-archives.ts';
import { lockedPackages } from './audit/lock.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'build', 'sbom.cdx.json') },
  },
});

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  [key: string]: unknown;
}
interface Bom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const npmSbom = (): Bom => {
  const options = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    '--loglevel=error',
  ];
  const outer = process.env['npm_execpath'];
  const [command, args] = outer?.endsWith('.js') === true ? [process.execPath, [outer, ...options]] : ['npm', options];
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (done.status === 0) return JSON.parse(done.stdout) as Bom;
  process.stderr.write(
    `npm could not write the SBOM (npm 10 or later is needed): ${done.stderr || done.error?.message}\n`,
  );
  process.exit(1);
};

const temporal: Component = {
  'bom-ref': `temporal-cli@${TEMPORAL_VERSION}`,
  type: 'application',
  name: 'temporal-cli',
  version: TEMPORAL_VERSION,
  scope: 'optional',
  description: 'Temporal’s development server, downloaded or built where no TEMPORAL_ADDRESS is set.',
  licenses: [{ license: { id: 'MIT' } }],
  purl: `pkg:golang/github.com/temporalio/cli@v${TEMPORAL_VERSION}`,
  externalReferences: Object.entries(ARCHIVE_SHA256).map(([platform, content]) => ({
    type: 'distribution',
    url: `${ARCHIVE_BASE}${archivePath(TEMPORAL_VERSION, platform)}`,
    comment: platform,
    hashes: [{ alg: 'SHA-256', content }],
  })),
};

/**
 * Uses the marks of the lock file: `npm sbom --omit=dev` also drops packages that product and tests share (npm/cli
 * issue 7909).
 */
const withoutDevelopment = (bom: Bom): Bom => {
  const needed = new Set(
    lockedPackages(join(root, 'package-lock.json')).flatMap(({ dev, name, version }) =>
      dev ? [] : `${name}@${version}`,
    ),
  );
  const components = bom.components.filter(({ name, version }) => needed.has(`${name}@${version}`));
  const kept = new Set([bom.metadata.component, ...components].map((one) => one['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  return { ...bom, components, dependencies };
};

const bom = values.all ? npmSbom() : withoutDevelopment(npmSbom());
const product = bom.metadata.component;
// npm names the product after its folder, so the name of package.json replaces that name.
product.name = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name;
bom.components.push(temporal);
bom.dependencies.push({ ref: temporal['bom-ref'], dependsOn: [] });
bom.dependencies.find(({ ref }) => ref === product['bom-ref'])?.dependsOn.push(temporal['bom-ref']);
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, `${JSON.stringify(bom, null, 2)}\n`);
process.stdout.write(`${bom.components.length} components in ${values.out}\n`);
