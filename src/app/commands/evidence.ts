import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createEvidenceKeys } from '../../modules/evidence/use-cases/evidence-keys.ts';
import {
  type EvidenceKey,
  type Problem,
  type ProblemCode,
  type Verification,
  verifyPack,
} from '../../modules/evidence/use-cases/verify-pack.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';

const USAGE = `Usage:
  quita evidence verify FILE                 against the keys of this deployment
  quita evidence verify FILE --keys KEYS     against the keys of another one: a file, or the https address of its
                                             /.well-known/quita-evidence.json
The exit code is 0 when everything holds, 1 when something does not, and 2 when it could not be checked.
`;

const PROBLEMS: Readonly<Record<ProblemCode, string>> = {
  not_a_pack: 'this is no pack of evidence, or it is damaged',
  unknown_key: 'it was signed by a key that is none of this deployment',
  key_not_in_force: 'its key did not sign at that time',
  signature_wrong: 'the signature does not belong to the manifest',
  file_missing: 'the file is missing',
  file_changed: 'the file was changed after it was signed',
  file_added: 'the file is not in the signed list',
  line_unreadable: 'the line cannot be read',
  line_out_of_order: 'the line does not follow the one before it',
  line_changed: 'moment, kind or place of the line were changed',
  content_changed: 'the content of the line was changed',
  content_missing: 'the content of the line is missing, and no duty explains it',
  dated_back: 'the line is dated before the one above it',
  tail_missing: 'the timeline does not end where the manifest says: lines were cut off or added',
};

const DUTIES: Readonly<Record<string, string>> = {
  erasure: 'a person asked for it (LGPD, art. 18, VI)',
  retention: 'the time of keeping has ended (LGPD, arts. 15 and 16)',
};

const sentenceOf = ({ code, where }: Problem): string =>
  `${code}${where === undefined ? '' : ` ${typeof where === 'number' ? `line ${where}` : JSON.stringify(where)}`}: ${PROBLEMS[code]}`;

const keySet = z.object({
  keys: z.array(
    z.object({ kid: z.string(), x: z.string(), from: z.iso.datetime(), until: z.iso.datetime().optional() }),
  ),
});

/** Contents of a pack are written by others, so that no line of the report may end early. */
const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, 300);

function report({ manifest, problems }: Verification): string {
  if (problems.length > 0 || manifest === null)
    return `REFUSED\n${problems.map((one) => `  ${plain(sentenceOf(one))}\n`).join('')}`;
  const { creditor, debtId, createdAt, head, erased } = manifest;
  const gone = erased.map(
    ({ duty, at, seqs }) =>
      `  erased on ${plain(at)}, because ${DUTIES[duty] ?? plain(duty)}: the contents of ${seqs.length} lines\n`,
  );
  return `WHOLE: the evidence of debt ${plain(debtId)}, signed for ${plain(creditor.name)} on ${plain(createdAt)}
  ${head.seq} lines, the last with the hash ${plain(head.hash)}
${gone.join('')}`;
}

async function keysFrom(source: string | undefined): Promise<readonly EvidenceKey[]> {
  if (source === undefined) {
    return createEvidenceKeys(loadWithSecrets([], { neverMade: ['EVIDENCE_KEYS'] }).evidenceKeys).published;
  }
  const text = source.startsWith('https://')
    ? await (await fetch(source, { signal: AbortSignal.timeout(10_000) })).text()
    : readFileSync(source, 'utf8');
  return keySet
    .parse(JSON.parse(text))
    .keys.map(({ until, ...key }) => (until === undefined ? key : { ...key, until }));
}

export async function runEvidence([verb, file, option, keys, ...more]: readonly string[]): Promise<void> {
  if (
    verb !== 'verify' ||
    file === undefined ||
    (option !== undefined && (option !== '--keys' || keys === undefined)) ||
    more.length > 0
  ) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  try {
    const known = await keysFrom(keys);
    const verification = await verifyPack(new Uint8Array(readFileSync(file)), known);
    process.stdout.write(report(verification));
    if (verification.problems.length > 0) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 2;
  }
}
