/** What is known about one message of a debtor when it is judged whether a machine wrote it. */
export interface MessageSigns {
  /** `yes`: only a machine writes so. `perhaps`: a person may write so too. */
  readonly words: 'yes' | 'perhaps' | 'no';
  readonly asksForSilence: boolean;
  /** The message came sooner after one of ours than a person can read and write. */
  readonly isFast: boolean;
  /** The same text came before. */
  readonly isRepeated: boolean;
  /** A message of the same turn is an automatic answer by its words. */
  readonly isBesideAutomatic: boolean;
}

/**
 * Judges whether a message is an automatic answer, which changes nothing and is not answered. A request for silence is
 * obeyed wherever it stands. Neither speed nor repetition suffices alone: people repeat themselves, and somebody who is
 * writing anyway may send the moment after our message.
 */
export function isAutomaticAnswer(signs: MessageSigns): boolean {
  const { words, asksForSilence, isFast, isRepeated, isBesideAutomatic } = signs;
  if (asksForSilence) return false;
  if (words === 'yes') return true;
  if (words === 'perhaps') return isFast || isRepeated || isBesideAutomatic;
  return isFast && isRepeated;
}
