import type { ErasureInput } from '../contract.ts';
import { erasures } from '../proxies.ts';

export async function eraseDebtor(input: ErasureInput): Promise<void> {
  await erasures.eraseDebtor(input);
}
