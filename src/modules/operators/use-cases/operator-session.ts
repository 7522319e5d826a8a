import { AppError } from '../../../kernel/errors.ts';
import { normaliseCode } from '../../accounts/rules/second-factor.ts';
import type { Origin } from '../../accounts/use-cases/deps.ts';
import { hashToken, newOpaqueToken } from '../../accounts/use-cases/opaque-token.ts';
import {
  addAct,
  endOperatorSession,
  findOperator,
  insertOperatorSession,
  sealOperatorAgain,
  useOperatorSession,
  useStepOfOperator,
} from '../queries/operators.ts';
import { operatorSecretContext } from './accept-operator-invitation.ts';
import type { ActingOperator, OperatorDeps } from './deps.ts';

interface Login {
  readonly email: string;
  readonly password: string;
  readonly code: string;
  readonly origin: Origin;
}

/**
 * Opens a session by e-mail, password and code together: every operator has a second factor, and the answer does not
 * tell which of the three was wrong. Wrong logins in a row are counted for the e-mail from one address, so that a
 * stranger elsewhere locks nobody out; the codes of an operator whose password was right are counted over all addresses.
 * Throws `invalid_credentials`, `account_locked` and `rate_limited`.
 */
export const logInOperator =
  (deps: OperatorDeps) =>
  async ({ email, password, code, origin }: Login): Promise<{ readonly cookie: string; readonly email: string }> => {
    const { db, passwords, loginLockouts } = deps;
    const counter = await loginLockouts.counterOf(`operator:${origin.rateKey}:${email}`, []);
    await deps.takeFromOperatorLoginRate(origin.rateKey);
    const attempt = await counter.begin();
    let entered: string | null = null;
    let id: string | null = null;
    try {
      const operator = await db.operators().transactional((tx) => findOperator(tx, email));
      id = operator?.id ?? null;
      // A null hash takes the same time, so that the time tells nobody who is an operator.
      const isRight = await passwords.verify(operator?.passwordHash ?? null, password);
      if (isRight && operator !== undefined) entered = await enter(deps, { operator, code, origin });
    } catch (error) {
      await attempt.undecided();
      throw error;
    }
    if (entered !== null) {
      await attempt.succeeded();
      return { cookie: entered, email };
    }
    const locked = await db.auth().transactional((tx) => attempt.failed(tx));
    await db.operators().transactional(async (tx) => {
      await addAct(tx, { operatorId: id, action: 'login_failed', ip: origin.ip });
      if (locked) await addAct(tx, { operatorId: id, action: 'login_locked', ip: origin.ip });
    });
    throw new AppError('invalid_credentials', { detail: 'E-mail, password or code is wrong.' });
  };

interface Entering {
  readonly operator: NonNullable<Awaited<ReturnType<typeof findOperator>>>;
  readonly code: string;
  readonly origin: Origin;
}

/** Returns the cookie of a new session, or null for a wrong or used code. */
async function enter(deps: OperatorDeps, { operator, code, origin }: Entering): Promise<string | null> {
  const { db, cipher, oneTimeCodes } = deps;
  const { id, sealed, lastStep } = operator;
  try {
    await deps.takeFromOperatorCodeRate(id);
  } catch (error) {
    // Another answer would tell that the password is right.
    if (error instanceof AppError && error.code === 'rate_limited') return null;
    throw error;
  }
  const context = operatorSecretContext(id);
  const secret = cipher.open(sealed, context);
  const step = oneTimeCodes.stepOf(secret, normaliseCode(code), lastStep);
  if (step === null) return null;
  const cookie = newOpaqueToken();
  const opened = await db.operators().transactional(async (tx) => {
    if ((await useStepOfOperator(tx, id, step)) === undefined) return false;
    if (!cipher.isCurrent(sealed)) await sealOperatorAgain(tx, id, cipher.seal(secret, context));
    await insertOperatorSession(tx, { operatorId: id, cookieHash: hashToken(cookie) });
    await addAct(tx, { operatorId: id, action: 'login', ip: origin.ip });
    return true;
  });
  return opened ? cookie : null;
}

/** Returns the operator of a cookie, and begins the idle time again. Throws `unauthenticated`. */
export const requireOperator =
  ({ db }: Pick<OperatorDeps, 'db'>) =>
  async (cookie: string | null, ip: string): Promise<ActingOperator & { readonly email: string }> => {
    if (cookie === null) throw new AppError('unauthenticated');
    const found = await db.operators().transactional((tx) => useOperatorSession(tx, hashToken(cookie)));
    if (found === undefined) throw new AppError('unauthenticated');
    return { ...found, ip };
  };

export const logOutOperator =
  ({ db }: Pick<OperatorDeps, 'db'>) =>
  async (cookie: string | null, ip: string): Promise<void> => {
    if (cookie === null) return;
    await db.operators().transactional(async (tx) => {
      const ended = await endOperatorSession(tx, hashToken(cookie));
      if (ended !== undefined) await addAct(tx, { operatorId: ended.operatorId, action: 'logout', ip });
    });
  };
