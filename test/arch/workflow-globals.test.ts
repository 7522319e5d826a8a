import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The bundler alone would accept these, and they would fail or differ between runs in the isolate. */
const FORBIDDEN = {
  process: 'process.env',
  Buffer: 'Buffer.from([])',
  setTimeout: 'setTimeout(() => undefined, 1)',
  setInterval: 'setInterval(() => undefined, 1)',
  fetch: "fetch('http://localhost')",
  crypto: 'crypto.randomUUID()',
  console: "console.log('')",
  require: "require('fs')",
  structuredClone: 'structuredClone({})',
};

it('workflows do not compile with globals of Node or of a browser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quita-globals-'));
  try {
    const config = { extends: join(ROOT, 'workflows/tsconfig.json'), include: ['*.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(
      join(folder, 'fine.ts'),
      'export const x: Map<string, number> = new Map([["a", Math.max(1, 2)]]);\n',
    );
    for (const [name, code] of Object.entries(FORBIDDEN))
      await writeFile(join(folder, `${name}.ts`), `export const x = ${code};\n`);
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    const refused = new Set(
      [...stdout.matchAll(/(\w+)\.ts\(\d+,\d+\): error TS\d+: Cannot find name/g)].map((match) => match[1]),
    );
    expect(refused).toEqual(new Set(Object.keys(FORBIDDEN)));
    expect(stdout.match(/error TS/g)).toHaveLength(refused.size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
