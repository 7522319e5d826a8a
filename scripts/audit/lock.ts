import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { LockedPackage } from './finding.ts';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

/**
 * Lists each version of each package in a lock file once. A package that the product and its tests need is not `dev`.
 */
export const lockedPackages = (file: string): LockedPackage[] => {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  const found = new Map<string, LockedPackage>();
  for (const [path, { name: alias, version, dev = false, link = false }] of Object.entries(packages)) {
    // The folder of an alias differs from the name of its package; a link is a folder of this project.
    const name = alias ?? path.split('node_modules/').at(-1) ?? '';
    if (path === '' || link || version === undefined) continue;
    const key = `${name}@${version}`;
    found.set(key, { name, version, dev: dev && (found.get(key)?.dev ?? true) });
  }
  return [...found.values()];
};
