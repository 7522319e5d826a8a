import { formatReais } from '../../../kernel/money.ts';
import { taxIdOf } from '../../../kernel/tax-id.ts';
import { formatCalendarDate, localMoment } from '../../../kernel/texts/format.ts';
import { STATUS_NAMES } from '../../debts/texts/names.ts';
import { EVIDENCE_TEMPLATE_VERSION, type EvidenceData } from '../../receipts/texts/document/evidence-data.ts';
import type { ErasureDuty } from '../rules/erasure-duties.ts';
import type { SummaryFacts } from '../rules/summary-facts.ts';
import { nameOfKind, sentenceOf } from './entry-words.ts';

const DUTIES: Readonly<Record<ErasureDuty, string>> = {
  erasure: 'a pedido da pessoa, como manda a LGPD (art. 18, VI)',
  retention: 'pelo fim do prazo de guarda, como manda a LGPD (arts. 15 e 16)',
};

const HOW_TO_CHECK =
  'Abra a página ao lado, ou o endereço abaixo, e escolha o arquivo ZIP: a conferência acontece no seu navegador e o arquivo não é enviado a ninguém. Ela refaz o SHA-256 de cada arquivo, segue a corrente da linha do tempo do começo ao fim e confere a assinatura digital (Ed25519).';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function momentOf(at: Date, utcOffset: number): string {
  const { date, time } = localMoment(at, utcOffset);
  return `${date} ${time}`;
}

function erasedParagraphs({ erased, head }: SummaryFacts): string[] {
  const paragraphs = erased.map(
    ({ duty, at, lines }) =>
      `${plural(lines, 'registro teve o conteúdo apagado', 'registros tiveram o conteúdo apagado')} em ${momentOf(at, head.utcOffset)}, ${DUTIES[duty]}.`,
  );
  return paragraphs.length === 0
    ? ['Nada foi apagado.']
    : [
        ...paragraphs,
        'Do que foi apagado ficam só o momento, o tipo e os códigos da corrente, que provam a ordem dos fatos e não revelam o conteúdo.',
      ];
}

/** The words of `resumo.pdf`. */
export function summaryOf(facts: SummaryFacts): EvidenceData {
  const { head, debt, counts, latest, chain } = facts;
  const taxId = taxIdOf(head.debtor);
  const left = chain.seq - latest.length;
  return {
    ...head,
    kind: 'evidence',
    templateVersion: EVIDENCE_TEMPLATE_VERSION,
    title: 'Resumo das provas',
    subtitle: 'Como uma dívida foi cobrada, do começo até a data deste documento',
    facts: [
      { label: 'Devedor', value: `${head.debtor.name}, ${taxId.kind} ${taxId.masked}` },
      { label: 'Valor original', value: formatReais(debt.originalAmountCentavos) },
      { label: 'Vencimento', value: formatCalendarDate(debt.dueDate) },
      ...(debt.invoiceId === null ? [] : [{ label: 'Fatura', value: debt.invoiceId }]),
      ...(debt.description === null ? [] : [{ label: 'Referente a', value: debt.description }]),
      { label: 'Situação', value: STATUS_NAMES[debt.status] },
    ],
    sections: [
      {
        title: 'O que há neste pacote',
        paragraphs: [
          `${plural(chain.seq, 'registro', 'registros')} na linha do tempo (timeline.jsonl): ${counts.map(({ kind, lines }) => `${nameOfKind(kind).toLowerCase()}, ${lines}`).join('; ')}.`,
          `As mensagens trocadas (messages.jsonl); ${plural(facts.receipts, 'recibo', 'recibos')} e ${plural(facts.agreements, 'termo de acordo', 'termos de acordo')}, em PDF; e as regras de contato aplicadas, com a fonte de cada uma (pasta policies): ${facts.rules.join(', ') || 'nenhuma foi consultada'}.`,
        ],
      },
      { title: 'O que foi apagado', paragraphs: erasedParagraphs(facts) },
      {
        title: left === 0 ? 'A linha do tempo' : 'Os registros mais recentes da linha do tempo',
        paragraphs: [
          ...latest.map(({ at, kind, content }) => `${momentOf(at, head.utcOffset)}: ${sentenceOf(kind, content)}`),
          ...(left === 0
            ? []
            : [`${plural(left, 'registro anterior está', 'registros anteriores estão')} em timeline.jsonl.`]),
        ],
      },
    ],
    verification: HOW_TO_CHECK,
    chain: `Dívida ${debt.id}. Fim da corrente: registro ${chain.seq}, SHA-256 ${chain.hash}.`,
  };
}
