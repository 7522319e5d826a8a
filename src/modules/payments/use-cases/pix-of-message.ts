import { pixKeyType, receiverOfCode } from '../../../kernel/brcode.ts';
import { addDays, startOfDay } from '../../../kernel/calendar.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { debtorDay } from '../../debts/use-cases/owed.ts';
import type { MessageTemplate } from '../../messaging/ports/collection-agent.ts';
import { textAbovePix } from '../../messaging/texts/pix-in-message.ts';
import { withPixButton } from '../../messaging/texts/templates.ts';
import type { PixOfMessage } from '../../messaging/use-cases/booked-message.ts';
import { creditorName } from '../../messaging/use-cases/debt-facts.ts';
import { readCharge } from '../queries/charges.ts';
import type { PaymentDeps } from './deps.ts';
import type { LiveCharge } from './find-or-make-charge.ts';
import { isOpen } from './payable.ts';

const MAX_ITEM_LENGTH = 60;

interface MessageWithPix {
  /** What is asked for now; a code that asks for something else does not come with the message. */
  readonly amountCentavos: number;
  /** True where the amount is another one tomorrow. */
  readonly growsDaily: boolean;
  readonly text: string;
  /** What is sent where free text is not allowed. */
  readonly template: MessageTemplate | null;
}

/** Says how the code of a charge comes with a message; null when it does not. */
export type PixFor = (message: MessageWithPix) => PixOfMessage | null;

const NEVER: PixFor = () => null;

/**
 * Reads what a channel shows beside a code, before the message is decided about. No code comes with a message where the
 * channel could not name the key to which it pays. The key of a person, a CPF, is named nowhere.
 */
export const pixForMessages =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'accountFor'>) =>
  async (debt: DebtContext, charge: LiveCharge | null): Promise<PixFor> => {
    const receiver = charge === null ? null : receiverOfCode(charge.brCode);
    if (charge === null || receiver === null) return NEVER;
    const key = receiver.key ?? (await keyOfAccount(deps, debt));
    const keyType = key === null ? null : pixKeyType(key);
    if (key === null || keyType === null || keyType === 'CPF') return NEVER;
    const { id: chargeId, brCode: code, expiresAt } = charge;
    const item = `Pagamento para ${creditorName({ senderName: debt.senderName, name: debt.clientName })}`;
    return ({ amountCentavos, growsDaily, text, template }) =>
      charge.amountCentavos === amountCentavos
        ? {
            chargeId,
            code,
            amountCentavos,
            receiver: { name: receiver.name, key, keyType },
            item: item.slice(0, MAX_ITEM_LENGTH),
            shownUntil: growsDaily ? earlier(expiresAt, endOfDay(deps, debt)) : expiresAt,
            // Whoever reads the sandbox's messages without its phone finds the code in the text too.
            textAbove: debt.sandbox ? text : textAbovePix(text, code),
            template: withPixButton(template),
            isOpen: () => isStillOpen(deps, debt.clientId, chargeId),
          }
        : null;
  };

/** A dynamic code has an address in place of the key. */
async function keyOfAccount(deps: Pick<PaymentDeps, 'accountFor'>, debt: DebtContext): Promise<string | null> {
  const { credentials } = await deps.accountFor(debt);
  return credentials?.kind === 'pix' ? credentials.key : null;
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

const endOfDay = ({ now }: Pick<PaymentDeps, 'now'>, debt: DebtContext): Date =>
  new Date(startOfDay(addDays(debtorDay(debt, now().getTime()), 1), displayOffset(areaCodeOf(debt.debtorPhone))));

async function isStillOpen({ db }: Pick<PaymentDeps, 'db'>, clientId: string, chargeId: string): Promise<boolean> {
  const charge = await db.tenant(clientId).transactional((tx) => readCharge(tx, chargeId));
  return charge !== undefined && isOpen(charge);
}
