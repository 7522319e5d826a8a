import { describe, expect, it } from '@jest/globals';
import { HOUR } from '../../../kernel/calendar.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { decideReceiptSending, mayReply, mayWriteFreely, nextOpening, startOfToday } from './message-policy.ts';
import { bindingPack } from './policy-pack.ts';

const { pack: shipped, holidays } = loadPolicy();
const pack = bindingPack(shipped, 'itself');
const sp = (text: string) => Date.parse(`${text}-03:00`);
const TUESDAY = sp('2026-11-24T10:00:00');

describe('messages that do not collect', () => {
  const context = { pack, holidays, channel: 'whatsapp', phoneAreaCode: '11', now: sp('2026-11-28T22:00:00') } as const;

  it('may answer at any hour, once for each message', () => {
    expect(mayReply(context, { toThisMessage: 0, today: 0 })).toBe(true);
    expect(mayReply(context, { toThisMessage: 1, today: 0 })).toBe(false);
  });

  it('may answer five times on a calendar day of the debtor', () => {
    expect(mayReply(context, { toThisMessage: 0, today: 4 })).toBe(true);
    expect(mayReply(context, { toThisMessage: 0, today: 5 })).toBe(false);
    expect(startOfToday(context)).toBe(sp('2026-11-28T00:00:00'));
    // Acre is two hours behind.
    expect(startOfToday({ ...context, phoneAreaCode: '68' })).toBe(sp('2026-11-28T02:00:00'));
  });

  it('may be free text only within 24 hours of the debtor’s last one, on WhatsApp', () => {
    expect(mayWriteFreely(context, context.now - 24 * HOUR + 1)).toBe(true);
    expect(mayWriteFreely(context, context.now - 24 * HOUR)).toBe(false);
    expect(mayWriteFreely(context, null)).toBe(false);
    expect(mayWriteFreely({ ...context, channel: 'email' }, null)).toBe(true);
  });

  it('wait for Monday after a weekend', () => {
    expect(nextOpening(context)).toBe(sp('2026-11-30T09:00:00'));
    expect(nextOpening({ ...context, now: TUESDAY })).toBe(TUESDAY);
  });

  it('send a receipt at once on confirmation, otherwise at the next opening, and never after opt-out or wrong person', () => {
    const receipt = { ...context, onConfirmation: true, optedOut: false, wrongPerson: false, sendings: [] };
    expect(decideReceiptSending(receipt)).toEqual({ send: true, at: context.now });
    expect(decideReceiptSending({ ...receipt, onConfirmation: false })).toEqual({
      send: true,
      at: sp('2026-11-30T09:00:00'),
    });
    expect(decideReceiptSending({ ...receipt, optedOut: true })).toEqual({ send: false, reason: 'opt_out' });
    expect(decideReceiptSending({ ...receipt, wrongPerson: true })).toEqual({ send: false, reason: 'wrong_person' });
  });

  it('send at most five receipts a day', () => {
    const receipt = { ...context, onConfirmation: true, optedOut: false, wrongPerson: false };
    const today = Array.from({ length: 5 }, (_, index) => sp('2026-11-28T00:00:00') + index);
    expect(decideReceiptSending({ ...receipt, sendings: today })).toEqual({ send: false, reason: 'too_many' });
    expect(decideReceiptSending({ ...receipt, sendings: today.map((moment) => moment - 1) })).toMatchObject({
      send: true,
    });
  });
});
