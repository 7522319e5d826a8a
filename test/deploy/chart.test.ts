import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '../../src/platform/config/schema.ts';
import { ROOT } from '../startup/support.ts';

const CHART = join(ROOT, 'deploy/helm/quita');
const read = (file: string) => readFileSync(join(CHART, file), 'utf8');

// What the chart renders is judged by the long run (chart.long.ts), whose checker has to be compiled.
describe('the chart', () => {
  it('knows every variable: as plain configuration, in a template, or as one that the image sets or leaves out', () => {
    const { properties } = JSON.parse(read('values.schema.json')) as {
      properties: { config: { properties: Record<string, unknown> } };
    };
    const plain = Object.keys(properties.config.properties);
    const templates = readdirSync(join(CHART, 'templates')).map((file) => read(join('templates', file)));
    const named = templates.flatMap((text) => text.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
    // The image sets the first three. The others are for embedded servers and for development.
    const leftOut = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'CLOCK_OFFSET'];
    const known = new Set([...plain, ...named, ...leftOut]);
    expect(VARIABLES.filter((name) => !known.has(name))).toEqual([]);
    expect(plain.filter((name) => !(VARIABLES as readonly string[]).includes(name))).toEqual([]);
  });
});
