/** Each entry is a word, followed by the spellings that debtors use for it. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['voce', 'vc ce cê oce ocê vosse vse'],
  ['voces', 'vcs ces'],
  ['nao', 'n nn ñ naum num noa nap naoo nom'],
  ['com voces', 'coces cocês'],
  ['nos', 'nois'],
  ['nao sei', 'nsei'],
  ['que', 'q ki'],
  ['o que', 'oq oque'],
  ['porque', 'pq pk porq pque pork'],
  ['qualquer', 'qq qlqr'],
  ['quando', 'qd qdo qnd qndo quano quandu'],
  ['quanto', 'qnt qto qnto quantu'],
  ['qual', 'ql'],
  ['tambem', 'tb tbm tmb tbem'],
  ['hoje', 'hj oje hje'],
  ['amanha', 'amn amnh amnha amnhã'],
  ['depois', 'dps dpois'],
  ['agora', 'agr agra'],
  ['beleza', 'blz bls blza'],
  ['falou', 'flw'],
  ['valeu', 'vlw'],
  ['obrigado', 'obg obgd brigado brigada'],
  ['por favor', 'pfv pf pfvr pvf plz pls'],
  ['mensagem', 'msg mensage mensagen mensajem menssagem mesagem msn'],
  ['mensagens', 'msgs menssagens mensages'],
  ['whatsapp', 'zap zapzap wpp whats wats watsapp whatsap watzap'],
  ['tudo', 'td'],
  ['todos', 'tds'],
  ['muito', 'mt mto'],
  ['muita', 'mta'],
  ['muitas', 'mtas'],
  ['contigo', 'ctg'],
  ['comigo', 'cmg cumigo'],
  ['filha', 'fia'],
  ['filho', 'fio'],
  ['com', 'cm c'],
  ['para', 'p pra'],
  ['para o', 'pro'],
  ['para as', 'pras'],
  ['para os', 'pros'],
  ['esta', 'ta tá'],
  ['estou', 'to tou tô'],
  ['estava', 'tava'],
  ['estao', 'tao'],
  ['estamos', 'tamo'],
  ['entendi', 'tendi'],
  ['e', 'eh'],
  ['ne', 'neh'],
  ['fim de semana', 'fds'],
  ['sexta', 'sx sex'],
  ['segunda', 'seg'],
  ['quarta', 'qua'],
  ['quinta', 'qui'],
  ['sabado', 'sab'],
  ['domingo', 'dom'],
  ['proxima', 'prox prx proxina'],
  ['dinheiro', 'grana din bufunfa dinhero'],
  ['pagamento', 'pgto pagto pgmto pgt pagamneto pagameto pagamemto'],
  ['comprovante', 'comprov conprovante'],
  ['pix', 'piks picks pics piqs pixe oix pixx'],
  ['chave pix', 'chavepix'],
  ['numero', 'nro nr numeru numro'],
  ['telefone', 'tel fone'],
  ['celular', 'cel'],
  ['quero', 'qro qero quro'],
  ['queria', 'qria'],
  ['me', 'mi'],
  ['vamos', 'bora vamo vms'],
  ['perturbe', 'pertube'],
  ['perturbem', 'pertubem'],
  ['perturbar', 'pertubar'],
  ['manda', 'mada mamda mnada'],
  ['mandar', 'mandra'],
  ['mandar me', 'mandarme'],
  ['gente', 'gnt'],
  ['meu deus', 'mds'],
  ['aqui', 'aki aq'],
  ['empresa', 'emp'],
  ['como', 'cmo'],
  ['cade', 'kd'],
  ['sei la', 'sla'],
  ['nada', 'nd'],
  ['ninguem', 'ngm ninguen'],
  ['alguem', 'algm alguen'],
  ['verdade', 'vdd'],
  ['moleque', 'mlk'],
  ['saudade', 'sdd'],
  ['nunca', 'nunka nunk'],
  ['acho', 'axo'],
  ['entao', 'entaum'],
  ['so', 'soh'],
  ['ja', 'jah'],
  ['ai', 'aih'],
  ['ate', 'ateh'],
  ['la', 'lah'],
  ['vou', 'vo'],
  ['valor', 'vlr'],
  ['faco', 'fasso faso'],
  ['passo', 'paso'],
  ['demais', 'dmais'],
  ['pessoal', 'pessoau'],
  ['atendente', 'atendenti atendemte'],
  ['devo', 'devu'],
  ['paguei', 'paguey pagei pageui paugei pagyei pguei'],
  ['pago', 'pagu'],
  ['pagar', 'pagr'],
  ['desconto', 'disconto descontu dsconto'],
  ['desempregado', 'disempregado dezempregado desenpregado'],
  ['desempregada', 'dezempregada desenpregada'],
];

/** Maps each spelling to the word that the debtor means. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  SPELLINGS.flatMap(([word, written]) => written.split(' ').map((each) => [each, word] as const)),
);

/**
 * Brings the writing of debtors to one form: no accents, lower case, abbreviations expanded, repeated letters reduced.
 */

const EMOJI: readonly (readonly [RegExp, string])[] = [
  [/[\u{1F44D}\u{1F44C}\u2705\u2714\u{1F91D}\u{1F64C}\u{1F44F}]/gu, ' emojiok '],
  [/[\u{1F64F}]/gu, ' emojiporfavor '],
  [/[\u{1F621}\u{1F620}\u{1F92C}\u{1F624}]/gu, ' emojiraiva '],
  [/[\u{1F622}\u{1F62D}\u{1F614}\u{1F61E}\u{1F613}\u{1F629}\u{1F625}]/gu, ' emojitriste '],
  [/[\u{1F6AB}\u26D4\u{1F6D1}\u270B]/gu, ' emojipare '],
  [/[\u{1F602}\u{1F923}\u{1F605}\u{1F606}]/gu, ' emojiriso '],
];

export const stripAccents = (text: string): string => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');

/** Removes zero-width characters and replaces look-alikes, because both would hide a text from the rules. */
const unmask = (text: string): string =>
  text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '');

const unstretch = (word: string): string =>
  word
    .replace(/([a-z])\1{2,}/g, '$1')
    .replace(/([^rsoea\d])\1+/g, '$1')
    .replace(/(oo|ee|aa)$/g, (pair) => pair[0]!);

const expand = (word: string): string =>
  ABBREVIATIONS.get(word) ?? ABBREVIATIONS.get(unstretch(word)) ?? unstretch(word);

/** WhatsApp sends italics as `_PARAR_`. Between digits `_` may be the separator of an amount, so it stays there. */
export const withoutItalics = (text: string): string => text.replace(/(?<!\d)_|_(?!\d)/g, ' ');

/**
 * Returns words separated by one space; digits, `/`, `%`, `$` and `?` stay, because dates, amounts and questions need
 * them.
 */
export const normalizePortuguese = (text: string): string => {
  let out = unmask(text);
  for (const [pattern, word] of EMOJI) out = out.replace(pattern, word);
  out = withoutItalics(stripAccents(out.toLowerCase()))
    .replace(/(\d)\s*[ªº°]/g, '$1o')
    .replace(/r\$\s*/g, ' r$ ')
    .replace(/\?/g, ' ? ')
    .replace(/(?<=\d)[.,](?=\d)/g, '_')
    .replace(/[^a-z0-9$%/?_\n]+/g, ' ');
  return out
    .split(/[\s]+/)
    .filter((word) => word !== '')
    .map(expand)
    .join(' ');
};
