import { type HasGlyph, printable } from './printable.ts';
import { assertHead, type DocumentHead, printableParties } from './receipt-data.ts';

export const EVIDENCE_TEMPLATE_VERSION = 1;

/** The readable summary of a pack of evidence, in words that the module evidence has chosen. */
export interface EvidenceData extends DocumentHead {
  readonly kind: 'evidence';
  readonly title: string;
  readonly subtitle: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly sections: readonly { readonly title: string; readonly paragraphs: readonly string[] }[];
  readonly verification: string;
  /** How the chain ends, for who compares it by hand. */
  readonly chain: string;
}

export const assertEvidenceData = (data: EvidenceData): void => assertHead(data);

export function printableEvidence(data: EvidenceData, hasGlyph: HasGlyph): EvidenceData {
  const text = (value: string): string => printable(value, hasGlyph);
  return {
    ...data,
    ...printableParties(data, hasGlyph),
    facts: data.facts.map((row) => ({ ...row, value: text(row.value) || '–' })),
    sections: data.sections.map(({ title, paragraphs }) => ({ title, paragraphs: paragraphs.map(text) })),
  };
}
