import { readFileSync } from 'node:fs';

const read: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const VERSION = (read as { version: string }).version;
