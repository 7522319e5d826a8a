import { marketingWords } from './marketing-words.ts';
import { stripAccents } from './portuguese-text.ts';
import { foldForSms } from './sms-text.ts';

/** The facts that one outgoing text may contain; everything else that looks like a fact is refused. */
export interface GuardRules {
  /** Exact strings from data: amount, link, CNPJ, address, names, dates. */
  readonly known: readonly string[];
  /** The text must contain these parts: identity of the creditor, link, opt-out line. */
  readonly required: readonly string[];
  /** False after a wrong-person message: then the text must not mention the debt, not even that it exists. */
  readonly mayDisclose: boolean;
  readonly paid: boolean;
  /** Fine, interest or correction are charged, now or later: then the text must not deny it. */
  readonly charged?: boolean;
  /** The most characters; without it, what a message of ours has at most. */
  readonly maxLength?: number;
}

export type GuardProblem =
  | 'missing'
  | 'placeholder'
  | 'hidden_characters'
  | 'too_long'
  | 'number'
  | 'link'
  | 'date'
  | 'offer'
  | 'threat'
  | 'shame'
  | 'third_party'
  | 'false_urgency'
  | 'loan'
  | 'admission'
  | 'asks_for_data'
  | 'false_claim'
  | 'disclosure';

const MAX_LENGTH = 2_000;

/** Phrases of our own templates that contain words which are otherwise refused; each is true for every debt. */
const ALLOWED_PHRASES: readonly string[] = [
  'em até 5 dias úteis depois de confirmado o pagamento',
  'previsto na LGPD (art. 7º, X)',
  'dois dias úteis',
  'cadastro de inadimplentes',
  'Nunca pedimos senha nem código.',
  'esta é a nossa última mensagem automática',
  'esta é a última mensagem automática',
  'Assim que o pagamento for confirmado',
  'Assim que o pagamento é confirmado',
];

/** The same of a debt to which nothing is added. */
const UNCHARGED_PHRASES: readonly string[] = [
  'só o principal; juros, multa e encargos: R$ 0,00.',
  'sem juros nem multa',
];

/** The phrases also as an SMS writes them. */
const alsoFolded = (phrases: readonly string[]): string[] => [...new Set([...phrases, ...phrases.map(foldForSms)])];
const ALLOWED = alsoFolded(ALLOWED_PHRASES);
const ALLOWED_UNCHARGED = alsoFolded([...ALLOWED_PHRASES, ...UNCHARGED_PHRASES]);

const NUMBER_WORD =
  '(?:um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|cem|cento|duzentos|trezentos|quinhentos|mil|metade|meia|dobro|algumas|varias)';

/** The patterns read text without accents and in lower case. */
const FORBIDDEN: readonly (readonly [GuardProblem, RegExp])[] = [
  ['placeholder', /\{\{|\}\}|\$\{|<[a-z/!]/],
  ['number', /\p{Nd}|\p{No}|%|r\$|\breais\b|\bpor cento\b|€|us\$|\bcentavos?\b/u],
  [
    'number',
    new RegExp(
      `\\b${NUMBER_WORD} (?:e \\w+ )?(?:vezes|parcelas?|dias?|horas?|semanas?|mes(?:es)?|prestac\\w+|pagamentos|x)\\b`,
    ),
  ],
  [
    'link',
    /:\/\/|\bwww\b|@(?![a-z]{1,20}\()|\b[a-z0-9-]{2,}\.(?:com|br|net|org|io|app|me|ly|info|link|site|online|xyz|pay|bank|gov|co|tk|ru|top|shop|vip)\b|\bponto com\b|\barroba\b|\]\(/,
  ],
  [
    'date',
    /\b(?:hoje|amanha|ontem|segunda|terca|quarta|quinta|sexta|sabado|domingo|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|semana que vem|mes que vem|fim do mes)\b/,
  ],
  [
    'offer',
    /\b(?:parcel\w*|prestac\w+|isen\w+|perdo\w*|brinde\w*|gratis|gratuit\w*|reembols\w*|estorn\w*|acordo|oferta\w*|oferec\w*|proposta\w*|condic(?:ao|oes) especia\w*|entrada|negocia\w*|negocie\w*|renegoci\w*|de graca|sem custo|nao precis\w+ (?:mais )?pagar|carencia|prorrog\w*|garant\w+|promet\w+)\b/,
  ],
  [
    'threat',
    /\b(?:polici\w*|delegacia|boletim de ocorrencia|pris(?:ao|oes)|pres[oa]s?|prender|cadeia|detid[oa]|crim\w*|process(?:o|os|ar|ado|ada|amos|aremos|arao|ual)|justica|judicia\w*|juiz\w*|tribunal|advogad\w*|juridic\w*|penhor\w*|confisc\w*|mandado|oficial de|execuc\w+|leilao|protest\w*|cartorio|negativ\w*|serasa|spc|nome suj\w*|sujar?\w*|restric\w*|bloque\w*|consequenc\w*|medidas|punic\w*|sancoes|cort(?:ar|aremos|e|ado)|suspen\w*|ameac\w*|vai se arrepender|arrepend\w*|sofrer\w*|perder (?:a|o|seu|sua)|demiti\w*|demissao|justa causa|(?:seu|teu|o) score|(?:sua|tua) pontuacao|morr\w*|mat(?:ar|amos)|bater|surra|sabemos onde|visita\w*)\b/,
  ],
  [
    'shame',
    /\b(?:vergonh\w*|calot\w*|devedor\w*|inadimplent\w*|irresponsav\w*|desonest\w*|mau pagador|ma pagadora|malandr\w*|vagabund\w*|safad\w*|ladr\w*|mentiros\w*|honr(?:e|a|ar) (?:seu|sua|o|a)|palavra de|carater|preguic\w*|idiota|burr\w*|imbecil|humilh\w*|expor|expost\w*|public(?:ar|aremos))\b/,
  ],
  [
    'third_party',
    /\b(?:famili\w*|parent\w*|vizinh\w*|patrao|patroa|chefe|empregador\w*|colegas?|seu trabalho|local de trabalho|onde (?:voce )?trabalha|amig[oa]s|marido|espos[oa]|seus? pais|seu pai|sua mae|filh[oa]s?|seus contatos|redes sociais|facebook|instagram|outr[oa]s? (?:cliente|devedor|pessoa)\w*)\b/,
  ],
  [
    'false_urgency',
    /\b(?:urgent\w*|urgencia|imediat\w*|ultim[oa]s? (?:chance|oportunidade|aviso|alerta|dia|prazo|hora|minuto|momento|instante)s?|agora mesmo|expir\w*|so ate|somente ate|apenas ate|prazo (?:final|fatal|limite)|antes que|tarde demais|o quanto antes|corra|nao perca|ja esta acabando|encerra\w* em|pague ja|pague agora|contagem regressiva|relogio (?:\w+ ){0,2}corre\w*|(?:tempo|prazo) (?:\w+ ){0,3}(?:acabando|esgota\w*|terminando|correndo|no fim)|acaba (?:logo|ja|em breve)|(?:falta|resta)m? (?:\w+ ){0,3}(?:horas?|minutos?|instantes?|momentos?))\b/,
  ],
  // A lender may name the loan that is owed.
  [
    'loan',
    /\b(?:emprestad[oa]s?|emprestar|agiota\w*|(?:pegue|pegar|peca|pedir|tome|tomar|faca|fazer|use|usar|busque|buscar|contrate|contratar|antecip\w+|adiant\w+) (?:\w+ ){0,2}(?:emprestimos?|consignados?|credito|cheque especial|fgts|decimo terceiro|refinanciamento))\b/,
  ],
  [
    'admission',
    /\b(?<!\b(?:nao|nunca|nem) )reconhec\w* (?:(?:o|a|que|este|esta|esse|essa|seu|sua) ){0,2}(?:divid|debit|deve|cobranc|conta|valor)|\bconfirm\w* (?:\w+ ){0,3}(?:deve\b|divid|debit)|\b(?:admit|confess|confiss)\w*|\bassum\w* (?:(?:o|a|que|este|esta|esse|essa|seu|sua) ){0,2}(?:divid|debit|deve|responsab)|\beu devo\b|\b(?:escrev|respond|declar|dig)\w* que (?:\w+ )?deve\b/,
  ],
  [
    'asks_for_data',
    /\b(?:senha\w*|cvv|token|codigo de (?:seguranca|verificacao|acesso)|cartao|cpf|rg|documento\w*|dados (?:bancarios|pessoais|do cartao)|selfie|chave aleatoria|dados da conta|agencia|deposit\w*|transfir\w*|transferencia|boleto|conta corrente|outra conta|outra chave)\b/,
  ],
  [
    'false_claim',
    /\b(?:divida|debito|conta|cobranca|pendencia|valor|fatura)s? (?:ja )?(?:esta |foi |fica |sera |ficou )?(?:\w+ )?(?:cancelad|quitad|zerad|extint|baixad|resolvid|encerrad|pag[oa]\b)|\bnao (?:ha|existe) (?:mais )?(?:divida|debito|pendencia)|\bnada a pagar\b|\b(?:nao sou (?:um |uma )?(?:robo|maquina|assistente|ia)|sou (?:um |uma )?(?:pessoa|human[oa]|atendente|gerente|funcionari\w*|advogad\w*))\b|\b(?:prompt|instruc(?:ao|oes) (?:do|de|internas)|modelo de linguagem|inteligencia artificial|system|ignor(?:ar|ei|ando) as)\b|\bmodo (?:desenvolvedor|livre|admin\w*)\b/,
  ],
];

const PAYMENT_CLAIM =
  /\bpagamento (?:ja )?(?:esta |foi |sera )?(?:\w+ )?(?:confirmad|recebid|aprovad|identificad|compensad)/;
const NOT_IDENTIFIED = /\bnao (?:foi |identificamos )/;

/** What would deny a fine, interest or a correction. */
const CHARGES_DENIED =
  /\b(?:sem|nao|nem|nenhum\w*|zero) (?:\w+ ){0,3}?(?:juros|multas?|encargos?|acrescimos?|correcao|taxas?)\b|\b(?:so|somente|apenas) o (?:principal|valor original|valor da conta)\b/;

const ABOUT_A_DEBT =
  /\b(?:divid\w*|debit\w*|pag(?:ar|amento\w*|ue|ou|a)|cobranc\w*|cobrar|fatura\w*|conta|contas|valor\w*|pix|credor\w*|quit\w*|venc\w*|inadimpl\w*|pendenc\w*|atras\w*|empresa|boleto)\b/;

/** The patterns of one problem, for texts that are no messages. They read text without accents and in lower case. */
export const patternsOf = (problem: GuardProblem): readonly RegExp[] =>
  FORBIDDEN.filter(([name]) => name === problem).map(([, pattern]) => pattern);

/** What no person is called. */
export const NO_NAME: readonly RegExp[] = (['threat', 'shame', 'third_party', 'false_urgency'] as const).flatMap(
  patternsOf,
);

/** Letters of other scripts look like those of ours, and words that are written with them look like known ones. */
export const hasStrangeLetters = (text: string): boolean =>
  [...text].some((char) => /\p{L}/u.test(char) && !/[\p{Script=Latin}ªº]/u.test(char));

const withoutKnown = (text: string, known: readonly string[]): string =>
  [...known]
    .filter((part) => part.trim().length > 0)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, part) => rest.split(part).join(' \u00b7 '), text);

/** Detects how a word can be hidden: separated letters, look-alikes of other scripts, invisible characters. */
const hides = (text: string): boolean =>
  /[[\p{Cc}\p{Cf}\p{Co}]--[\n\u200d]]/v.test(text) ||
  hasStrangeLetters(text) ||
  /(?:(?<!\p{L})\p{L}[ .\-_*|/]){4,}\p{L}(?!\p{L})/u.test(text);

export const guardMessage = (text: string, rules: GuardRules): GuardProblem[] => {
  // A model may write a text of any length, so a long text is refused before the patterns read it.
  if (text.length > (rules.maxLength ?? MAX_LENGTH)) return ['too_long'];
  const problems = new Set<GuardProblem>();
  if (rules.required.some((part) => !text.includes(part))) problems.add('missing');
  const isCharged = rules.charged === true;
  const rest = withoutKnown(withoutKnown(text, rules.known), isCharged ? ALLOWED : ALLOWED_UNCHARGED);
  if (hides(rest)) problems.add('hidden_characters');
  const plain = stripAccents(rest.normalize('NFKC')).toLowerCase();
  for (const [problem, pattern] of FORBIDDEN) {
    if (problem === 'false_claim' && rules.paid) continue;
    if (pattern.test(plain)) problems.add(problem);
  }
  // A discount makes a message marketing, whatever else it says.
  if (marketingWords(rest).length > 0) problems.add('offer');
  if (!rules.paid && PAYMENT_CLAIM.test(plain) && !NOT_IDENTIFIED.test(plain)) problems.add('false_claim');
  if (isCharged && CHARGES_DENIED.test(plain)) problems.add('false_claim');
  if (!rules.mayDisclose) {
    const spoken = stripAccents(text.normalize('NFKC')).toLowerCase();
    if (ABOUT_A_DEBT.test(spoken) || rules.known.some((part) => part.length > 2 && text.includes(part)))
      problems.add('disclosure');
  }
  return [...problems];
};
