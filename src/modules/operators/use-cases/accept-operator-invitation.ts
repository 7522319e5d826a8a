import { AppError } from '../../../kernel/errors.ts';
import { normaliseCode } from '../../accounts/rules/second-factor.ts';
import { hashToken } from '../../accounts/use-cases/opaque-token.ts';
import {
  addAct,
  countInvitationTry,
  deleteInvitation,
  insertOperator,
  lockInvitation,
  storeInvitedSecret,
} from '../queries/operators.ts';
import type { OperatorDeps } from './deps.ts';

/** A sealed secret is bound to its operator, whose id is that of the invitation. */
export const operatorSecretContext = (id: string): string => `second factor of operator ${id}`;

const tokenEnded = (): AppError => new AppError('token_invalid', { detail: 'The token was used, or has ended.' });

/**
 * Gives the invited person a secret for the app, a new one each time. The token stays: whoever holds it may begin again
 * until a first code proves that the app has the secret.
 */
export const openOperatorInvitation =
  ({ db, cipher, oneTimeCodes }: Pick<OperatorDeps, 'db' | 'cipher' | 'oneTimeCodes'>) =>
  (token: string): Promise<{ readonly email: string; readonly secret: string; readonly uri: string }> =>
    db.operators().transactional(async (tx) => {
      const invited = await lockInvitation(tx, hashToken(token));
      if (invited === undefined) throw tokenEnded();
      const secret = oneTimeCodes.newSecret();
      await storeInvitedSecret(tx, invited.id, cipher.seal(secret, operatorSecretContext(invited.id)));
      return { email: invited.email, secret, uri: oneTimeCodes.uriOf(secret, `${invited.email} (operador)`) };
    });

interface Accepted {
  readonly token: string;
  readonly password: string;
  readonly code: string;
  readonly ip: string;
}

/**
 * Makes the invited person an operator, with a password and a proven second factor. It opens no session. Throws
 * `token_invalid` and, for a wrong code, `invalid_credentials`.
 */
export const acceptOperatorInvitation =
  ({ db, cipher, oneTimeCodes, passwords }: Pick<OperatorDeps, 'db' | 'cipher' | 'oneTimeCodes' | 'passwords'>) =>
  async ({ token, password, code, ip }: Accepted): Promise<void> => {
    const passwordHash = await passwords.hash(password);
    const joined = await db.operators().transactional(async (tx) => {
      const invited = await lockInvitation(tx, hashToken(token));
      if (invited === undefined) throw tokenEnded();
      const { id, email, sealed } = invited;
      const context = operatorSecretContext(id);
      const secret = sealed === null ? null : cipher.open(sealed, context);
      const step = secret === null ? null : oneTimeCodes.stepOf(secret, normaliseCode(code), 0);
      if (secret === null || step === null) {
        // The try is counted also when the call is refused, so the transaction commits.
        await countInvitationTry(tx, id);
        return false;
      }
      await deleteInvitation(tx, id);
      // Sealed anew, because the key may have been replaced since the invitation was opened.
      await insertOperator(tx, { id, email, passwordHash, sealed: cipher.seal(secret, context), lastStep: step });
      await addAct(tx, { operatorId: id, action: 'operator_joined', ip });
      return true;
    });
    if (!joined) throw new AppError('invalid_credentials', { detail: 'The code is wrong.' });
  };
