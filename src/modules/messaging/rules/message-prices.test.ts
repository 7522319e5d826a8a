import { describe, expect, it } from '@jest/globals';
import { estimateCost, type PriceList } from './message-prices.ts';

const LIST: PriceList = {
  version: '1',
  prices: [
    { channel: 'whatsapp', per: 'message', microReais: 37_400 },
    { channel: 'twilio', per: 'segment', microReais: 100_001 },
    { channel: 'zenvia', per: 'segment', microReais: null },
  ],
};
const estimate = (channel: string, messages: number) => estimateCost(LIST, { channel, messages, segmentsOfMessage: 2 });

describe('the estimated cost of a channel', () => {
  it('is exact in millionths of a real until it is rounded up to whole centavos', () => {
    expect(estimate('whatsapp', 1)).toEqual({ unitMicroReais: 37_400, totalCentavos: 4 });
    expect(estimate('whatsapp', 1_000)).toEqual({ unitMicroReais: 37_400, totalCentavos: 3_740 });
    expect(estimate('whatsapp', 0)).toEqual({ unitMicroReais: 37_400, totalCentavos: 0 });
  });

  it('counts every segment of an SMS', () => {
    expect(estimate('twilio', 10)).toEqual({ unitMicroReais: 200_002, totalCentavos: 201 });
  });

  it('is unknown without a price', () => {
    const unknown = { unitMicroReais: null, totalCentavos: null };
    expect([estimate('zenvia', 5), estimate('email', 5)]).toEqual([unknown, unknown]);
  });
});
