/**
 * The slots of a request for silence: verbs of contact in every form in which they can be asked for or refused, what is sent,
 * where somebody is listed. Told forms (`mandaram`, `recebi`) are left out on purpose: who tells has asked for nothing.
 * Everything is regular expression source over what `readable` returns.
 */

/** `manda, mandam, mandar, mandarem, mandando, mande, mandem, mandasse`. */
const ar = (stems: string): string => `(?:${stems})(?:a|am|ar|arem|ando|ano|ares|as|e|em|es|asse|assem)`;
const er = (stems: string): string => `(?:${stems})(?:e|em|er|erem|endo|es|a|am|as|esse|essem)`;
const ir = (stems: string): string => `(?:${stems})(?:e|em|ir|irem|indo|a|am|isse|issem)`;
const any = (...parts: readonly string[]): string => `(?:${parts.join('|')})`;

const BOTHER_AR =
  'perturb|pertub|pertrub|incomod|incomud|encomod|atorment|importun|inportun|chate|xate|azucrin|inferniz|aporrinh|torr|amol|atazan|atazn|arreli|aperre|abus|encarn|enfad|molest|intimid|buzin|martel|pentelh|enjo|estress|irrit|cutu(?:c|qu)|apoquent|avex|assedi|flood|floda|spam|bombarde|alug|lot|encher|enxer|cans|castig';
const BOTHER = any(
  ar(BOTHER_AR),
  er('ench|enx|aborre[c]|aborrec|aborres|entup|encheca'),
  ir('persegu|persig|entup'),
  'pegar no',
  'tirar (?:o )?meu sossego',
);
const WRITE = any(
  ar(
    'mand|mandar|envi|cham|xam|contat|contact|notifi(?:c|qu)|comuni(?:c|qu)|dispar|encaminh|repass|post|digit|encaixot|mam?d|mant|adicion',
  ),
  er('escrev|remet'),
  ir('transmit'),
  '(?:entr|faz|mant|tent|tom|estabele)\\w* (?:mais |novo |qualquer |em |um )*contato',
);
const CALL = any(ar('lig|ligu'), 'telefonar(?:em)?', 'telefonem');
const SEEK = any(
  ar('procur|visit|rastre|acion|caca'),
  ir('insist|persist|segu|sig'),
  'vir(?:em)? atras',
  'correr atras',
  'ir atras',
  'aparecer(?:em)?',
);
const COLLECT = ar('cobr');
const SPEAK = `${ar('fal|convers')} (?:mais |nunca mais |nada )?comigo`;

/** To send, call, bother, insist, collect. */
export const SEND = any(BOTHER, WRITE, CALL, SEEK, COLLECT, SPEAK);
/** What may be written without any object and still cannot mean a bill: `não perturbem`. */
export const BOTHERS = any(BOTHER, ir('insist|persist'));
export const SENT =
  '(?:(?:contat|contact|cobr|importun|procur|perturb|pertub|incomod|abord|notific|chate|assedi|atorment|inferniz|azucrin|acion|amol|cham|bombarde|molest)ad[oa]s?|aborrecid[oa]s?|perseguid[oa]s?)';

/** What is sent. */
export const MESSAGE =
  '(?:mensag\\w*|msg\\w*|mens\\w{0,6}gens?|mesag\\w*|whatsapp\\w*|contatos?|sms|torpedos?|spams?|notificac\\w+|lembretes?|avisos?|propagandas?|recad\\w+|audios?|figurinhas?|ligac\\w+|telefonemas?|chamadas?|comunicac\\w+|comunicados?|insistencia|encheca\\w*|enchecao|perturba\\w*|pertubac\\w*|importunac\\w*|chatea\\w*|aporrinh\\w*|assedio|amolac\\w*|textos?|disparos?|robo|papo|conversinha|ladainha|mimimi|cobrancas?|cobrancinha|bombardeio|aperreio)';
/** What is sent, without what may also mean the bill itself. */
export const PURE_MESSAGE = MESSAGE.replace('|robo', '').replace('|cobrancas?|cobrancinha', '').replace('|papo', '');

export const STOP =
  '(?:par[ae]m?|parar|pararem|parando|parou|parasse|parassem|paro|pra?rem|prar|paramos|paremos|cess[ae]m?|cessar|cessarem|cessando|desist[aei]m?|desistir|desistam|interromp\\w+|suspend\\w+|encerr[ae]m?|encerrar|encerrem|finali[sz][ae]\\w*|cancel[ae]m?|cancelar|cancelem|deix[ae]m?|deixar|deixassem|evit[ae]m?|evitar|evitassem|chega|xega|basta|cansei|acab[ae]m?|acabar|sosseg[au]\\w*|larg[au]e?m?(?: mao)?|larguem(?: mao)?|abst\\w+|descontinu\\w+)';
/** `para` is mostly the preposition: it stops only at the beginning, before `de` or `com`, or after `só`. */
export const HARD_STOP =
  '(?:(?:(?<=^|^so |^favor |^entao |^ja )para|para(?= (?:com|de|d|di|c)\\b)|parem?)|parar|pararem|parassem|parando|parou|cess[ae]m?|cessar|cessarem|interromp\\w+|suspend\\w+|encerr\\w+|finali[sz]\\w+|cancel[ae]m?|cancelar|cancelarem|acab[ae]m?|acabar|descontinu\\w+|cort[ae]m?|cortar|cortem|cortassem|deslig\\w+|desativ\\w+|desabilit\\w+|bloquei[ae]m?|bloquear)';

export const REMOVE =
  '(?:tir[ae]m?|tirar|tirarem|tirassem|tirando|remov[ae]m?|remover|removerem|removam|exclu\\w+|apag(?:a|am|ue|uem|ar|arem)|delet\\w+|retir[ae]m?|retirar|retirarem|descadastr\\w+|desinscrev\\w+|desvincul\\w+|risc[ae]m?|riscar|risquem|elimin[ae]m?|eliminar|limp[ae]m?|arranc[ae]m?|arranquem|arrancar|descart\\w+|desabilit\\w+|anul[ae]m?|sum[ai]m? com|some com|sumir com|sumam com|jog[au]e?m? fora|joguem fora|perc?de|percam|esque[cç]am?|esquece|bloquei[ae]m?|bloquear)';
export const PHONE = '(?:numero|telefone|celular|whatsapp|contato|chip|fone|dados|cadastro|registro)';
export const LIST =
  '(?:listas?|listagem|cadastros?|base|sistema|mailing|agenda|contatos?|grupo|whatsapp|bancos? de dados|disparos?|envios?|robo|fila|transmissao|broadcast|registros?|computador|programa|plataforma)';
/** Not a debt's list but the sender's. */
export const NOT_BUREAU =
  '(?! (?:d[eoa]s? |n[eoa]s? )?(?:serasa|spc|scpc|boa vista|devedor\\w*|inadimpl\\w*|negativ\\w*|protest\\w*|restric\\w*|cartorio))';

/** Things that one may refuse, stop or have removed without wanting silence. */
export const OTHER_THING =
  'juros?|multas?|taxas?|encargos?|boletos?|fatura\\w*|pix|links?|codigos?|comprovantes?|chaves?|contratos?|recibos?|notas?|email|emails|pdf|segunda via|carta|cartas|curriculo|foto|fotos|documentos?|serasa|spc|scpc|devedor\\w*|inadimpl\\w*|negativ\\w*|protest\\w*|restric\\w*|cartorio|parcel\\w*|acordo\\w*|propost\\w*|descont\\w*|produto\\w*|mercadoria|encomenda|pedido|plano|planos|cartao|cartoes|matricula|curso|internet|assinatura|servicos? (?:que|nao)|duvidas?|print|emprestimo\\w*|valor|valores|precos?|guias?|dobro|indevid\\w*';

/** Up to n words between two slots, none of which names another thing. */
export const fill = (most: number): string => `(?: (?!(?:${OTHER_THING})\\b)\\w+){0,${most}}`;
/** No other thing in what follows. */
export const NO_THING = `(?!(?: \\w+){0,3} (?:${OTHER_THING})\\b)`;

export const WISH =
  '(?:quero|deseja|aceita|autoriza|gosta|suporta|permite|consente|qro|kero|quer|queria|queremos|desejo|desejamos|desejaria|gosto|gostaria|aceito|aceitamos|autorizo|autorizei|autorizamos|permito|permiti|admito|consinto|concordo|pretendo|tolero|aguento|aguenta|guento|suporto|aturo|preciso|precisamos|careco|careso|curto|solicitei|pedi|pretendo|faco questao|fac[ao] questao|tenho (?:mais )?(?:interesse|vontade|paciencia)|estou (?:a fim|afim|interessad[oa]|disposto|disposta)|quis|dou (?:mais )?(?:permissao|autorizacao|consentimento)|vou|admitirei|aceitarei|tolerarei)';
/** Fillers of a wish that do not turn it into one about money. */
export const wished = (most: number): string =>
  `(?: (?!(?:${OTHER_THING}|pag\\w+|reconhe\\w+|dever|devendo|quit\\w+|atras\\w+|perder|ficar sem|sujar|process\\w+|saber)\\b)\\w+){0,${most}}`;
