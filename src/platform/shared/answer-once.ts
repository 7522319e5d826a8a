import { hash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { AppError, type AppErrorOptions, type ErrorCode } from '../../kernel/errors.ts';
import type { CredentialCipher } from '../../kernel/ports/credential-cipher.ts';
import type { Database } from '../database/database.ts';
import { CLAIM_KEY, FIND_KEY, HOLD_KEY, KEEP_ANSWER } from '../database/queries/idempotency-keys.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** An attempt holds its key this long, and longer as long as it works. After a crash the next call takes the key. */
const HELD_SECONDS = 60;

/** A call that names an `Idempotency-Key`. */
export interface KeyedCall {
  readonly clientId: string;
  /** The operation: the same key names another call for another operation. */
  readonly route: string;
  readonly key: string;
  /** A digest of everything that the caller sent. */
  readonly requestHash: string;
  /** The answer holds a secret, so it is kept encrypted. */
  readonly sealed?: boolean;
}

export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Serialised JSON; null for an answer without a body. */
  readonly body: string | null;
}

/**
 * What the answer of a refusal shows, because a repetition is answered as the first call was. A `challenge` is one of a
 * login, whose answers are not kept.
 */
type Refusal = Pick<AppErrorOptions, 'detail' | 'errors' | 'retryAfterSeconds' | 'missing' | 'verdict'> & {
  readonly code: ErrorCode;
};
type KeptAnswer = { readonly given: GivenAnswer } | { readonly refused: Refusal };

export interface AnswerOnceDeps {
  readonly db: Pick<Database, 'readPrepared' | 'writePrepared'>;
  /** Encrypts the answers that hold a secret. */
  readonly cipher: CredentialCipher;
  /** Changes how long a crashed attempt keeps its key, for tests. */
  readonly heldSeconds?: number;
}

/** Does the work of a call. `workId` is the same in every attempt at the call. */
export type Work = (workId: string) => Promise<GivenAnswer>;

/** Called when the answer was given but could not be kept: a repetition of the call does the work again. */
export type OnNotKept = (error: unknown) => void;

/**
 * Does the work of a call once for each key, and gives its first answer to every repetition. Answers of our own
 * failures (5xx), refusals that only ask to wait (408, 429) and refusals about the caller (401) are not kept. When the
 * process dies between the work and the keeping of its answer, a repetition does the work again with the same id once the
 * dead attempt no longer holds the key.
 */
export const answerOnce =
  ({ db, cipher, heldSeconds = HELD_SECONDS }: AnswerOnceDeps) =>
  async (call: KeyedCall, work: Work, onNotKept: OnNotKept): Promise<GivenAnswer> => {
    const { clientId, route, requestHash } = call;
    const key = { clientId, route, keyHash: hash('sha256', call.key, 'base64url') };
    const packing = call.sealed === true ? sealedPacking(cipher, key) : COMPRESSED;
    const attempt = randomUUID();
    const claim = { ...key, requestHash, workId: randomUUID(), attempt, seconds: heldSeconds };
    const [claimed] = await db.writePrepared({ clientId }, CLAIM_KEY, claim);
    if (claimed === undefined) return await firstAnswer({ db, packing }, key, requestHash);

    const held = { clientId, workId: claimed.workId, attempt };
    const hold = (seconds: number) => db.writePrepared({ clientId }, HOLD_KEY, { ...held, seconds });
    const keep = async (answer: KeptAnswer): Promise<void> => {
      const packed = await packing.pack(JSON.stringify(answer));
      await db.writePrepared({ clientId }, KEEP_ANSWER, { ...held, answer: packed });
    };
    const longer = setInterval(() => void hold(heldSeconds).catch(onNotKept), (heldSeconds * 1_000) / 3);
    longer.unref();
    try {
      const given = await work(claimed.workId);
      await keep({ given }).catch(onNotKept);
      return given;
    } catch (error) {
      const refused = refusalOf(error);
      await (refused === null ? hold(0) : keep({ refused })).catch(onNotKept);
      throw error;
    } finally {
      clearInterval(longer);
    }
  };

interface StoredKey {
  readonly clientId: string;
  readonly route: string;
  readonly keyHash: string;
}

/** How an answer is stored. */
interface Packing {
  pack(text: string): Promise<Buffer>;
  unpack(packed: Uint8Array): Promise<string>;
}

const COMPRESSED: Packing = {
  pack: (text) => compress(text),
  unpack: async (packed) => (await decompress(packed)).toString(),
};

function sealedPacking(cipher: CredentialCipher, { clientId, route, keyHash }: StoredKey): Packing {
  const context = `${clientId}:answer:${route}:${keyHash}`;
  return {
    pack: async (text) => Buffer.from(cipher.seal(text, context)),
    unpack: async (packed) => cipher.open(Buffer.from(packed).toString(), context),
  };
}

async function firstAnswer(
  { db, packing }: Pick<AnswerOnceDeps, 'db'> & { readonly packing: Packing },
  key: StoredKey,
  requestHash: string,
): Promise<GivenAnswer> {
  const [known] = await db.readPrepared({ clientId: key.clientId }, FIND_KEY, key);
  // The key may have been purged since it refused this call; then the next repetition finds it free.
  if (known === undefined) throw new AppError('idempotency_running');
  if (known.requestHash !== requestHash) throw new AppError('idempotency_key_reused');
  if (known.answer === null) throw new AppError('idempotency_running');
  const kept = JSON.parse(await packing.unpack(known.answer)) as KeptAnswer;
  if ('given' in kept) return kept.given;
  const { code, ...options } = kept.refused;
  throw new AppError(code, options);
}

/** These ask the caller to prove who calls, or to wait, and then to repeat the request. */
const ASKS_TO_REPEAT = [401, 408, 429];

/** Returns the part of a refusal that is given again; null for an error that says nothing about the request. */
function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof AppError) || error.status >= 500 || ASKS_TO_REPEAT.includes(error.status)) return null;
  const { code, detail, errors, retryAfterSeconds, missing, verdict } = error;
  return { code, detail, errors, retryAfterSeconds, missing, verdict };
}
