import { z } from 'zod';
import { defineRoute } from '../../../src/platform/http/define-route.ts';

export const KIB = 1024;
export const LIMIT = 256 * KIB;
const ok = { 200: { description: 'Taken', schema: z.object({}) } } as const;

export const manyNumbers = defineRoute({
  method: 'POST',
  path: '/api/numbers',
  operationId: 'sampleNumbers',
  summary: 'A sample',
  tags: ['Samples'],
  auth: 'none',
  errors: [],
  body: z.object({ list: z.array(z.int()).max(500), word: z.string().min(2) }),
  query: z.object({ take: z.string().max(3).optional() }),
  responses: ok,
  handler: async () => ({ status: 200, body: {} }),
});

export const NUL = '\\u0000';
export const filled = (before: string, unit: string, after: string): string => {
  const room = LIMIT - before.length - after.length;
  return before + unit.repeat(Math.floor(room / unit.length)).replace(/,$/, '') + after;
};

const deep = (open: string, close: string, inner: string) => open.repeat(32) + inner + close.repeat(32);
export const BODIES: Readonly<Record<string, string>> = {
  'flat numbers': filled('[', '0,', ']'),
  'empty lists': filled('[', '[],', ']'),
  'empty objects': filled('[', '{},', ']'),
  'a wide object': `{${Array.from({ length: 20_000 }, (_, n) => `"${n}a":0`).join(',')}}`,
  'many shapes': `[${Array.from({ length: 20_000 }, (_, n) => `{"k${n}":0}`).join(',')}]`,
  'U+0000 at the end': filled('[', '0,', `,"${NUL}"]`),
  'strings of U+0000': filled('["', `${NUL}","`, '"]'),
  prototypes: filled('[', '{"__proto__":0},', ']'),
  'escaped prototypes': filled('[', '{"\\u005f_proto__":0},', ']'),
  'numbers beside an escape': filled('["\\u005f",', '0,', ']'),
  'deep on and on': '['.repeat(LIMIT),
  '32 deep': filled('[', `${deep('[', ']', '0')},`, ']'),
  'a list of words where numbers belong': filled('{"list":[', '"x",', ']}'),
  'one long string': JSON.stringify('x'.repeat(LIMIT - 2)),
  escapes: filled('"', '\\u00e9', '"'),
  quotes: filled('"', '\\"', '"'),
  'malformed at the end': filled('[', '0,', ',]'),
};
