import type { Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import { METHOD_PHRASES } from '../../../../kernel/texts/payment-methods.ts';
import { type Fonts, receiptFonts } from './fonts.ts';
import { drawReceipt } from './layout.ts';
import { printable, printableName } from './printable.ts';
import { drawQr, type QrDrawer } from './qr.ts';
import { assertReceiptData, CURRENT_TEMPLATE_VERSION, type ReceiptData, ReceiptDataError } from './receipt-data.ts';
import { DOCUMENT_NAMES } from './wording.ts';

/**
 * Declares in the metadata that the file is PDF/UA-1 as well as PDF/A-2a. pdfkit's own PDF/UA option excludes PDF/A and
 * writes a wrong CIDSet; PDF/A allows the additional declaration only when the file describes its schema.
 */
function addIdentification(doc: PDFKit.PDFDocument): void {
  doc.appendXML(`
    <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:language><rdf:Bag><rdf:li>pt-BR</rdf:li></rdf:Bag></dc:language>
    </rdf:Description>
    <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
      <pdfuaid:part>1</pdfuaid:part>
    </rdf:Description>
    <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
        xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
      <pdfaExtension:schemas>
        <rdf:Bag>
          <rdf:li rdf:parseType="Resource">
            <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
            <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
            <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
            <pdfaSchema:property>
              <rdf:Seq>
                <rdf:li rdf:parseType="Resource">
                  <pdfaProperty:category>internal</pdfaProperty:category>
                  <pdfaProperty:description>Part of PDF/UA that the file conforms to</pdfaProperty:description>
                  <pdfaProperty:name>part</pdfaProperty:name>
                  <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
                </rdf:li>
              </rdf:Seq>
            </pdfaSchema:property>
          </rdf:li>
        </rdf:Bag>
      </pdfaExtension:schemas>
    </rdf:Description>`);
}

/**
 * Removes characters that XML would need escaped, because pdfkit copies these texts unescaped; a name may be "A & B".
 */
function metadataText(text: string): string {
  return text
    .replace(/\s*&\s*/g, ' e ')
    .replace(/[<>]/g, '')
    .trim();
}

/** The means of drawing a document: fonts that were opened once, or paths that pdfkit opens each time. */
export interface Tools {
  readonly regular: Font | string;
  readonly bold: Font | string;
  readonly hasGlyph: Fonts['hasGlyph'];
  readonly drawQr: QrDrawer;
}

/** The same data give the same bytes, whatever this thread has drawn before. */
export function renderReceipt(data: ReceiptData): Uint8Array<ArrayBuffer> {
  return drawDocument(data, { ...receiptFonts(), drawQr });
}

/** PDF/A-2a and PDF/UA-1 at once, A4, tagged, in Portuguese. */
export function drawDocument(given: ReceiptData, tools: Tools): Uint8Array<ArrayBuffer> {
  assertReceiptData(given);
  if (given.templateVersion !== CURRENT_TEMPLATE_VERSION) throw new ReceiptDataError('templateVersion', 'is not known');
  const data = withPrintableTexts(given, tools.hasGlyph);
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: 48, right: 48, bottom: 50, left: 48 },
    pdfVersion: '1.7',
    subset: 'PDF/A-2a',
    tagged: true,
    lang: 'pt-BR',
    displayTitle: true,
    bufferPages: true,
    // With undefined pdfkit would load Helvetica, a standard font that is not embedded; PDF/A requires embedded fonts.
    font: '',
    info: {
      Title: `${DOCUMENT_NAMES[data.kind ?? 'settlement']} ${metadataText(data.protocol)}`,
      Author: metadataText(data.creditor.name),
      Subject: `${data.kind === 'part' ? 'Pagamento de parte de dívida' : 'Quitação total de dívida paga'} ${METHOD_PHRASES[data.payment.method]}`,
      Creator: 'Quita',
      Producer: 'PDFKit',
      CreationDate: data.issuedAt,
    },
  });
  doc.registerFont('regular', tools.regular).registerFont('bold', tools.bold);
  drawReceipt(doc, data, tools.drawQr);
  addIdentification(doc);
  doc.end();
  return bytesOf(doc);
}

function bytesOf(doc: PDFKit.PDFDocument): Uint8Array<ArrayBuffer> {
  // pdfkit compresses synchronously, so after `end()` the stream's buffer contains the whole file.
  const chunks: Buffer[] = [];
  for (let chunk = doc.read() as Buffer | null; chunk; chunk = doc.read() as Buffer | null) chunks.push(chunk);
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  // The bytes have an `ArrayBuffer` of their own, so that they can be transferred to another thread without a copy.
  const bytes = new Uint8Array(total);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function withPrintableTexts(data: ReceiptData, hasGlyph: Fonts['hasGlyph']): ReceiptData {
  const text = <T extends string | null | undefined>(value: T) => (value ? printable(value, hasGlyph) || null : null);
  return {
    ...data,
    creditor: {
      name: printableName(data.creditor.name, hasGlyph),
      cnpj: text(data.creditor.cnpj),
      address: text(data.creditor.address),
    },
    debtor: { ...data.debtor, name: printableName(data.debtor.name, hasGlyph) },
    debt: { ...data.debt, invoiceId: text(data.debt.invoiceId), description: text(data.debt.description) },
    payment: {
      ...data.payment,
      provider: printable(data.payment.provider, hasGlyph),
      endToEndId: text(data.payment.endToEndId),
      providerPaymentId: printable(data.payment.providerPaymentId, hasGlyph),
      payerName: text(data.payment.payerName),
    },
  };
}
