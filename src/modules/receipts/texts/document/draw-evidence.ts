import { localMoment } from '../../../../kernel/texts/format.ts';
import type { EvidenceData } from './evidence-data.ts';
import { clock, frameOf } from './frame-words.ts';
import { AMBER, AMBER_PALE, GREEN, INK, Layout, MARGIN, style, WIDTH } from './layout.ts';
import type { QrDrawer } from './qr.ts';

const ENTRY = style('regular', 8.5, INK, { lineGap: 0.5 });

/** A visible change needs a new version of the template. */
export function drawEvidence(doc: PDFKit.PDFDocument, data: EvidenceData, drawQr: QrDrawer): void {
  const frame = frameOf(data);
  const layout = new Layout(doc, {
    ...frame,
    title: data.title,
    subtitle: data.subtitle,
    issuedAt: `Emitido em ${clock(localMoment(data.issuedAt, data.utcOffset))}`,
    verifyLink: 'Abrir a página que confere as provas',
    codeShows: 'Código QR com o endereço da página que confere as provas',
    verification: data.verification,
    signature: 'A assinatura do pacote está no arquivo manifest.sig, e cobre todos os outros arquivos, também este.',
    codes: data.chain,
  });
  layout.letterhead();
  if (frame.testNotice) layout.banner(frame.testNotice, null, AMBER, AMBER_PALE);
  layout.titles();
  layout.ensureSpace(layout.heightOfRows(data.facts, WIDTH));
  layout.y = layout.table('A dívida', data.facts, { x: MARGIN, y: layout.y, width: WIDTH }) + 10;
  for (const { title, paragraphs } of data.sections) layout.section(title, paragraphs, { look: ENTRY, gap: 2 });
  layout.verification(drawQr);
  layout.codes();
  layout.finish(GREEN, frame.testNotice ? { text: frame.testNotice, color: AMBER } : null);
}
