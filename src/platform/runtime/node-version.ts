const NEEDED_MAJOR = 24;

/**
 * Ends the process with a message under an older Node. It runs before anything else is loaded, because a native package
 * would end the process there without a message.
 */
export const requireNode = (): void => {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return;
  process.stderr.write(
    `This service needs Node ${NEEDED_MAJOR}, and this is Node ${process.versions.node}: use "npm start" or "npx quita", which bring their own Node\n`,
  );
  process.exit(1);
};
