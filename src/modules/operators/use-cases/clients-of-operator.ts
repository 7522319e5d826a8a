import { AppError } from '../../../kernel/errors.ts';
import { type LaunchNeed, missingForLaunch } from '../../../kernel/launch-needs.ts';
import { readAccount } from '../../accounts/use-cases/read-account.ts';
import { type StatusChange, setClientStatus } from '../../accounts/use-cases/set-client-status.ts';
import { type VerifiedCompany, verifyClientInApi, versionOf } from '../../accounts/use-cases/verify-client.ts';
import {
  backlogOf,
  CLIENTS_OF_OPERATOR,
  problemsOf,
  senderNamesOf,
  verificationOf,
} from '../queries/operator-facts.ts';
import { actsOnClient, addAct } from '../queries/operators.ts';
import type { Check, ClientFilter, OperatorAction } from '../rules/operator-limits.ts';
import type { ActingOperator, OperatorDeps } from './deps.ts';

/** Lists who the clients are, in which state, how much of each fails, and what a real launch needs of the company itself. */
export const findClients =
  ({ db }: Pick<OperatorDeps, 'db'>) =>
  async ({ search, filter }: { readonly search: string; readonly filter: ClientFilter }) => {
    const rows = await db.readPrepared({ operator: true }, CLIENTS_OF_OPERATOR, { text: search.trim(), filter });
    const items = rows.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      cnpj: row.cnpj,
      status: row.status,
      verified: row.verified,
      createdAt: row.createdAt.toISOString(),
      problems: row.problems,
      missing: missingForLaunch(row, []) as LaunchNeed[],
    }));
    return { items, total: rows[0]?.found ?? 0 };
  };

/** One client: what there is to check, what is missing, what fails, and what operators have done. */
export const readClient = (deps: OperatorDeps) => async (operator: ActingOperator, clientId: string) => {
  const account = await readAccount(deps)(clientId);
  const { verification, senders, problems, waiting, acts } = await deps.db
    .operatorOn(clientId)
    .transactional(async (tx) => {
      const read = {
        verification: await verificationOf(tx, clientId),
        senders: await senderNamesOf(tx, clientId),
        problems: await problemsOf(tx, clientId),
        waiting: await backlogOf(tx, clientId),
        acts: await actsOnClient(tx, clientId),
      };
      await addAct(tx, { operatorId: operator.id, ip: operator.ip, action: 'client_read', clientId });
      return read;
    });
  const { id, name, email, cnpj, address, collectsFor, plan, status, trialEndsAt, verified, missing } = account;
  return {
    ...{ id, name, email, cnpj, address, collectsFor, plan, status, trialEndsAt, verified, missing, senders },
    version: versionOf({ name, cnpj, address, senders, collectsFor }),
    verification:
      verification === undefined
        ? null
        : { at: verification.at.toISOString(), operator: verification.operator, checked: verification.checked ?? [] },
    backlog: waiting,
    problems: problems.map(({ kind, about, since }) => ({ kind, about, since: since.toISOString() })),
    acts: acts.map(({ at, action, operator: by, details }) => ({
      at: at.toISOString(),
      action,
      operator: by,
      details,
    })),
  };
};

/**
 * Records what an operator has checked of the company. Throws `not_found`, `already_verified`, `creditor_incomplete`, and
 * `client_state` when the company has changed since the version that was seen.
 */
export const verifyClientAsOperator =
  (deps: OperatorDeps) =>
  ({
    operator,
    clientId,
    checked,
    seen,
  }: {
    readonly operator: ActingOperator;
    readonly clientId: string;
    readonly checked: readonly Check[];
    readonly seen?: string | undefined;
  }): Promise<VerifiedCompany> =>
    verifyClientInApi(deps)(
      clientId,
      // The client reads its own log: it learns which operator it was, and not from where.
      { actor: 'operator', action: 'client_verified', ip: AT_CONSOLE, details: { operator: operator.id } },
      {
        seen,
        also: (tx) =>
          addAct(tx, {
            operatorId: operator.id,
            ip: operator.ip,
            action: 'client_verified',
            clientId,
            details: { checked },
          }),
      },
    );

const AT_CONSOLE = 'operators’ console';

const ACTIONS: Readonly<Record<StatusChange, OperatorAction>> = {
  pause: 'client_paused',
  resume: 'client_resumed',
  cancel: 'client_cancelled',
};

/** Throws `not_found`, and `client_state` when the change is not allowed from the present status. */
export const changeClientAsOperator =
  ({ db, workflows, now }: OperatorDeps) =>
  async ({
    operator,
    clientId,
    change,
  }: {
    readonly operator: ActingOperator;
    readonly clientId: string;
    readonly change: StatusChange;
  }) => {
    const { from, to, possible } = await setClientStatus({ db: { tenant: db.operatorOn }, workflows, now })({
      clientId,
      change,
      by: { ip: AT_CONSOLE, details: { operator: operator.id } },
      also: (tx, details) =>
        addAct(tx, {
          operatorId: operator.id,
          ip: operator.ip,
          action: ACTIONS[change],
          clientId,
          details,
        }),
    });
    if (!possible) throw new AppError('client_state', { detail: `The client is ${from}: it cannot become ${to}.` });
    return { status: to };
  };
