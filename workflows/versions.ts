/**
 * The names of `patched()` branches, one constant each, oldest first, with the date from which no open run needs the
 * old branch. Each change of the order of steps needs a name here and a saved history in test/replay/histories.
 */
export const VERSIONS = {
  /**
   * A long run continues as new also while an activity has failed for good. Runs of the version before carry on in the
   * old run until the activity succeeds. The old branch may go when no run from before 2027-02-01 is open.
   */
  continueWhileUnfinished: 'continue-while-unfinished',
  /**
   * A campaign's workflow plans and starts debts that have come in since the launch, when a review finds some. The old
   * branch ignores what the review has found. It may go when no run from before 2027-02-01 is open.
   */
  takeLaterDebts: 'take-later-debts',
  /**
   * The hourly purge also removes timelines and messages of debts that ended long ago. The old branch leaves them. It may
   * go when no run from before 2027-02-01 is open.
   */
  purgeEndedDebts: 'purge-ended-debts',
  /**
   * A change that arrives together with a payment, a message or a wanted receipt is looked at after them. The old branch
   * forgets it, so that a resumed debt slept. It may go when no run from before 2027-02-01 is open.
   */
  keepChange: 'keep-change',
} as const;
