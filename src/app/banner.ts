import { join, resolve } from 'node:path';
import type { Config } from '../platform/config/index.ts';

interface BannerFacts {
  config: Config;
  url: string | undefined;
  temporalUiUrl: string | undefined;
  seconds: string;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** Writes a duration as `CLOCK_OFFSET` takes it. */
const durationText = (given: number): string => {
  let left = Math.abs(given);
  const parts = UNITS.map(([unit, ms]) => {
    const amount = Math.floor(left / ms);
    left -= amount * ms;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('');
};

const clockNote = (offsetMs: number): string => {
  const direction = offsetMs > 0 ? 'ahead of' : 'behind';
  const now = new Date(Date.now() + offsetMs).toISOString();
  return `  The clock of the service is ${durationText(offsetMs)} ${direction} real time (CLOCK_OFFSET): it is ${now}.`;
};

/** The text after the start: the addresses and folders that a new user needs next. */
export const banner = ({ config, url, temporalUiUrl, seconds }: BannerFacts): string => {
  const folder = resolve(config.dataDir);
  const rows: Array<[string, string | undefined]> = [
    ['Console', url && `${url}/`],
    ['API', url],
    ['Docs', url && `${url}/docs`],
    ['Metrics', config.metricsPort === undefined ? undefined : `http://${config.host}:${config.metricsPort}/metrics`],
    ['Temporal UI', temporalUiUrl],
    ['Data', folder],
    ['Secrets', join(folder, 'secrets')],
    ['Try', url && `curl ${url}/health/ready`],
    ['Stop', 'Ctrl-C'],
  ];
  const lines = rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(12)} ${value}`]));
  const shifted = config.clockOffset === 0 ? '' : `\n${clockNote(config.clockOffset)}\n`;
  return `\nQuita is ready (${config.roles.join(', ')}; ${seconds} s)\n${lines.join('\n')}\n${shifted}`;
};
