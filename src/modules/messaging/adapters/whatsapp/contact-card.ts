import { z } from 'zod';
import { inboundPhones } from '../../../../kernel/phone.ts';

const spelling = z.string().max(40).optional();
/** A card that was sent by hand has another origin. */
const answer = z.tuple([
  z.object({
    origin: z.literal('contact_request'),
    phones: z.tuple([z.object({ phone: spelling, wa_id: spelling })]),
  }),
]);

/**
 * Returns the phone of the only card by which a person has answered the button that asks for it, and null for any other
 * card. Where WhatsApp writes the number in two ways, both have to be the same number.
 */
export function phoneOfCard(contacts: unknown): string | null {
  const { data } = answer.safeParse(contacts);
  if (data === undefined) return null;
  const { phone, wa_id: waId } = data[0].phones[0];
  const given = [waId, phone].filter((one) => one !== undefined);
  // The last spelling has the ninth digit, which `wa_id` may lack.
  const numbers = new Set(given.map((one) => inboundPhones(one).at(-1) ?? null));
  return numbers.size === 1 && !numbers.has(null) ? given[0]! : null;
}
