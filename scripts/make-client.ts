import { generateClient } from './client/generate-client.ts';

const DEFAULT = 'build/client/quita.ts';

const [output = DEFAULT] = process.argv.slice(2);
if (!output.endsWith('.ts')) {
  process.stderr.write('Usage: npm run client -- [FILE.ts]\n');
  process.exit(1);
}
await generateClient(output, 'http://localhost:3000');
process.stdout.write(`The client is in ${output}; docs/api.md shows how it is used\n`);
