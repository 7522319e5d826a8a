import { foldForSms } from '../../../kernel/sms-text.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { SharedDeps } from '../../deps.ts';
import { keepSentTexts } from '../../genuine/use-cases/keep-sent-texts.ts';
import { markKept, UNKEPT_TEXTS } from '../queries/unkept-texts.ts';

const MESSAGES_PER_PAGE = 500;

/**
 * Keeps the hashes of messages that were sent before the service kept any. It is done by a worker and not by a
 * migration, because the database does not have the key. Returns the number of messages.
 */
export const keepEarlierTexts =
  ({ db, textHashes }: { readonly db: Pick<Database, 'readPrepared' | 'tenant'> } & Pick<SharedDeps, 'textHashes'>) =>
  async (): Promise<number> => {
    let kept = 0;
    for (;;) {
      const page = await db.readPrepared({}, UNKEPT_TEXTS, { limit: MESSAGES_PER_PAGE });
      for (const [clientId, messages] of Map.groupBy(page, (message) => message.clientId)) {
        await db.tenant(clientId).transactional(async (tx) => {
          const marked = await markKept(
            tx,
            messages.map(({ id }) => id),
          );
          for (const { sandbox, text, channel, createdAt, wasSent } of marked) {
            // Of an e-mail only the message is known, and not the lines that stood around it.
            const texts = channel === 'twilio' || channel === 'zenvia' ? [text, foldForSms(text)] : [text];
            if (wasSent) await keepSentTexts(tx, { textHashes }, { clientId, sandbox, texts, createdAt });
          }
        });
      }
      kept += page.length;
      if (page.length < MESSAGES_PER_PAGE) return kept;
    }
  };
