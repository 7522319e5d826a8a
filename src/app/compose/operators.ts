import { statfs } from 'node:fs/promises';
import type { AccountDeps } from '../../modules/accounts/use-cases/deps.ts';
import type { OperatorDeps } from '../../modules/operators/use-cases/deps.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Gateway } from '../../platform/temporal/gateway.ts';

/** Composes what the operators' console needs besides the accounts. */
export function composeOperators(
  config: Config,
  accounts: AccountDeps,
  gateway: Pick<Gateway, 'waitingForOperator'>,
  rates: Pick<OperatorDeps, 'takeFromOperatorLoginRate' | 'takeFromOperatorCodeRate'>,
): OperatorDeps {
  const { namespace, uiUrl } = config.temporal;
  return {
    ...accounts,
    ...rates,
    waitingWorkflows: gateway.waitingForOperator,
    workflowUrl: ({ workflowId, runId }) =>
      uiUrl === undefined
        ? null
        : `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${encodeURIComponent(runId)}`,
    diskSpace: async () => {
      const { bavail, blocks, bsize } = await statfs(config.dataDir);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
  };
}
