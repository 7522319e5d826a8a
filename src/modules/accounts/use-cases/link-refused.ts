import { AppError } from '../../../kernel/errors.ts';

/** The error for a mailed link. It does not disclose which of the three causes applies. */
export const linkRefused = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/token', code: 'token_invalid', message: 'The link is not valid, was used, or has expired' }],
  });
