const NEEDED_MAJOR = 24;

/** Under an older Node a native package of ours ends the process without a word: said first, before anything is loaded. */
export const requireNode = (): void => {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return;
  process.stderr.write(
    `Node ${NEEDED_MAJOR} runs this service, this is ${process.versions.node}: use "npm start" or "npx quita", which bring it along\n`,
  );
  process.exit(1);
};
