import { useSyncExternalStore } from 'react';
import { onStepUpChange, type StepUp, stepUpNow } from './step-up.ts';

export const useStepUp = (): StepUp | undefined => useSyncExternalStore(onStepUpChange, stepUpNow);
