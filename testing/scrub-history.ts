/** Returns a history for storage, without the values that name the machine of the run. */
export const scrubbed = (history: object): string =>
  `${JSON.stringify(history, null, 2)
    .replace(/("identity": ?)"[^"]*"/g, '$1"worker"')
    .replace(/("stackTrace": ?)"(?:[^"\\]|\\.)*"/g, '$1""')
    .replace(/("name": ?)"[^"]*@[^"]*"/g, '$1"sticky"')}\n`;
