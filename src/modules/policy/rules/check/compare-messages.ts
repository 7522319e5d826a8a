import { decideReceiptSending, type MessageContext, mayReply, mayWriteFreely } from '../message-policy.ts';
import { dayOf, MS_OF_DAY } from '../plain/days.ts';
import { plainMessages } from '../plain/messages.ts';
import { plainPlace } from '../plain/places.ts';
import { bindingPack, CHANNELS } from '../policy-pack.ts';
import { type Compared, type Comparison, type Counterexample, MAX_COUNTEREXAMPLES, type Span } from './compare.ts';

const HOUR = 3_600_000;

/** Up to one more than the largest number of a rule, so that each limit is passed once. */
const counts = (largest: number): number[] => Array.from({ length: Math.min(largest, 50) + 2 }, (_, count) => count);

/** Compares what the rules say about replies, free texts and receipts, on each day and channel at the ends of the day. */
export function compareMessages(compared: Compared, areaCode: string, { from, days }: Span): Comparison {
  const counterexamples: Counterexample[] = [];
  let decisions = 0;
  const limits = [...compared.pack.rules, ...compared.plainPack.rules];
  const largest = (kind: 'reply' | 'receipt'): number =>
    Math.max(
      0,
      ...limits.map((rule) =>
        rule.rule !== kind
          ? 0
          : rule.rule === 'reply'
            ? rule.perDay
            : rule.rule === 'receipt'
              ? rule.sendingsPerDay
              : 0,
      ),
    );
  const hours = [...new Set(limits.flatMap((rule) => (rule.rule === 'free_text' ? [rule.hours] : [])))];
  const pack = bindingPack(compared.pack, 'itself');
  const behind = plainPlace(areaCode).behind[0]! * HOUR;

  function compareAt(at: number): void {
    for (const channel of CHANNELS) {
      const context: MessageContext = { pack, holidays: compared.calendar, channel, phoneAreaCode: areaCode, now: at };
      const plain = plainMessages({ pack: compared.plainPack, channel, areaCode }, at);
      const expect = (history: string, engine: boolean, read: boolean): void => {
        decisions += 1;
        if (engine === read || counterexamples.length >= MAX_COUNTEREXAMPLES) return;
        const word = (may: boolean): string => (may ? 'allows it' : 'refuses it');
        counterexamples.push({ at, areaCode, channel, history, engine: word(engine), plain: word(read) });
      };
      for (const today of counts(largest('reply'))) {
        for (const toThisMessage of [0, 1, 2]) {
          const name = `a reply after ${toThisMessage} to the same message and ${today} today`;
          expect(name, mayReply(context, { toThisMessage, today }), plain.reply(toThisMessage, today));
        }
      }
      const inbound = hours.flatMap((count) => [-1, 0, 1].map((beside) => at - count * HOUR + beside));
      for (const last of [null, ...inbound]) {
        const name = `free text, last message of the debtor: ${last === null ? 'none' : new Date(last).toISOString()}`;
        expect(name, mayWriteFreely(context, last), plain.freeText(last));
      }
      const question = { ...context, onConfirmation: true, optedOut: false, wrongPerson: false };
      const midnight = Math.floor((at - behind) / MS_OF_DAY) * MS_OF_DAY + behind;
      for (const sent of counts(largest('receipt'))) {
        const sendings = [midnight - 1, ...Array.from({ length: sent }, () => midnight)];
        expect(
          `a receipt after ${sent} today`,
          decideReceiptSending({ ...question, sendings }).send,
          plain.receipt(sendings),
        );
      }
    }
  }

  for (let day = dayOf(from); day < dayOf(from) + days && counterexamples.length < MAX_COUNTEREXAMPLES; day += 1) {
    for (const beside of [0, MS_OF_DAY - 1]) compareAt(day * MS_OF_DAY + behind + beside);
  }
  return { decisions, counterexamples };
}
