import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import { insertSentTexts } from '../queries/sent-texts.ts';

interface Sent {
  readonly clientId: string;
  readonly sandbox: boolean;
  /** Every form in which the recipient may copy the whole text. */
  readonly texts: readonly string[];
  /** When they were sent; now, where it is absent. */
  readonly createdAt?: Date;
}

/** Keeps the hashes of what is sent, in the transaction that books it, so that "É verdade?" knows it before it arrives. */
export async function keepSentTexts(
  tx: Tx,
  deps: Pick<SharedDeps, 'textHashes'>,
  { clientId, sandbox, texts, createdAt }: Sent,
): Promise<void> {
  await insertSentTexts(
    tx,
    hashesOf(deps, texts).map((hash) => ({
      clientId,
      sandbox,
      hash,
      ...(createdAt === undefined ? {} : { createdAt }),
    })),
  );
}

/** Returns the hash of each text once. */
export const hashesOf = ({ textHashes }: Pick<SharedDeps, 'textHashes'>, texts: readonly string[]): Buffer[] => [
  ...new Map(texts.map((text) => textHashes.toStore(text)).map((hash) => [hash.toString('hex'), hash])).values(),
];
