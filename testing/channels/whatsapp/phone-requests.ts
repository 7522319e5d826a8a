/** The button that asks a person for the phone, as Meta takes it, and the card that comes when it is pressed. */
import { z } from 'zod';
import { type Answer, graphError } from './answers.ts';
import { waIdOf } from './payloads.ts';

const request = z.strictObject({
  type: z.literal('request_contact_info'),
  body: z.strictObject({ text: z.string().min(1).max(1_024) }),
  action: z.strictObject({ name: z.literal('request_contact_info') }),
});

export const isPhoneRequest = (interactive: unknown): boolean =>
  z.object({ type: z.literal('request_contact_info') }).safeParse(interactive).success;

export function textOfPhoneRequest(interactive: unknown): string | Answer {
  const { data } = request.safeParse(interactive);
  return data?.body.text ?? graphError(131009, { details: 'The parameters of the request are not valid' });
}

/** What a person sends who shares a card: by the button, or by hand with another origin. */
export const cardOf = (phone: string, origin = 'contact_request') => ({
  type: 'contacts',
  contacts: [
    {
      origin,
      name: { formatted_name: 'Ana Souza', first_name: 'Ana' },
      phones: [{ phone, wa_id: waIdOf(phone), type: 'CELL' }],
    },
  ],
});
