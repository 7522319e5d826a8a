/** A worker of its own process: claims contacts for debts at moments, all at once, and says how many it got. */
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/db/database.ts';
import { askGate } from '../../src/services/collection/contact-gate.ts';
import { createRecordingChannel, engineDeps } from './engine.ts';

interface Claim {
  readonly clientId: string;
  readonly debtId: string;
  readonly at: number;
}

const { url, claims } = JSON.parse(process.argv[2] ?? '') as { url: string; claims: Claim[] };
// All claims queue for one person's lock: waiting for a connection is part of the test.
const db = await openDatabase({ url, role: 'quita_worker', poolSize: 10, connectTimeoutMs: 60_000 });
const deps = engineDeps(db, Date.now, createRecordingChannel().channel);
const verdicts = await Promise.all(
  claims.map(({ clientId, debtId, at }) =>
    askGate(
      deps,
      { clientId, debtId },
      { at, offsetMs: 0, exact: true },
      { text: 'oi', channel: 'sandbox', senderNumber: null, attemptKey: randomUUID() },
    ),
  ),
);
await db.close();
process.stdout.write(String(verdicts.filter(({ allowed }) => allowed).length));
