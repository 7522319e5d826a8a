import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AREA_CODES } from '../../../../kernel/phone.ts';
import { INTENTS } from '../../../debts/rules/intents.ts';
import { intentOf, payloadOf } from './button-payloads.ts';
import { addressOf } from './message-body.ts';

describe('the address of a message', () => {
  it('has `+`, the country code and the ninth digit for every mobile of Brazil', () => {
    const eight = fc.stringMatching(/^[6-9]\d{7}$/);
    fc.assert(
      fc.property(fc.constantFrom(...AREA_CODES), eight, (areaCode, number) => {
        const to = `+55${areaCode}9${number}`;
        for (const phone of [to, `+55${areaCode}${number}`]) expect(addressOf({ phone })).toEqual({ to });
      }),
    );
  });

  it.each([
    ['+551133334444', { to: '+551133334444' }],
    ['+14155552671', { to: '+14155552671' }],
  ])('of %s is %p', (phone, address) => {
    expect(addressOf({ phone, channelUserId: 'BR.1' })).toEqual(address);
  });

  it.each(['BR.13491208655302741918', 'US.ENT.11815799212886844830'])(
    'is %s when no number is known',
    (channelUserId) => {
      expect(addressOf({ phone: '', channelUserId })).toEqual({ recipient: channelUserId });
    },
  );

  it('is the id of a person who uses another number now, where it is known', () => {
    const moved = { phone: '+5511987654321', hasMoved: true };
    expect(addressOf({ ...moved, channelUserId: 'BR.1' })).toEqual({ recipient: 'BR.1' });
    for (const channelUserId of ['', 'x']) expect(addressOf({ ...moved, channelUserId })).toEqual({ to: moved.phone });
    expect(addressOf({ ...moved, channelUserId: 'BR.1', hasMoved: false })).toEqual({ to: moved.phone });
  });

  it.each([
    { phone: '' },
    { phone: '0800 123' },
    { phone: '', channelUserId: '' },
    { phone: '', channelUserId: '5511987654321' },
    { phone: '', channelUserId: `BR.${'1'.repeat(129)}` },
  ])('is refused for %p', (recipient) => {
    expect(() => addressOf(recipient)).toThrow('no phone number and no id');
  });
});

describe('the payload of a button', () => {
  it('brings back its intent, and no other text does', () => {
    for (const intent of INTENTS) expect(intentOf(payloadOf(intent))).toBe(intent);
    for (const text of [null, '', 'quita:', 'quita:toString', 'opt_out', 'QUITA:opt_out'])
      expect(intentOf(text)).toBeNull();
  });
});
