import type { Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import type { ReceiptKind } from '../../../../kernel/receipt-kinds.ts';
import { METHOD_PHRASES } from '../../../../kernel/texts/payment-methods.ts';
import {
  AGREEMENT_TEMPLATE_VERSION,
  type AgreementData,
  assertAgreementData,
  type DocumentData,
  printableAgreement,
} from './agreement-data.ts';
import { agreementInfo } from './agreement-wording.ts';
import { printableCopy } from './copy-data.ts';
import { drawAgreement } from './draw-agreement.ts';
import { COPY_TEMPLATE_VERSION, drawCopy } from './draw-copy.ts';
import { drawEvidence } from './draw-evidence.ts';
import { drawQuittance } from './draw-quittance.ts';
import { drawReceipt } from './draw-receipt.ts';
import {
  assertEvidenceData,
  EVIDENCE_TEMPLATE_VERSION,
  type EvidenceData,
  printableEvidence,
} from './evidence-data.ts';
import { receiptFonts } from './fonts.ts';
import type { HasGlyph } from './printable.ts';
import { drawQr, type QrDrawer } from './qr.ts';
import { assertQuittanceData, printableQuittance, QUITTANCE_TEMPLATE_VERSION } from './quittance-data.ts';
import { quittanceInfo } from './quittance-wording.ts';
import {
  assertReceiptData,
  CURRENT_TEMPLATE_VERSION,
  printableReceipt,
  type ReceiptData,
  ReceiptDataError,
} from './receipt-data.ts';
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
  readonly hasGlyph: HasGlyph;
  readonly drawQr: QrDrawer;
}

/** The same data give the same bytes, whatever this thread has drawn before. */
export function renderDocument(data: DocumentData): Uint8Array<ArrayBuffer> {
  return drawDocument(data, { ...receiptFonts(), drawQr });
}

/** PDF/A-2a and PDF/UA-1 at once, A4, tagged, in Portuguese. */
export function drawDocument(given: DocumentData, tools: Tools): Uint8Array<ArrayBuffer> {
  if (given.kind === 'copy') {
    assertVersion(given, COPY_TEMPLATE_VERSION);
    const data = printableCopy(given, tools.hasGlyph);
    return draw(data, data, (doc) => drawCopy(doc, data), tools);
  }
  if (given.kind === 'annual-quittance') {
    assertQuittanceData(given);
    assertVersion(given, QUITTANCE_TEMPLATE_VERSION);
    const data = printableQuittance(given, tools.hasGlyph);
    return draw(data, quittanceInfo(data), (doc) => drawQuittance(doc, data, tools.drawQr), tools);
  }
  if (isAgreement(given)) {
    assertAgreementData(given);
    assertVersion(given, AGREEMENT_TEMPLATE_VERSION);
    const data = printableAgreement(given, tools.hasGlyph);
    return draw(data, agreementInfo(data), (doc) => drawAgreement(doc, data, tools.drawQr), tools);
  }
  if (isEvidence(given)) {
    assertEvidenceData(given);
    assertVersion(given, EVIDENCE_TEMPLATE_VERSION);
    const data = printableEvidence(given, tools.hasGlyph);
    const info = { title: data.title, subject: data.subtitle };
    return draw(data, info, (doc) => drawEvidence(doc, data, tools.drawQr), tools);
  }
  assertReceiptData(given);
  assertVersion(given, CURRENT_TEMPLATE_VERSION);
  const data = printableReceipt(given, tools.hasGlyph);
  return draw(data, receiptInfo(data), (doc) => drawReceipt(doc, data, tools.drawQr), tools);
}

const isAgreement = (data: ReceiptData | AgreementData | EvidenceData): data is AgreementData =>
  data.kind === 'agreement';
const isEvidence = (data: ReceiptData | EvidenceData): data is EvidenceData => data.kind === 'evidence';

function assertVersion({ templateVersion }: DocumentData, known: number): void {
  if (templateVersion !== known) throw new ReceiptDataError('templateVersion', 'is not known');
}

interface Info {
  readonly title: string;
  readonly subject: string;
}

const SUBJECTS: Readonly<Record<ReceiptKind, string>> = {
  settlement: 'Quitação total de dívida paga',
  part: 'Pagamento de parte de dívida',
  instalment: 'Pagamento de acordo',
};

const receiptInfo = ({ kind = 'settlement', payment }: ReceiptData): Info => ({
  title: DOCUMENT_NAMES[kind],
  subject: `${SUBJECTS[kind]} ${METHOD_PHRASES[payment.method]}`,
});

function draw(
  data: DocumentData,
  { title, subject }: Info,
  drawBody: (doc: PDFKit.PDFDocument) => void,
  tools: Tools,
): Uint8Array<ArrayBuffer> {
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
      Title: `${title} ${metadataText(data.protocol)}`,
      Author: metadataText(data.creditor.name),
      Subject: subject,
      Creator: 'Quita',
      Producer: 'PDFKit',
      CreationDate: data.issuedAt,
    },
  });
  doc.registerFont('regular', tools.regular).registerFont('bold', tools.bold);
  drawBody(doc);
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
