import type { Config } from '../../platform/config/index.ts';

/** A backup of one of two servers would be restored beside another state of the other. */
export const requireEmbedded = ({ databaseUrl, temporal }: Config): void => {
  const own = [
    ...(databaseUrl === undefined ? [] : ['DATABASE_URL']),
    ...(temporal.address === undefined ? [] : ['TEMPORAL_ADDRESS']),
  ];
  if (own.length === 0) return;
  throw new Error(
    `${own.join(' and ')} name servers of your own, and this command knows the embedded ones only: docs/runbook.md says how to back up and restore your own`,
  );
};
