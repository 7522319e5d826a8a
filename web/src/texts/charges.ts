import type { LatePaymentTerms, TermsPreview } from '../api/client.ts';
import { formatCount, formatMoney, formatPlainDate } from '../format.ts';

/** `1.5` as `1,5 %`. */
const percent = (value: number): string => `${String(value).replace('.', ',')} %`;

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`;

const SERIES: Readonly<Record<string, string>> = { '29543': 'Taxa Legal', '433': 'IPCA' };

/** `29543:2026-09` as `Taxa Legal de 09/2026`. */
const monthName = (name: string): string => {
  const [series = '', month = ''] = name.split(':');
  return `${SERIES[series] ?? series} de ${month.split('-').reverse().join('/')}`;
};

const NAMED = 3;

const listed = (names: readonly string[], of: number): string => {
  const shown = names.slice(0, NAMED).join(', ');
  return of > NAMED ? `${shown} e mais ${formatCount(of - NAMED)}` : shown;
};

function chargesOf({ finePercent, interest, correction }: LatePaymentTerms): string[] {
  const charges: string[] = [];
  if (finePercent > 0) charges.push(`multa de ${percent(finePercent)}`);
  if (interest.kind === 'legal') charges.push('juros pela Taxa Legal');
  if ((interest.percent ?? 0) > 0) charges.push(`juros de ${percent(interest.percent ?? 0)} ao mês`);
  if (correction === 'ipca') charges.push('correção pelo IPCA');
  return charges;
}

/** A version in words. */
function inWords(terms: LatePaymentTerms): string {
  const charges = chargesOf(terms);
  if (charges.length === 0) return `Desde ${formatPlainDate(terms.effectiveFrom)}: nada além do valor da dívida.`;
  if (terms.graceDays > 0) charges.push(`${counted(terms.graceDays, 'dia', 'dias')} de carência`);
  if (terms.businessDayShift) charges.push('vencimento em dia sem expediente passa para o próximo dia útil');
  return `Desde ${formatPlainDate(terms.effectiveFrom)}: ${charges.join(', ')}.`;
}

/** What the new version changes, and for which debts. */
function whatChanges({ count, principal, before, after, campaignCount, campaigns }: TermsPreview['debts']): string {
  if (count === 0) {
    return 'Nenhuma dívida de rascunho toma esta versão agora. Ela vale para as que você ainda importar e lançar; dívidas já lançadas não mudam.';
  }
  const names = listed(
    campaigns.map(({ name }) => name),
    campaignCount,
  );
  const drafts = `${counted(campaignCount, 'rascunho', 'rascunhos')} (${names})`;
  const sums =
    before === null || after === null
      ? `Sem encargos elas somam ${formatMoney(principal)}; são muitas para calcular o total aqui.`
      : before === after
        ? `O total de hoje continua em ${formatMoney(after)}.`
        : `O total de hoje passa de ${formatMoney(before)} para ${formatMoney(after)}.`;
  return `A nova versão vale para ${counted(count, 'dívida', 'dívidas')} de ${drafts}. ${sums} Dívidas já lançadas não mudam.`;
}

export const CHARGES = {
  title: 'Encargos',
  lead: 'O que a sua empresa cobra de quem paga depois do vencimento. Sem nenhuma versão aqui, o Quita cobra só o valor da dívida.',
  versions: 'Versões',
  noVersions: 'Nenhuma versão ainda: hoje ninguém paga multa, juros nem correção.',
  inWords,
  clauseOf: (clause: string) => `Base: ${clause}`,
  newVersion: 'Nova versão',
  newVersionLead:
    'Uma versão salva não muda mais. Cada dívida toma, no lançamento, a versão que vale na data em que ela vence, e fica com ela.',
  effectiveFrom: 'Vale para o que vence a partir de',
  fine: 'Multa (%)',
  fineHint: 'No máximo 2 %, uma única vez (Código de Defesa do Consumidor, art. 52, § 1º).',
  interest: 'Juros',
  interestKinds: [
    { value: 'none', label: 'Sem juros' },
    { value: 'monthly', label: 'Um percentual ao mês' },
    { value: 'legal', label: 'Taxa Legal' },
  ],
  interestHint: 'Simples, contados por dia. A Taxa Legal é a que o Banco Central publica a cada mês.',
  monthly: 'Juros ao mês (%)',
  monthlyHint: 'No máximo 1 % ao mês (Decreto 22.626/1933, art. 1º, e Código Civil, art. 406).',
  correction: 'Correção',
  corrections: [
    { value: 'none', label: 'Sem correção' },
    { value: 'ipca', label: 'Pelo IPCA' },
  ],
  grace: 'Dias de carência',
  graceHint: 'De 0 a 30. Quem paga dentro deles não paga encargos; depois, contam desde o vencimento.',
  shift: 'Contar do próximo dia útil quando o vencimento cai em fim de semana ou feriado',
  clause: 'Onde o contrato diz isso',
  clauseHint: 'De 10 a 500 letras. Sem uma cláusula no contrato, multa, juros e correção não podem ser cobrados.',
  save: 'Salvar a nova versão',
  saved: 'Nova versão salva.',
  example: 'Exemplo',
  exampleLead: 'Muda enquanto você digita. Nada é salvo.',
  amount: 'Valor da dívida (R$)',
  due: 'Vencimento',
  on: 'Pagamento em',
  exampleWaits: 'Complete os campos para ver o exemplo.',
  exampleEarlier: 'Uma dívida com este vencimento é anterior a esta versão: ela toma outra, ou nenhuma.',
  whatChanges,
  changes: 'O que muda ao salvar',
  total: 'Total',
  days: (days: number, from: string) =>
    days === 0
      ? 'Nenhum dia de atraso.'
      : `${counted(days, 'dia', 'dias')} de atraso, contados desde ${formatPlainDate(from)}.`,
  missing: (names: readonly string[]) =>
    `Ainda sem o valor publicado: ${names.map(monthName).join(', ')}. Essa parte espera por ele.`,
} as const;
