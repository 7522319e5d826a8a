import { jwkSetOf } from './use-cases/evidence-keys.ts';
import { type EvidenceDeps, packEvidence } from './use-cases/pack-evidence.ts';

/** The use cases of evidence that a request of the API may call. */
export const createEvidenceServices = (deps: EvidenceDeps) => ({
  packEvidence: packEvidence(deps),
  publishedEvidenceKeys: () => jwkSetOf(deps.evidenceKeys),
});
