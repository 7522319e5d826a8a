import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../kernel/errors.ts';
import { mapDbError } from './map-db-error.ts';

const failure = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);

describe('mapDbError', () => {
  it('keeps the error of a use case', () => {
    const said = new AppError('campaign_empty');
    expect(mapDbError(said)).toBe(said);
  });

  it.each(['08006', '53100', '53200', '53300', '58030', '57P01', '57P02', '57P03', '40P01', '57014', 'ECONNREFUSED'])(
    'takes %s as unavailable, to be tried again',
    (code) => {
      const mapped = mapDbError(failure('any words', { code }));
      expect(mapped).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 1 });
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
  ])('maps a lost connection without a code to unavailable: %s', (message) => {
    expect(mapDbError(failure(message)).code).toBe('unavailable');
  });

  it('examines wrapped errors, and the attempts at a host with several addresses', () => {
    const wrapped = new Error('driver', { cause: failure('x', { code: 'ECONNRESET' }) });
    expect(mapDbError(wrapped).code).toBe('unavailable');
    const tries = new AggregateError([
      failure('v6', { code: 'EHOSTUNREACH' }),
      failure('v4', { code: 'ECONNREFUSED' }),
    ]);
    expect(mapDbError(tries).code).toBe('unavailable');
  });

  it('recognises constraints by name and not by message', () => {
    expect(mapDbError(failure('x', { code: '23505', constraint: 'members_email_key' })).code).toBe('email_taken');
    expect(mapDbError(failure('members_email_key', { code: '23505' })).code).toBe('internal_error');
    expect(mapDbError(failure('x', { code: '23505', constraint: 'another' })).code).toBe('internal_error');
  });

  it('maps any other error to internal_error, and discloses nothing of it', () => {
    for (const error of [new TypeError('cpf 52998224725'), failure('x', { code: '42P01' }), 'text', undefined, null]) {
      const mapped = mapDbError(error);
      expect(mapped.code).toBe('internal_error');
      expect(mapped.message).toBe('Something went wrong on our side');
      expect(mapped.cause).toBe(error);
    }
  });
});
