import type { CollectionDeps } from './deps.ts';
import { checkEligibility } from './gate/check-eligibility.ts';
import { resumeDebt, withdrawDebt } from './staff/change-debt.ts';
import { changeDebts } from './staff/change-debts.ts';
import { correctDebt } from './staff/correct-debt.ts';
import { readAttachment } from './staff/read-attachment.ts';
import { handBack } from './staff/staff-conversation.ts';
import { writeToDebtor } from './staff/write-to-debtor.ts';

/** The use cases of collection that a request of the API may call. */
export const createCollectionServices = (deps: CollectionDeps & Parameters<typeof readAttachment>[0]) => ({
  changeDebts: changeDebts(deps),
  checkEligibility: checkEligibility(deps),
  correctDebt: correctDebt(deps),
  handBack: handBack(deps),
  readAttachment: readAttachment(deps),
  resumeDebt: resumeDebt(deps),
  withdrawDebt: withdrawDebt(deps),
  writeToDebtor: writeToDebtor(deps),
});
