import type { Channel, PolicyPack, PolicyRule } from '../policy-pack.ts';
import { dateOfDay, MS_OF_DAY } from './days.ts';
import { plainPlace } from './places.ts';

const HOUR = 3_600_000;

/** The plain reading of the rules about answers, free texts and receipts, which no cap counts. */
interface PlainMessages {
  reply(toThisMessage: number, today: number): boolean;
  freeText(lastInboundAt: number | null): boolean;
  /** The debtor's calendar day counts. */
  receipt(sendings: readonly number[]): boolean;
}

export function plainMessages(
  { pack, channel, areaCode }: { readonly pack: PolicyPack; readonly channel: Channel; readonly areaCode: string },
  at: number,
): PlainMessages {
  const { states, behind } = plainPlace(areaCode);
  const dayIn = (moment: number): number => Math.floor((moment - behind[0]! * HOUR) / MS_OF_DAY);
  const today = dateOfDay(dayIn(at));
  const rules = pack.rules.filter(
    (rule: PolicyRule) =>
      rule.status !== 'bill' &&
      rule.binds === 'all' &&
      (rule.channels === 'all' || rule.channels.includes(channel)) &&
      (rule.states === 'all' || rule.states.some((state) => states.includes(state))) &&
      (rule.effectiveFrom ?? today) <= today &&
      (rule.effectiveTo ?? today) >= today,
  );
  return {
    reply: (toThisMessage, sentToday) =>
      !rules.some((rule) => rule.rule === 'reply' && (toThisMessage >= rule.perMessage || sentToday >= rule.perDay)),
    freeText: (lastInboundAt) =>
      !rules.some(
        (rule) => rule.rule === 'free_text' && (lastInboundAt === null || at >= lastInboundAt + rule.hours * HOUR),
      ),
    receipt: (sendings) =>
      !rules.some(
        (rule) =>
          rule.rule === 'receipt' && sendings.filter((one) => dayIn(one) === dayIn(at)).length >= rule.sendingsPerDay,
      ),
  };
}
