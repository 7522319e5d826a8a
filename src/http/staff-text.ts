import { z } from 'zod';

/** A text that the client's staff writes: trimmed, with its line breaks, of at most `max` characters. */
export const staffText = (max: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text.length <= 2 * max && [...text].length <= max, {
      params: { code: 'too_long' },
      message: `At most ${max} characters`,
    })
    // Half a surrogate pair cannot be stored; U+0000 is refused in every body.
    .refine((text) => text.isWellFormed(), {
      params: { code: 'text_invalid' },
      message: 'The text has a character that cannot be stored',
    });

/** Such a text with at least one character. */
export const requiredStaffText = (max: number) =>
  staffText(max).refine((text) => text !== '', {
    params: { code: 'too_short' },
    message: 'At least one character is required',
  });
