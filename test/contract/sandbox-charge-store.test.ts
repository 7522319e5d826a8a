import { memorySandboxChargeStore } from '../support/memory-sandbox-store.ts';
import { sandboxChargeStoreSuite } from './sandbox-charge-store.suite.ts';

sandboxChargeStoreSuite('in memory', memorySandboxChargeStore);
