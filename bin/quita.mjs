#!/usr/bin/env node
// Runs under the Node of the machine and starts the command line under the Node that is installed with the packages.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'src', 'cli.ts');

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) {
  await import('../src/cli.ts');
} else {
  const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (!existsSync(node)) {
    process.stderr.write('The packages are not installed: run "npm install" in the folder of Quita first\n');
    process.exit(1);
  }
  // The channel carries no messages; when it closes, the child knows that this process has ended.
  const child = spawn(node, [cli, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}
