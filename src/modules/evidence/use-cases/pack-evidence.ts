import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError } from '../../../kernel/errors.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { maskedDebtor } from '../../../kernel/tax-id.ts';
import { streamZip, type ZipEntry } from '../../../platform/spreadsheets/stream-zip.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { policyVersion } from '../../policy/queries/policy-versions.ts';
import { RECEIPT_FILE } from '../../receipts/queries/receipts.ts';
import { creditorOf } from '../../receipts/use-cases/creditor.ts';
import type { ReceiptDeps } from '../../receipts/use-cases/deps.ts';
import { agreementFile } from '../../receipts/use-cases/download-agreement.ts';
import { readCurrentReceipt } from '../../receipts/use-cases/open-signed-receipt.ts';
import {
  completeChain,
  countsOfChain,
  erasuresOfChain,
  headOfChain,
  LINES_OF_DEBT,
  type StoredLine,
} from '../queries/evidence-lines.ts';
import { debtOfPack, documentsOfPack, MESSAGES_OF_PACK, ownRulesOfPack, rulesOfPack } from '../queries/packed.ts';
import { summaryOf } from '../texts/summary.ts';
import type { EvidenceKeys } from './evidence-keys.ts';
import type { Manifest } from './verify-pack.ts';

export interface EvidenceDeps
  extends Pick<ReceiptDeps, 'db' | 'now' | 'policy' | 'publicUrl' | 'receiptLinks' | 'renderer'> {
  readonly evidenceKeys: EvidenceKeys;
}

interface PackRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly source: RequestSource;
}

/** So many lines are in memory at once, and on the way to the archive. */
const PAGE = 500;
/** The summary is read by people; the file has all lines. */
const SUMMARY_LINES = 300;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Reads what the pack says of the debt and its chain, which it completes, as of one moment. */
const readFacts = ({ db, now }: EvidenceDeps, { clientId, debtId, source }: PackRequest) =>
  db.tenant(clientId).transactional(async (tx) => {
    const debt = await debtOfPack(tx, debtId);
    if (debt === undefined) throw new AppError('not_found');
    await completeChain(tx, debtId);
    const chain = await headOfChain(tx, debtId);
    if (chain === undefined) throw new Error('The chain of a debt is empty although it was completed');
    const used = (await rulesOfPack(tx, debtId)).flatMap(({ pack }) => (pack === null ? [] : [pack]));
    const packs = [...new Map(used.map((pack) => [`${pack.id}-${pack.version}`, pack])).entries()];
    const rules: { readonly name: string; readonly content: unknown }[] = [];
    for (const [name, { id, version }] of packs) {
      const stored = await policyVersion(tx, id, version);
      if (stored !== undefined) rules.push({ name, content: { id, version, ...(stored.content as object) } });
    }
    const own = await ownRulesOfPack(tx, [...new Set(used.flatMap(({ ownVersion }) => ownVersion ?? []))]);
    for (const { version, ...content } of own) rules.push({ name: `own-${version}`, content: { version, ...content } });
    const documents = await documentsOfPack(tx, debtId);
    await addRequestAudit(tx, {
      clientId,
      source,
      action: 'evidence_packed',
      target: debtId,
      details: { lines: chain.seq, head: chain.hash },
    });
    return {
      debt,
      chain,
      rules,
      ...documents,
      counts: await countsOfChain(tx, debtId),
      erased: await erasuresOfChain(tx, debtId),
      at: now(),
    };
  });

type Facts = Awaited<ReturnType<typeof readFacts>>;
type Erased = { readonly duty: string; readonly at: string; readonly seqs: number[] };

/** The content is canonical JSON already, and stands in the line as it was hashed. */
const lineOf = ({ seq, at, kind, contentHash, hash, salt, content }: StoredLine, previous: string): string =>
  `{"seq":${seq},"at":"${at.toISOString()}","kind":"${kind}","contentHash":"${contentHash}","previous":"${previous}","hash":"${hash}","salt":${salt === null ? 'null' : `"${salt}"`},"content":${content ?? 'null'}}\n`;

async function* timeline(
  { db }: EvidenceDeps,
  clientId: string,
  { debt, chain }: Facts,
  erased: Map<string, Erased>,
): AsyncGenerator<string> {
  let [after, previous] = [0, ''];
  while (after < chain.seq) {
    const page = { debtId: debt.id, after, last: chain.seq, limit: PAGE };
    const lines = await db.readPrepared({ clientId }, LINES_OF_DEBT, page);
    if (lines.length === 0) throw new Error('A chain ends before its head');
    let text = '';
    for (const line of lines) {
      text += lineOf(line, previous);
      ({ seq: after, hash: previous } = line);
      if (line.erasedAt === null || line.erasedFor === null) continue;
      const at = line.erasedAt.toISOString();
      const known = erased.get(`${line.erasedFor} ${at}`) ?? { duty: line.erasedFor, at, seqs: [] };
      known.seqs.push(line.seq);
      erased.set(`${line.erasedFor} ${at}`, known);
    }
    yield text;
  }
}

async function* messages({ db }: EvidenceDeps, clientId: string, debtId: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await db.readPrepared({ clientId }, MESSAGES_OF_PACK, { debtId, after, limit: PAGE });
    yield rows
      .flatMap(({ seq: _, ...message }) => (message.id === null ? [] : [`${JSON.stringify(message)}\n`]))
      .join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.seq;
  }
}

async function drawSummary(deps: EvidenceDeps, clientId: string, facts: Facts): Promise<Uint8Array> {
  const { debt, chain, at } = facts;
  const page = { debtId: debt.id, after: chain.seq - SUMMARY_LINES, last: chain.seq, limit: SUMMARY_LINES };
  const latest = await deps.db.readPrepared({ clientId }, LINES_OF_DEBT, page);
  const summary = summaryOf({
    head: {
      protocol: debt.id,
      issuedAt: at,
      sandbox: debt.sandbox,
      creditor: creditorOf(debt),
      debtor: maskedDebtor(debt.debtorName, debt.debtorTaxId),
      verifyUrl: `${deps.publicUrl}/verify-evidence`,
      utcOffset: displayOffset(areaCodeOf(debt.debtorPhone)),
    },
    debt,
    chain,
    counts: facts.counts,
    erased: facts.erased,
    receipts: facts.receipts.length,
    agreements: facts.agreements.length,
    rules: facts.rules.map(({ name }) => name),
    latest: latest.map(({ at: moment, kind, content }) => ({
      at: moment,
      kind,
      content: content === null ? null : (JSON.parse(content) as Record<string, unknown>),
    })),
  });
  return (await deps.renderer.render(summary)).bytes;
}

/** Each file with its hash, and the signed list of all of them at the end. */
async function* filesOf(deps: EvidenceDeps, clientId: string, facts: Facts): AsyncGenerator<ZipEntry> {
  const { debt, chain, at } = facts;
  const hashes: Record<string, string> = {};
  const erased = new Map<string, Erased>();
  const file = (
    path: string,
    parts: AsyncIterable<string> | Iterable<string | Uint8Array>,
    compress = true,
  ): ZipEntry => {
    const hash = createHash('sha256');
    const content = async function* () {
      for await (const part of parts) {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part;
        hash.update(bytes);
        yield bytes;
      }
      hashes[path] = hash.digest('hex');
    };
    return { path, content: Readable.from(content(), { objectMode: false }), compress, mtime: at };
  };

  yield file('timeline.jsonl', timeline(deps, clientId, facts, erased));
  yield file('messages.jsonl', messages(deps, clientId, debt.id));
  for (const { name, content } of facts.rules) yield file(`policies/${name}.json`, [json(content)]);
  for (const { protocol } of facts.receipts) {
    const receipt = await readCurrentReceipt(deps, protocol, RECEIPT_FILE);
    if (receipt?.pdf != null) yield file(`receipts/${protocol}.pdf`, [receipt.pdf], false);
  }
  for (const { id, protocol } of facts.agreements) {
    const agreement = await agreementFile(deps, { id, clientId });
    if (agreement !== null) yield file(`agreements/${protocol}.pdf`, [agreement.pdf], false);
  }
  yield file('resumo.pdf', [await drawSummary(deps, clientId, facts)], false);

  const signer = deps.evidenceKeys.signerAt(at);
  const manifest: Manifest = {
    version: 1,
    debtId: debt.id,
    creditor: { name: debt.creditorName, cnpj: debt.creditorCnpj },
    sandbox: debt.sandbox,
    issuer: deps.publicUrl,
    createdAt: at.toISOString(),
    keyId: signer.kid,
    head: chain,
    erased: [...erased.values()],
    files: { ...hashes },
  };
  const bytes = Buffer.from(json(manifest));
  yield file('manifest.json', [bytes]);
  yield file('manifest.sig', [signer.sign(bytes)]);
}

/** Packs the evidence of a debt while it is sent: neither files nor lines are in memory as a whole. */
export const packEvidence =
  (deps: EvidenceDeps) =>
  async (request: PackRequest): Promise<Readable> => {
    // Refuses before anything is written when no key signs.
    deps.evidenceKeys.signerAt(deps.now());
    const facts = await readFacts(deps, request);
    return streamZip(filesOf(deps, request.clientId, facts));
  };
