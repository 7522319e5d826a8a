import { join, resolve } from 'node:path';
import type { Config } from './config/index.ts';

interface BannerFacts {
  config: Config;
  url: string | undefined;
  temporalUiUrl: string | undefined;
  seconds: string;
}

/** The text after the start: the addresses and folders that a new user needs next. */
export const banner = ({ config, url, temporalUiUrl, seconds }: BannerFacts): string => {
  const folder = resolve(config.dataDir);
  const rows: Array<[string, string | undefined]> = [
    ['API', url],
    ['Docs', url && `${url}/docs`],
    ['Temporal UI', temporalUiUrl],
    ['Data', folder],
    ['Secrets', join(folder, 'secrets')],
    ['Try', url && `curl ${url}/health/ready`],
    ['Stop', 'Ctrl-C'],
  ];
  const lines = rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(12)} ${value}`]));
  return `\nQuita is ready (${config.roles.join(', ')}; ${seconds} s)\n${lines.join('\n')}\n`;
};
