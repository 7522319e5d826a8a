import { acceptOperatorInvitation, openOperatorInvitation } from './use-cases/accept-operator-invitation.ts';
import {
  changeClientAsOperator,
  findClients,
  readClient,
  verifyClientAsOperator,
} from './use-cases/clients-of-operator.ts';
import type { OperatorDeps } from './use-cases/deps.ts';
import { readOperatorHealth } from './use-cases/operator-health.ts';
import { logInOperator, logOutOperator, requireOperator } from './use-cases/operator-session.ts';

/** The use cases of operators that a request of the API may call. */
export const createOperatorsServices = (deps: OperatorDeps) => ({
  acceptOperatorInvitation: acceptOperatorInvitation(deps),
  changeClientAsOperator: changeClientAsOperator(deps),
  findClients: findClients(deps),
  logInOperator: logInOperator(deps),
  logOutOperator: logOutOperator(deps),
  openOperatorInvitation: openOperatorInvitation(deps),
  readClientAsOperator: readClient(deps),
  readOperatorHealth: readOperatorHealth(deps),
  requireOperator: requireOperator(deps),
  verifyClientAsOperator: verifyClientAsOperator(deps),
});
