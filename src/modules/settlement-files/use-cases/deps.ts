import type { PersonKeys } from '../../../platform/shared/person-keys.ts';
import type { PaymentDeps } from '../../payments/use-cases/deps.ts';
import type { SettleDeps } from '../../payments/use-cases/settle-debt.ts';
import type { SettlementFileReader } from '../ports/settlement-file-reader.ts';

export interface SettlementFileDeps extends SettleDeps, Pick<PaymentDeps, 'db' | 'now' | 'policy'> {
  readonly personKeys: Pick<PersonKeys, 'received'>;
  readonly settlementFiles: SettlementFileReader;
}
