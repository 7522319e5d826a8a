/**
 * The names of `patched()` branches, one constant each, oldest first, with the date from which no open run needs the
 * old branch. Each change of the order of steps needs a name here and a saved history in test/replay/histories.
 */
export const VERSIONS = {
  /** Work that is owed waited an hour when other work was done meanwhile. Needed until 2027-12-01. */
  owedWorkWhenDue: 'owed-work-when-due',
  /** A change was forgotten while work was owed or a receipt delivered. Needed until 2027-12-01. */
  changesAreLookedAt: 'changes-are-looked-at',
  /** A webhook with news at every moment never began a new history. Needed until 2027-01-01. */
  newHistoryDespiteNews: 'new-history-despite-news',
  /** A change that came while a settlement failed was followed by the next try at once. Needed until 2027-12-01. */
  changesAwaitSettlement: 'changes-await-settlement',
} as const;
