import { z } from 'zod';
import { plainLines } from '../rules/staff-messages.ts';

/** Each takes six bytes in JSON, and none is visible. */
const CONTROLS = /[^\P{Cc}\n]/gu;

/** A text that the client's staff writes: trimmed, in plain lines, of at most `max` characters. */
export const staffText = (max: number) =>
  z
    .string()
    .transform((text) => plainLines(text).replaceAll(CONTROLS, '').trim())
    .refine((text) => text.length <= 2 * max && [...text].length <= max, {
      params: { code: 'too_long' },
      message: `At most ${max} characters`,
    })
    // Half a surrogate pair cannot be stored; U+0000 is refused in every body.
    .refine((text) => text.isWellFormed(), {
      params: { code: 'text_invalid' },
      message: 'The text has a character that cannot be stored',
    });

/** Such a text with at least `min` characters. */
export const requiredStaffText = (max: number, min = 1) =>
  staffText(max).refine((text) => [...text.slice(0, 2 * min)].length >= min, {
    params: { code: 'too_short' },
    message: min === 1 ? 'At least one character is required' : `At least ${min} characters are required`,
  });
