import { centavosOfDigits } from '../../rules/amounts.ts';
import { countOf, dateOfDigits, field, textOf } from '../../rules/cnab-fields.ts';
import { type Profile400, profile400 } from '../../rules/cnab-profiles.ts';
import { isTxid } from '../../rules/pix-ids.ts';
import type { FileRow } from '../../rules/received-row.ts';
import type { FormatReader } from './batches.ts';

const LENGTH = 400;

/** Reads a return file with 400 positions in a line by the places of its bank. */
export function createCnab400Reader(): FormatReader<string> {
  const rows: FileRow[] = [];
  let line = 0;
  let profile: Profile400 | null = null;
  let isEnded = false;
  /** The place of the payment in the line before. */
  let last: number | null = null;

  const takeDetail = (text: string, { occurrence, occurredOn, title, ourNumber, paid, settles }: Profile400): void => {
    last = null;
    if (!settles.includes(field(text, occurrence))) return;
    const amountCentavos = centavosOfDigits(field(text, paid));
    const paidOn = dateOfDigits(field(text, occurredOn));
    if (amountCentavos === null || paidOn === null) {
      rows.push({ row: line, code: amountCentavos === null ? 'amount_invalid' : 'date_invalid' });
      return;
    }
    rows.push({
      row: line,
      invoiceId: textOf(text, title),
      ourNumber: ourNumber === null ? null : textOf(text, ourNumber),
      // The tax id of such a line is that of the company itself.
      taxId: null,
      txid: null,
      endToEndId: null,
      memo: null,
      sourceId: null,
      amountCentavos,
      paidOn,
      method: 'boleto',
    });
    last = rows.length - 1;
  };

  /** Santander writes the Pix of a boleto in a line of its own. */
  const takePix = (text: string): void => {
    const txid = field(text, [80, 114]).trim();
    const row = last === null ? undefined : rows[last];
    if (row !== undefined && 'amountCentavos' in row && isTxid(txid)) rows[last!] = { ...row, txid };
  };

  return {
    take(text) {
      line += 1;
      if (isEnded || text.length !== LENGTH) return false;
      const kind = text[0]!;
      if (profile === null) {
        profile = profile400(field(text, [77, 79]));
        return text.startsWith('02');
      }
      // Each line has its number at its end, so that a line that is lost in the middle is noticed.
      if ((countOf(text, [395, 400]) ?? line) !== line) return false;
      if (kind === '9') isEnded = true;
      else if (kind === '8') takePix(text);
      else if (/[1-7]/.test(kind)) takeDetail(text, profile);
      else return false;
      return true;
    },
    rows: () => (isEnded ? rows : null),
    get found() {
      return rows.length;
    },
  };
}
