/** A copy of what is held of a person, as headings with lines below them. It is no receipt and proves nothing. */
export interface CopyData {
  readonly kind: 'copy';
  /** Stands in the metadata; a copy has no protocol. */
  readonly protocol: string;
  readonly templateVersion: 1;
  readonly issuedAt: Date;
  readonly creditor: { readonly name: string };
  readonly title: string;
  readonly subject: string;
  readonly sections: readonly { readonly heading: string; readonly lines: readonly string[] }[];
}
