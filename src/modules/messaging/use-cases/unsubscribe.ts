import { AppError } from '../../../kernel/errors.ts';
import { ownerOfDebt } from '../../debts/use-cases/owner-of-debt.ts';
import type { SharedDeps } from '../../deps.ts';
import { receiveMessage } from './receive-message.ts';
import type { UnsubscribeLink, UnsubscribeLinks } from './unsubscribe-links.ts';

/** What the link says for the debtor. The agent understands it like a text that was typed. */
const WORDS = 'PARAR. Não quero mais receber mensagens.';

export interface UnsubscribeRequest {
  readonly link: UnsubscribeLink;
  readonly signature: unknown;
}

export interface Unsubscribe {
  /** Throws `signature_invalid`. It reads nothing, because programs that check links open them. */
  check(request: UnsubscribeRequest): void;
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
  return {
    check,
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
