import { formatCnpj } from '../../../../kernel/cnpj.ts';
import type { LocalMoment } from '../../../../kernel/texts/format.ts';
import { genuineLine } from '../../../../kernel/texts/genuine.ts';
import type { Frame } from './layout.ts';
import type { DocumentHead } from './receipt-data.ts';

export const clock = (moment: LocalMoment): string => `${moment.date}, às ${moment.time} (${moment.offset})`;

export function creditorLines({ creditor }: Pick<DocumentHead, 'creditor'>): string[] {
  const lines = creditor.cnpj ? [`CNPJ ${formatCnpj(creditor.cnpj)}`] : [];
  return creditor.address ? [...lines, creditor.address] : lines;
}

/** The address of the service, before the path of the page that verifies a document. */
const publicUrlOf = ({ verifyUrl }: Pick<DocumentHead, 'verifyUrl'>): string =>
  verifyUrl.slice(0, Math.max(0, verifyUrl.indexOf('/verify/')));

/** The words that every document has. */
export const frameOf = (head: DocumentHead) =>
  ({
    protocol: head.protocol,
    templateVersion: head.templateVersion,
    verifyUrl: head.verifyUrl,
    creditorName: head.creditor.name,
    creditorLines: creditorLines(head),
    testNotice: head.sandbox ? 'DOCUMENTO DE TESTE, SEM VALOR' : null,
    signature: `Emitido eletronicamente em nome do credor. Autoria e integridade comprovadas pelo protocolo e pelo endereço de verificação (MP 2.200-2/2001, art. 10, § 2º). ${genuineLine(publicUrlOf(head))}`,
  }) as const satisfies Partial<Frame>;
