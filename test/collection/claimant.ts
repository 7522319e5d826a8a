/** Runs in a separate process, claims contacts for debts at given moments concurrently, and reports how many it got. */
import { randomUUID } from 'node:crypto';
import type { ContactDraft } from '../../src/modules/collection/gate/book-contact.ts';
import { askGate, type GateVerdict } from '../../src/modules/collection/gate/contact-gate.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createRecordingChannel, engineDeps } from '../../testing/engine.ts';

interface Claim {
  readonly clientId: string;
  readonly debtId: string;
  readonly at: number;
}

const { url, claims } = JSON.parse(process.argv[2] ?? '') as { url: string; claims: Claim[] };
// All claims wait for the lock of one person, so waiting for a connection is part of the test.
const db = await openDatabase({ url, role: 'quita_worker', poolSize: 10, connectTimeoutMs: 60_000 });
const { channel } = createRecordingChannel();
const deps = engineDeps(db, Date.now, channel);
const candidates: ContactDraft['candidates'] = [
  { sender: { channel, credentials: null, id: null, number: null }, known: null },
];
const ask = async ({ clientId, debtId, at }: Claim): Promise<GateVerdict> => {
  const draft = { purpose: 'collection', text: 'oi', short: 'oi', candidates, attemptKey: randomUUID() } as const;
  const gate = (others: readonly { readonly id: string }[]) =>
    askGate(deps, { clientId, debtId }, { at, offsetMs: 0, exact: true }, { ...draft, others });
  let verdict = await gate([]);
  while (verdict.kind === 'outdated') verdict = await gate(verdict.others?.debts ?? []);
  return verdict;
};
const verdicts = await Promise.all(claims.map(ask));
await db.close();
process.stdout.write(String(verdicts.filter(({ kind }) => kind === 'allowed').length));
