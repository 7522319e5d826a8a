/**
 * Says whether a pack of evidence is whole. The same text runs in the command `quita evidence verify` and in the browser of
 * whoever opens `/verify-evidence`, so it imports nothing and uses what both have. `docs/evidence.md` has a second
 * reading of the same rules in Python, written from the format alone.
 */
export type ProblemCode =
  | 'not_a_pack'
  | 'unknown_key'
  | 'key_not_in_force'
  | 'signature_wrong'
  | 'file_missing'
  | 'file_changed'
  | 'file_added'
  | 'line_unreadable'
  | 'line_out_of_order'
  | 'line_changed'
  | 'content_changed'
  | 'content_missing'
  | 'dated_back'
  | 'tail_missing';

export interface Problem {
  readonly code: ProblemCode;
  /** The file or the number of the line. */
  readonly where?: string | number;
}

/** A public key of a deployment, with the time in which it signs. */
export interface EvidenceKey {
  readonly kid: string;
  readonly x: string;
  readonly from: string;
  /** Absent for the last key. */
  readonly until?: string;
}

export interface Manifest {
  readonly version: 1;
  readonly debtId: string;
  readonly creditor: { readonly name: string; readonly cnpj: string | null };
  readonly sandbox: boolean;
  readonly issuer: string;
  readonly createdAt: string;
  readonly keyId: string;
  readonly head: { readonly seq: number; readonly hash: string };
  readonly erased: readonly { readonly duty: string; readonly at: string; readonly seqs: readonly number[] }[];
  readonly files: Readonly<Record<string, string>>;
}

/** `manifest` is null when there is none that can be read. It is worth nothing while there are problems. */
export interface Verification {
  readonly manifest: Manifest | null;
  readonly problems: readonly Problem[];
}

const TIMELINE = 'timeline.jsonl';
const MANIFEST = 'manifest.json';
const SIGNATURE = 'manifest.sig';
/** More than any pack has, so that a file that unpacks without end stops. */
const MAX_UNPACKED = 1024 * 1024 * 1024;
const MAX_FILES = 10_000;
/** What stands before the name and the content of a file. Programs may leave less than that between two files. */
const HEADER = 30;

export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => [name, canonicalJson(member)] as const);
  // Without a comparison, names are ordered by their UTF-16 units, as the RFC asks for.
  const ordered = new Map(members);
  const names = [...ordered.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${ordered.get(name)}`).join(',')}}`;
};

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const utf8 = new TextEncoder();

async function sha256(...parts: readonly Uint8Array[]): Promise<string> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', whole)));
}

function bytesOfBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim().replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Unpacks no more than the archive declares. */
async function inflate(packed: Uint8Array<ArrayBuffer>, declared: number): Promise<Uint8Array<ArrayBuffer>> {
  const unpacked = new Uint8Array(declared);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  let at = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    unpacked.set(part.value, at);
    at += part.value.length;
  }
  if (at !== declared) throw new RangeError('The file is shorter than declared');
  return unpacked;
}

/** Whether the files follow each other from the beginning to the list of files, with room for no other between them. */
function leavesNoRoom(places: readonly (readonly [from: number, to: number])[], listAt: number): boolean {
  const ordered = places.toSorted(([one], [other]) => one - other);
  return [...ordered, [listAt, listAt] as const].every(([from], index) => {
    const before = index === 0 ? 0 : ordered[index - 1]![1];
    return from >= before && from < before + HEADER;
  });
}

/**
 * Reads all files of a ZIP. A name that comes twice would show one content to us and another to the next reader, and so
 * would a file that is not in the list, to a program that reads from the beginning.
 */
async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end > bytes.length - 66_000 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (view.getUint32(end, true) !== 0x06054b50) throw new RangeError('There is no end of an archive');
  const count = view.getUint16(end + 10, true);
  if (count > MAX_FILES) throw new RangeError('There are too many files');
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let left = MAX_UNPACKED;
  const listAt = view.getUint32(end + 16, true);
  const places: [number, number][] = [];
  let at = listAt;
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new RangeError('The list of files is damaged');
    const [method, packed, unpacked] = [10, 20, 24].map((place) => view.getUint32(at + place, true)) as [
      number,
      number,
      number,
    ];
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const name = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at + 46, nameEnd));
    const local = view.getUint32(at + 42, true);
    const from = local + HEADER + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    left -= unpacked;
    if (files.has(name) || left < 0 || from + packed > bytes.length) throw new RangeError('The list of files is wrong');
    places.push([local, from + packed]);
    const data = bytes.slice(from, from + packed);
    files.set(name, (method & 0xffff) === 0 ? data : await inflate(data, unpacked));
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (!leavesNoRoom(places, listAt)) throw new RangeError('There may be files that are not in the list');
  return files;
}

async function problemsOfSignature(
  manifest: Manifest,
  bytes: Uint8Array<ArrayBuffer>,
  signature: Uint8Array,
  keys: readonly EvidenceKey[],
): Promise<Problem[]> {
  const key = keys.find(({ kid }) => kid === manifest.keyId);
  if (key === undefined) return [{ code: 'unknown_key', where: String(manifest.keyId) }];
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
  const known = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
  const isGenuine = await crypto.subtle
    .verify('Ed25519', known, bytesOfBase64Url(new TextDecoder().decode(signature)), bytes)
    .catch(() => false);
  if (!isGenuine) return [{ code: 'signature_wrong' }];
  const at = Date.parse(manifest.createdAt);
  const isInForce = Date.parse(key.from) <= at && (key.until === undefined || at < Date.parse(key.until));
  return isInForce ? [] : [{ code: 'key_not_in_force', where: key.kid }];
}

async function problemsOfFiles(
  { files: hashes }: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [name, hash] of Object.entries(hashes)) {
    const content = files.get(name);
    if (content === undefined) problems.push({ code: 'file_missing', where: name });
    else if ((await sha256(content)) !== hash) problems.push({ code: 'file_changed', where: name });
  }
  const own = [MANIFEST, SIGNATURE];
  for (const name of files.keys()) {
    if (!own.includes(name) && !Object.hasOwn(hashes, name)) problems.push({ code: 'file_added', where: name });
  }
  return problems;
}

/** Follows the chain from its first line, and says of each line what is wrong with it. */
export async function problemsOfChain(
  timeline: string,
  { head, erased }: Pick<Manifest, 'head' | 'erased'>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const gone = new Set(erased.flatMap(({ seqs }) => seqs));
  let seq = 0;
  let last = { hash: '', at: '' };
  for (const text of timeline.split('\n')) {
    if (text === '') continue;
    seq += 1;
    const say = (code: ProblemCode) => problems.push({ code, where: seq });
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {}
    if (!isRecord(line) || typeof line['hash'] !== 'string' || typeof line['at'] !== 'string') {
      say('line_unreadable');
      return problems;
    }
    const { at, kind, contentHash, previous, hash, salt, content } = line;
    const covered = canonicalJson({ seq: line['seq'], at, kind, contentHash, previous });
    if (line['seq'] !== seq || previous !== last.hash) say('line_out_of_order');
    if ((await sha256(utf8.encode(covered))) !== hash) say('line_changed');
    if (at < last.at) say('dated_back');
    if (content === null && salt === null) {
      if (!gone.has(seq)) say('content_missing');
    } else if (
      typeof salt !== 'string' ||
      (await sha256(bytesOfHex(salt), utf8.encode(canonicalJson(content)))) !== contentHash
    ) {
      say('content_changed');
    }
    last = { hash, at };
  }
  if (seq !== head.seq || last.hash !== head.hash) problems.push({ code: 'tail_missing', where: head.seq });
  return problems;
}

const isManifest = (value: unknown): value is Manifest =>
  isRecord(value) &&
  value['version'] === 1 &&
  isRecord(value['files']) &&
  isRecord(value['head']) &&
  isRecord(value['creditor']) &&
  Array.isArray(value['erased']) &&
  value['erased'].every((one) => isRecord(one) && Array.isArray(one['seqs']));

export async function verifyPack(pack: Uint8Array<ArrayBuffer>, keys: readonly EvidenceKey[]): Promise<Verification> {
  const nothing = { manifest: null, problems: [{ code: 'not_a_pack' as const }] };
  const files = await unzip(pack).catch(() => null);
  const [bytes, signature, timeline] = [MANIFEST, SIGNATURE, TIMELINE].map((name) => files?.get(name));
  if (files == null || bytes === undefined || signature === undefined) return nothing;
  let manifest: unknown;
  try {
    manifest = JSON.parse(new TextDecoder().decode(bytes));
  } catch {}
  if (!isManifest(manifest)) return nothing;
  return {
    manifest,
    problems: [
      ...(await problemsOfSignature(manifest, bytes, signature, keys)),
      ...(await problemsOfFiles(manifest, files)),
      ...(timeline === undefined
        ? [{ code: 'file_missing' as const, where: TIMELINE }]
        : await problemsOfChain(new TextDecoder().decode(timeline), manifest)),
    ],
  };
}
