import { type ConsoleCookie, type ConsoleToken, openConsoleSession } from './console-session.ts';
import type { Entered } from './finish-login.ts';
import { enterByPassword, type LogInDeps, type LogInInput } from './log-in.ts';

/** Opens a session of the console by e-mail and password, with the refusals of every login. */
export const logInToConsole =
  (deps: LogInDeps) =>
  ({
    remember,
    ...input
  }: LogInInput & { readonly remember: boolean }): Promise<Entered & ConsoleToken & ConsoleCookie> =>
    enterByPassword(deps, input, {
      kind: 'console',
      remember,
      open: (tx, owner) => openConsoleSession(tx, deps, { ...owner, remember }),
    });
