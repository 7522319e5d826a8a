import { z } from 'zod';

export const receiptSchema = z
  .object({
    protocol: z.string(),
    debtId: z.uuid(),
    paymentId: z.uuid(),
    issuedAt: z.iso.datetime(),
    templateVersion: z.int(),
    url: z.url().describe('Signed; where the debtor downloads it'),
    sent: z.boolean().describe('It is on its way to the phone of the debt'),
    sendAt: z.iso.datetime().optional().describe('When it goes, if it has to wait for the next opening of the window'),
    reason: z
      .enum(['opt_out', 'wrong_person', 'no_opening', 'revoked', 'erased'])
      .optional()
      .describe('Why it is not sent although that was asked for'),
    revokedAt: z.iso.datetime().optional().describe('The payment was given back: it no longer proves anything'),
  })
  .meta({ id: 'Receipt' });

export const regeneratedSchema = z.object({
  total: z.int().describe('Payments this call looked at'),
  regenerated: z.int(),
  skipped: z.int().describe('Already current, or being drawn by another call at this moment'),
  failed: z.array(
    z.object({
      paymentId: z.uuid(),
      protocol: z.string().nullable().describe('Null: never issued'),
      code: z.enum(['bad_data', 'crashed', 'timed_out', 'unavailable']),
      message: z.string(),
    }),
  ),
  capped: z.boolean().describe('Payments remain after this page'),
  nextSkip: z.int().nullable(),
});

/** Anything: what is not a right signature is answered alike, a doubled one too. */
export const signedQuery = z.object({ sig: z.unknown().optional() });
export const protocolParams = z.object({ protocol: z.string() });
