import { describe, it } from '@jest/globals';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import { endsInOneState, keepsEveryCentavo } from '../../testing/agreement-properties.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());

describe('the money of many agreements', () => {
  it('is neither lost nor asked for twice, whatever happens to it', async () => {
    await keepsEveryCentavo(money, { numRuns: 400 });
  }, 3_600_000);

  it('ends in the same state whatever order its reports come in', async () => {
    await endsInOneState(money, { numRuns: 300 });
  }, 3_600_000);
});
