import { AppError } from '../domain/errors.ts';

/** Of a mailed link: which of the three it is, is not told. */
export const linkRefused = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/token', code: 'token_invalid', message: 'The link is not valid, was used, or has expired' }],
  });
