import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { fetchModule, type GoModule } from '../../testing/go/go.ts';
import { ROOT } from '../startup/support.ts';

/** Compose's own parser, of which only the schema of the published specification is read (Apache License 2.0). */
const COMPOSE_PARSER: GoModule = {
  path: 'github.com/compose-spec/compose-go/v2',
  version: 'v2.16.2',
  sum: 'h1:pTp1DqQwJzFd85GzlWsSszKA1ABrV/ySqsClujIcWA8=',
};

it('fits the schema of the Compose specification', async () => {
  // YAML 1.1 has the merge key, which Compose supports too.
  const compose = load(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { schema: YAML11_SCHEMA }) as {
    readonly services: Readonly<Record<string, object>>;
  };
  const folder = await fetchModule(COMPOSE_PARSER);
  const schema = JSON.parse(readFileSync(join(folder, 'schema/compose-spec.json'), 'utf8')) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const fits = ajv.compile(schema);
  // Compose ignores the anchors' own entries and replaces variables before it validates.
  const problems = (file: unknown) =>
    fits(file) ? [] : fits.errors?.map((one) => `${one.instancePath} ${one.message}`);
  expect(problems(compose)).toEqual([]);
  const broken = { services: { ...compose.services, relay: { ...compose.services['relay'], mem_limits: '1g' } } };
  expect(problems(broken)).toEqual([expect.stringContaining('/services/relay')]);
});
