import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { PersonKeys } from '../../../platform/shared/person-keys.ts';

/** Names one address of a person on one channel as the table of recipients does. */
export const recipientOf = (
  keys: PersonKeys,
  debt: { readonly clientId: string; readonly id: string; readonly debtorTaxId: string },
  { channel, phone }: { readonly channel: RealChannel; readonly phone: string },
) => ({
  clientId: debt.clientId,
  channel,
  debtId: debt.id,
  personKey: keys.person(debt.debtorTaxId),
  phoneKey: keys.phone(phone),
});
