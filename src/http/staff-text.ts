import { z } from 'zod';
import { storable } from '../domain/received-text.ts';

/** A text that the client's staff writes: trimmed, with its line breaks, of at most `max` characters. */
export const staffText = (max: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text.length <= 2 * max && [...text].length <= max, {
      params: { code: 'too_long' },
      message: `At most ${max} characters`,
    })
    // The message does not say which character, and the text is not repeated.
    .refine((text) => text.length > 2 * max || storable(text) === text, {
      params: { code: 'text_invalid' },
      message: 'The text has a character that cannot be stored',
    });

/** Such a text with at least one character. */
export const requiredStaffText = (max: number) =>
  staffText(max).refine((text) => text !== '', {
    params: { code: 'too_short' },
    message: 'At least one character is required',
  });
