import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { PIX_PROFILES } from './profiles.ts';

const DOCUMENT = readFileSync(new URL('../../../../../docs/payments.md', import.meta.url), 'utf8');
const NOTIFIED = {
  mtls: /^- Notifications come with a certificate/m,
  address_only: /^- Notifications come without a certificate/m,
  unknown: /^- Notifications: it is not known whether they come with a certificate/m,
} as const;

it.each(Object.entries(PIX_PROFILES))(
  'the document for operators says of %s what its profile says',
  (name, profile) => {
    const section = DOCUMENT.split(/^#{2,3} /m).find((one) => one.split('\n', 1)[0]?.endsWith(`(\`${name}\`)`));
    expect(section).toMatch(NOTIFIED[profile.notifiesBy]);
    const limits = section?.split('\n').find((line) => line.startsWith('- Limits a minute')) ?? '';
    for (const most of Object.values(profile.callsPerMinute)) expect(limits).toMatch(new RegExp(`\\b${most}\\b`));
    if (profile.sandbox === null && name !== 'custom') expect(section).toContain('not offered here');
    if (!profile.cobv) expect(section).toContain('due date are a part of some contracts only');
  },
);
