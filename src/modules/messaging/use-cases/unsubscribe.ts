import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { ownerOfDebt } from '../../debts/use-cases/owner-of-debt.ts';
import { pageOfPerson } from '../../debts/use-cases/rights-link.ts';
import type { SharedDeps } from '../../deps.ts';
import { receiveMessage } from './receive-message.ts';

interface UnsubscribeLink {
  /** The e-mail that contains the link: a link of a later e-mail is another request. */
  readonly messageId: string;
  readonly debtId: string;
}

/** The signed URLs by which a debtor ends the messages. Any holder of one may use it, and nobody can forge one. */
interface UnsubscribeLinks {
  url(link: UnsubscribeLink): string;
  /** `signature` is the value of the query parameter. Anything but one correct string is refused. */
  isSigned(link: UnsubscribeLink, signature: unknown): boolean;
}

interface UnsubscribeLinkOptions {
  /** The first secret signs and all of them verify, so that links stay valid when the secret is rotated. */
  readonly secrets: readonly string[];
  readonly publicUrl: string;
}

export const UNSUBSCRIBE_PATH = '/api/messaging/email-unsubscribe';

export function createUnsubscribeLinks({ secrets, publicUrl }: UnsubscribeLinkOptions): UnsubscribeLinks {
  const [current] = secrets;
  if (current === undefined) throw new Error('A secret is required to sign links.');
  const sign = (secret: string, { messageId, debtId }: UnsubscribeLink): string =>
    createHmac('sha256', secret).update(`unsubscribe:${messageId}:${debtId}`).digest('base64url');
  return {
    url: (link) =>
      `${publicUrl}${UNSUBSCRIBE_PATH}?message=${link.messageId}&debt=${link.debtId}&sig=${sign(current, link)}`,
    isSigned(link, signature) {
      if (typeof signature !== 'string') return false;
      const given = Buffer.from(signature);
      // Every secret is tried, so that the response time does not tell which one matched.
      return secrets
        .map((secret) => {
          const expected = Buffer.from(sign(secret, link));
          return given.length === expected.length && timingSafeEqual(given, expected);
        })
        .some((equal) => equal);
    },
  };
}

/** What the link says for the debtor. The agent understands it like a text that was typed. */
const WORDS = 'PARAR. Não quero mais receber mensagens.';

export interface UnsubscribeRequest {
  readonly link: UnsubscribeLink;
  readonly signature: unknown;
}

export interface Unsubscribe {
  /**
   * Returns the id of the person's page of rights, to which the pages of the request lead, or throws `signature_invalid`.
   * It is null where the address of the debt is known to a stranger, who may hold this link too, and where it cannot be
   * read: a way to other rights is no reason to refuse silence. Programs that check links open the page, so nothing that
   * was asked changes.
   */
  rightsPageOf(request: UnsubscribeRequest): Promise<string | null>;
  /** Stores the request as a message of the debtor; a repeated one is the same message. */
  accept(request: UnsubscribeRequest): Promise<void>;
}

export interface UnsubscribeDeps extends Pick<SharedDeps, 'db' | 'now' | 'workflows'> {
  /** Null on a deployment that sends no messages by e-mail. */
  readonly unsubscribeLinks: UnsubscribeLinks | null;
}

export const unsubscribe = (deps: UnsubscribeDeps): Unsubscribe => {
  const receive = receiveMessage(deps);
  const check = ({ link, signature }: UnsubscribeRequest): void => {
    if (deps.unsubscribeLinks === null) throw new AppError('not_found');
    if (!deps.unsubscribeLinks.isSigned(link, signature)) throw new AppError('signature_invalid');
  };
  const readRightsPage = async (debtId: string): Promise<string | null> =>
    deps.db.tenant(await ownerOfDebt(deps.db, debtId)).transactional(async (tx) => {
      const debt = await loadDebt(tx, debtId);
      return debt === null || debt.wrongPerson || debt.pageClosed ? null : pageOfPerson(tx, debt);
    });
  return {
    async rightsPageOf(request) {
      check(request);
      return readRightsPage(request.link.debtId).catch(() => null);
    },
    async accept(request) {
      check(request);
      const { messageId, debtId } = request.link;
      const clientId = await ownerOfDebt(deps.db, debtId);
      const outcome = await receive({
        clientId,
        debtId,
        channel: 'email',
        channelMessageId: `unsubscribe:${messageId}`,
        text: WORDS,
      });
      if (outcome === 'unknown_debt') throw new AppError('not_found');
    },
  };
};
