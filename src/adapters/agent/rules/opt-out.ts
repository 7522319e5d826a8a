import { readable } from './spelling.ts';

/** Hard rules above the classifier: who asks for silence gets it, and nobody else does. They read what `readable` returns. */

const SEND =
  '(?:mand\\w*|envi\\w*|cham\\w*|escrev\\w*|perturb\\w*|incomod\\w*|incomud\\w*|contat\\w*|contact\\w*|procur\\w*|importun\\w*|cobr\\w*|lig(?:a|ar|ue|uem|am|ando|uei)|enche\\w*|torr\\w*|aborrec\\w*|azucrin\\w*|atorment\\w*|inferniz\\w*|pertub\\w*|aporrinh\\w*|assedi\\w*|insist\\w*|fal(?:ar|e|em|a|ando)|spam\\w*|encher|chate\\w*)';
const THING =
  '(?:mensagem|mensagens|msg\\w*|whatsapp|contato|contatos|cobranca|cobrancas|ligacao|ligacoes|sms|torpedo|spam|notificacao|notificacoes|lembrete|lembretes|aviso|avisos|propaganda|papo|encheca\\w*|insistencia|isso|coisa|coisas|nada)';
const STOP =
  '(?:par[ae]|parem|parar|pararem|parando|paro|paramos|cess[ae]|cessem|cessar|deixem?|deixa|desist[ae]|desistam|interromp\\w*|suspend\\w*|cancel[ae]\\w*|chega|basta|cansei|evit[ea]m?)';
const LIST =
  '(?:lista|listas|cadastro|cadastros|base|sistema|mailing|agenda|contatos|contato|grupo|whatsapp|banco de dados|disparo|disparos|envio|envios|robo)';
const REMOVE =
  '(?:tir[ae]|tirem|tirar|remov\\w*|exclu\\w*|apag(?:a|ue|uem|ar)|delet\\w*|retir\\w*|descadastr\\w*|desinscrev\\w*|risc[ae]\\w*|elimin\\w*)';

const WHOLE =
  /^(?:(?:por favor|favor|gente|ei|ow|ja|eu|so|entao|ok|voces?|emoji\w+) )*(?:parar?|pare|parem|parou|stop|sair|sai|saia|saiam|cancelar|cancela|cancele|remover|remova|descadastr\w*|desinscrever|unsubscribe|optout|opt out|me deixa|me bloqueia|me bloqueie|nao quero mais|bloquear|bloqueando|bloquead[oa]s?|bloqueei|block|chega|basta|some|suma|sumam|somem|vaza|vazem|me exclua|me remova|me tira|me tire|me bloqueia|fora|parrar|praar|paarr?|parae|sotp|stp|siar|ssair|oarar|para ai|sem contato|nao perturb\w+|excluir|exclua|me exclui|me excluir|remova|cancele isso|tira isso|interrompa|desativar|desligar|encerrar contato)(?: (?:por favor|obrigado|agora|ja|ai|logo|porra|caralho|cacete|saco|chega|parar?|sair|stop|com isso|tudo|daqui|emoji\w+|fazendo favor|disso|imediatamente|de vez))*$/;

const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `\\b${STOP}(?: (?:logo|ja|agora|por favor|um pouco|ai|imediatamente))* (?:de|d|com|d[oa]s?|em)(?: \\w+){0,2}? ${SEND}`,
  ),
  new RegExp(
    `\\b(?:par[ae]|parem|parar|cess\\w+|suspend\\w+|cancel[ae]\\w*|chega|basta|interromp\\w*)(?: (?:logo|ja|agora|por favor|imediatamente))*(?: (?:com|de|d[oa]s?|o|os|as?|ess[ae]s?|est[ae]s?|ta?nt[ao]s?|suas?|qualquer|todas?|mandar|envio|enviar|receber|me)){1,4} ${THING}\\b`,
  ),
  new RegExp(`\\bnao (?:me |mim |nos )?(?:${SEND})(?: \\w+){0,3} mais\\b`),
  /\bnao (?:me|mim|nos) (?:mand[ae]m?|envi[ae]m?|cham[ae]m?|escrev[ae]m?|perturb[ae]m?|incomod[ae]m?|contat[ae]m?|procur[ae]m?|import\w+|cobr[ae]m?|lig(?:a|ue|uem)|ench[ae]m?|amol\w+|aborreca\w*|torr\w+)\b/,
  /\bnao (?:mand[ae]m?|envi[ae]m?|cham[ae]m?|escrev[ae]m?|perturb[ae]m?|incomod[ae]m?|insist[ae]m?|lig(?:ue|uem)|cobr[ae]m?)(?: mais)?(?: (?:mensagem|mensagens|nada|aqui|para mim|para ca|para esse|nesse|cobranca|cobrancas|comigo))+/,
  /\bnao (?:mandem|enviem|chamem|perturbem|incomodem|insistam|insista|liguem|procurem|perturbe|incomode)\b/,
  /\bnao (?:mand[ae]m?|mandarem|mandar|envi[ae]m?|enviar|enviarem) mais\b/,
  /\b(?:falei|pedi|disse|avisei|peco|favor|por favor|solicito|gentileza|quero|exijo|proibo)(?: \w+){0,2} (?:para|que|de)? ?(?:nao )?(?:me )?(?:mandar\w*|enviar\w*|chamar\w*|entrar\w*|contatar\w*|perturbar\w*|incomodar\w*|cobrar\w*|ligar\w*|procurar\w*)(?: mais| em)*(?: (?:mensagem|mensagens|nada|contato))+/,
  /\b(?:favor|por favor|solicito|peco|pedi\w*|falei|disse|gentileza) (?:para )?(?:que )?(?:voces )?nao (?:me )?(?:entrar\w*|contatar\w*|contat[ae]\w*|chamar\w*|perturb\w*|incomod\w*|cobrar\w*|mandar\w*|enviar\w*)(?! (?:boleto|o boleto|fatura|pix|o pix|link))/,
  /\b(?:ja )?(?:pedi|falei|disse|mandei|avisei) (?:para |que )?(?:voces? )?(?:parar|pararem|parem)\b/,
  /\b(?:pode|podem|podia\w*|poderia\w*|da para|tem como|favor|voces? (?:vao|querem)) parar\b(?! (?:os juros|o juros|com o juros))/,
  /\b(?:desativ|deslig|interromp|encerr|finaliz)\w*(?: \w+){0,2} (?:mensagem|mensagens|notificac\w+|contato|envio|cobrancas? por aqui|robo)\b/,
  /\b(?:bota|coloca|poe|poem|ponha|deixa|quero|quer[oi]a)(?: \w+){0,2} (?:numero|telefone|contato|celular) (?:fora|para nao receber|longe)/,
  /\bnao (?:aguento|suporto)(?: \w+){0,3} (?:cham|mand|cobr|perturb|receb|enchend|lig)\w+/,
  /\b(?:saco cheio|cansad[oa]|fart[oa]|irritad[oa])(?: \w+){0,3} (?:mensagem|mensagens|contatos?|receber)\b/,
  /^(?:vai|cai|da o|rala|vaza|xispa|desgruda|sai)\w*(?: (?:embora|fora|peito|pe|daqui|de mim|da minha cola|do meu whatsapp|porra|mano|cara))*$/,
  /\b(?:xisp[ae]|desgrud[ae]m?|larg[au]e?m? de mim|cai fora|(?:sai|saia|saiam|some|suma|sumam|vaza) d[aeo] (?:minha|meu) (?:cola|vida|frente|whatsapp|pe|celular|telefone))\b/,
  /\b(?:nem|nao) adianta(?: mais)?(?: me)? (?:mand|envi|cham|cobr)\w+/,
  /\bnao receber(?: mais)?(?: (?:mensagem|mensagens|nada|isso))?$/,
  /\b(?:pedindo|pedi|peco|implor\w+|suplic\w+|mandando|favor) (?:para |que )?(?:voces? )?par(?:ar|em|arem|e)\b/,
  /\bfloodar|\bflood\b/,
  /\bnao (?:tem|tinham?|dei|ha)(?: \w+){0,2} (?:permissao|autorizacao|consentimento) (?:para|de) us\w+(?: o| a)? (?:meu|minha|esse|este)\b/,
  /\b(?:exijo|quero|peco|solicito|requeiro|desejo)(?: \w+){0,2} (?:remocao|exclusao|retirada|descadastr\w+)(?: \w+){0,3} (?:numero|telefone|celular|contato|whatsapp)\b/,
  /\b(?:arred\w+|larg\w+|desgrud\w+) (?:daqui|d?o? ?meu (?:whatsapp|numero|telefone|celular))\b/,
  /\bja (?:deu|encheu|chega)(?: \w+){0,1} (?:de|com|dess[ae]s?|ess[ae]s?)(?: \w+){0,2} (?:mensage\w+|contatos?)\b/,
  /\bme poup[ae]m?(?: \w+){0,2} (?:mensage\w+|contatos?)\b|\b(?:some|suma|sumam) com (?:ess[ae]s?|as?) (?:mensage\w+|contatos?)\b/,
  /\bnao e para (?:voces? )?(?:me )?(?:mandar|enviar|chamar|escrever|ligar|procurar|contatar)\w*(?!.*\b(?:boleto|fatura|link|pix|codigo)\b)/,
  /\bnada mais de (?:mensage\w+|contatos?|cobrancas? por aqui)\b|\bdexa (?:eu|nos|me)(?: \w+){0,1} (?:paz|quiet[oa])\b|\bnao encham?(?: mais)?$/,
  /\bpar[ae]m? di (?:me )?(?:mand|envi|cobr|lig|cham|perturb|pertub)\w*/,
  new RegExp(`\\babst(?:er|em|enham?|enha se|enham se)\\w*(?: \\w+){0,3} (?:${SEND}|contat\\w+|comunic\\w+)`),
  /\b(?:par[ae]m?|parar|deix[ae]m?|deixar) de (?:usar|utilizar|ter)(?: \w+){0,2} (?:numero|telefone|celular|contato|whatsapp|dados)\b/,
  /\bnao (?:quero |desejo |gostaria de |mais )*ser (?:mais )?(?:contatad|contactad|cobrad|importunad|procurad|perturbad|incomodad|abordad|notificad)[oa]\b/,
  /\bnunca mais me (?:mand\w+|cham\w+|envi\w+|lig\w+|procur\w+|cobr\w+|contat\w+|perturb\w+|escrev\w+)/,
  /\bnao (?:volt[ae]m?|torn[ae]m?|ous[ae]m?)(?: mais)? a (?:me )?(?:mand\w+|cham\w+|envi\w+|lig\w+|procur\w+|cobr\w+|contat\w+|perturb\w+|escrev\w+)/,
  /^(?:por favor )?nao (?:me )?(?:contat\w+|perturb\w+|envi\w+|mand[ae]\w*|cham[ae]\w*|lig(?:ue|uem|ar)|escrev\w+|procur[ae]\w*|insist\w+|incomod\w+)(?: mais| por favor| aqui| nada)*$/,
  /\b(?:me remov\w+|me exclu\w+|me descadastr\w+|ser (?:removid|excluid|descadastrad|retirad)[oa])\b(?! d[oa]s? (?:serasa|spc|negativ))/,
  /\b(?:dispenso|evit[ae]m?|recuso)(?: \w+){0,2} (?:mensagem|mensagens|contato|contatos|whatsapp)\b/,
  /\b(?:leave me alone|no more messages|remove me)\b/,
  /\bproib\w+(?: \w+){0,3} (?:mand\w+|envi\w+|cham\w+|contat\w+|contato)/,
  /^(?:parar|sair|cancelar|cancela|cancele|pare|encerrar|remover|bloquear)(?: (?:d[aeo]s?|com|as?|o|os|todas|essas?|minha|de receber|o envio|envio))* (?:mensagem|mensagens|lista|contato|contatos|inscricao|cadastro|notificacoes|notificacao|envio|recebimento|cobrancas|whatsapp|avisos?|lembretes?)$/,
  /\bcancel\w+(?: \w+){0,2} (?:inscricao|recebimento|envio|notificacoes)\b/,
  /\besque[cç][ae]m? (?:d?o )?(?:meu|de mim|que eu existo|meu numero)|\bme deix[ae]m? (?:quiet[oa]|sossegad[oa]|tranquil[oa]|em sossego|de lado)/,
  /\bvai (?:perturbar|encher|incomodar|cobrar|amolar)(?: \w+){0,3} outr[oa]/,
  /\bnao (?:preciso|precisamos|careco|quero) (?:mais )?de (?:mais )?(?:mensagem|mensagens|contato|lembrete\w*|aviso\w*)/,
  /\b(?:para|par|parw|pera|pra|oara|pata) de (?:me )?(?:mandar|mnadar|manda|mandra|mamdar|enviar|envia) (?:mensagem|mensagens|isso|essas)/,
  /\bnao (?:entr[ae]m?|fac?am?|mantenham?|facam) (?:mais )?(?:em )?(?:nenhum )?contato/,
  /\bnao (?:fal[ae]m?|convers[ae]m?) (?:mais )?comigo\b/,
  /\bnao (?:estou |eu )?(?:quero|queria|desejo|aceito|autorizo|gostaria de|pretendo|permito|tenho interesse em|vou|estou a fim de|aguento|suporto)(?: (?!pagar|reconhec|dever)\w+){0,4} (?:receb\w+|mensagem|mensagens|whatsapp|contato|contatos|ligacao|ligacoes|sms|spam|notificac\w+|lembretes?|avisos?|propaganda|contatad\w+|cobrad[oa]|perturbad\w+|incomodad\w+)(?! (?:parcel|desconto))/,
  /\bnao quero (?:mais )?(?:saber|papo|conversa|falar com voces|nada com voces|nada de voces)\b/,
  /\bnao quero (?:mais )?que (?:voces? |me |mais |esse |essa )*(?:mand\w+|envi\w+|cham\w+|cobr\w+|lig\w+|perturb\w+|incomod\w+|contat\w+|entrem?|procur\w+|fal\w+|escrev\w+)/,
  new RegExp(`\\b(?:${REMOVE})(?: \\w+){0,5} ${LIST}\\b`),
  new RegExp(
    `\\b(?:${REMOVE})(?: \\w+){0,3} (?:meu|meus|esse|este)(?: \\w+){0,2} (?:numero|telefone|celular|whatsapp|contato|dados|zap)\\b`,
  ),
  /\b(?:me|mim) (?:tir[ae]m?|remov[ae]m?|exclua\w*|exclui\w*|descadastr\w*|retir[ae]m?|apag[au]\w*|delet[ae]m?)(?: daqui| dai| disso| dessa| desse| por favor| logo|$)/,
  /\b(?:descadastr\w+|desinscrev\w+|unsubscribe|opt ?out)\b/,
  /\bstop\b/,
  /\b(?:quero|desejo|gostaria de|como|solicito|peco para) (?:eu )?(?:sair|saio|faco para sair|parar de receber|deixar de receber|me descadastrar|me remover)\b(?! (?:d[oa]|dess[ae]|dest[ae])? ?(?:divida|aperto|situacao|vermelho|buraco|sufoco|serasa|spc|casa|emprego|negativ\w+|plano))/,
  /\bnao autoriz\w+ (?:a )?(?:receb\w+|envi\w+|mand\w+|voces a)\b|\bme bloquei[ae]\b/,
  /\b(?:parar|paro|deixar|deixo) de receber\b/,
  /\bsai(?:a|am)? (?:fora|d?o meu pe|daqui|da minha vida|para la|do meu whatsapp)\b/,
  /\b(?:some|suma|sumam|somem|desaparec\w+)(?:m)? (?:daqui|da minha vida|da minha frente|do meu whatsapp|por favor|com isso)\b/,
  /\bme (?:esquec[ae]m?|errem?|erra|larg[au]e?m?)\b(?! a)/,
  /\bme deix[ae]m?(?: \w+){0,2} (?:em )?paz\b|\bdeix[ae]m? (?:eu|ela|ele|nos|a gente)(?: \w+){0,1} em paz\b|\bquero (?:paz|sossego)\b/,
  /\blarg[au]e?m? d?o meu pe\b|\b(?:nao )?(?:enche|enchem|encha|encher|enchendo) (?:mais )?(?:o|meu|a) (?:meu )?(?:saco|paciencia)\b|\bnao enche(?: mais)?$/,
  /\b(?:vou|irei|estou|ja|vai ser|sera|te|voces?|numero|contato|esse|este)(?: (?:te|ter|que|vou|vao|vai|ser|esta|estao|esse|este|o|voces?|numero|contato))* (?:bloque(?:ar|ei|ando|ad[oa]s?))\b(?! (?:n?o |n?a |meu|minha|judicial|pelo|por falta))/,
  /\b(?:bloque(?:ar|ei|ando|ad[oa]s?)) e denunci\w+|\bdenunci\w+ e bloque\w+|\b(?:denunci\w+|marc\w+|report\w+)(?: \w+){0,3} (?:como |por |de )?spam\b/,
  /\b(?:revog\w+|retir\w+|cancel\w+)(?: \w+){0,2} (?:consentimento|autorizacao)\b/,
  /\bnao (?:tem|tenho|ha|dei|dou|autorizei) (?:mais )?(?:minha |a )?(?:permissao|autorizacao|consentimento) (?:para|de) (?:me )?(?:mand\w+|envi\w+|cham\w+|contat\w+|continuar)/,
  /\bnao precisa(?:m)?(?: mais)?(?: me)? (?:mand\w+|envi\w+|cham\w+)(?: mais| me)*(?: (?:mensagem|mensagens|nada|whatsapp))/,
  /\b(?:sem|nada de|zero|nenhuma) (?:mais )?(?:mensagem|mensagens|contato|cobrancas? por aqui)\b(?: (?:por favor|para mim|aqui|nesse|mais|ok))*$/,
  /\b(?:par[ae]|parem|parar) com (?:isso|essa|esse|essas|esses|a |as |o |os )/,
  /\b(?:par[ae]|parem) (?:por favor|ja|agora|imediatamente|logo|porra|ai)$|^(?:parem?|chega)\b.{0,25}$|\b(?:entao|mensagem|spam|disso|isso|ja) parem\b/,
];

/** What looks like one of the above and is none: other things that stop, lists of debtors, conditions. */
const NOT: readonly RegExp[] = [
  /\bpar\w+ de (?:me )?(?:cobrar|colocar|por|botar|enrolar|procurar|gerar)\b(?: \w+){0,2} ?(?:juros|multa|taxa|enrola\w*|e me manda|vou pagar|boleto)?(?<=juros|multa|taxa|e me manda|vou pagar|boleto|enrolar)/,
  /\bnao (?:me )?cham\w+ de\b|\bnao cobr\w+ nada\b/,
  /\b(?:lista|cadastro) (?:de|dos) (?:devedor|inadimpl|negativ)/,
  /\bchega de (?:robo|juros|enrola\w+|conversa fiada|maquina)/,
  /\bmensagem nao me lig|\bnao me lig\w+ (?:o|para o) (?:nome|fato)/,
  /\b(?:cartao|conta|pix|chip|senha|aplicativo|app|nome|cpf|limite|banco|beneficio)(?: (?:esta|foi|ta|ja|meu|minha|ficou|vai ser))* bloque/,
  /\b(?:bloque\w+)(?: \w+){0,1} (?:meu|minha|o|a) (?:cartao|conta|pix|chip|senha|cpf|beneficio|salario|nome)\b/,
  new RegExp(
    `\\b(?:${REMOVE})(?: \\w+){0,6} (?:serasa|spc|inadimpl\\w*|devedor\\w*|negativ\\w*|restric\\w*|protesto|cartorio|juros|multa|nome sujo|scpc|boa vista)\\b`,
  ),
  /\b(?:se|quando|depois que|assim que|caso) (?:eu )?(?:pagar|quitar|acertar|fizer|parcelar)\b(?: \w+){0,5} (?:par\w+)/,
  /\b(?:par\w+)(?: \w+){0,4} (?:se|quando|depois que|assim que) (?:eu )?(?:pagar|quitar|acertar|fizer)\b/,
  /\bnao (?:me )?(?:mand\w+|envi\w+|cheg\w+)(?: \w+){0,2} (?:o |a |os )?(?:boleto|boletos|fatura|faturas|codigo|comprovante|pix|link|contrato|recibo|nota|chave|email|e mail|segunda via|pdf)\b/,
  /\bnao (?:me )?cobr[ae]m? (?:juros|multa|taxa|a mais|o que|duas vezes|errado|de novo o)/,
  /\bnao (?:consigo|estou|consegui|recebi|vi|tinha|sabia|posso)(?: \w+){0,2} (?:receb\w+|ver|abrir|baixar)\b/,
];

const ALONE =
  /^(?:(?:entao|por favor|ja|agora|favor) )?(?:parem?|parar|stop|chega|me deixa em paz|descadastrar)(?: (?:por favor|ja|agora|com isso|obrigado))*$/;

const matches = (text: string): boolean =>
  WHOLE.test(text) || (PATTERNS.some((pattern) => pattern.test(text)) && !NOT.some((pattern) => pattern.test(text)));

/** Judged as a whole, sentence by sentence, and for a bare `parem` between commas. */
export const asksForSilence = (message: string): boolean => {
  const read = (text: string): string => readable(text).replace(/ ?\?/g, '').trim();
  return (
    matches(read(message)) ||
    message.split(/[\n.!?;]+/).some((sentence) => matches(read(sentence))) ||
    message.split(/[\n.!;,]+/).some((part) => ALONE.test(read(part)))
  );
};

const CONTACT =
  /\b(?:mensag\w+|contatar|contatem?|perturb\w+|incomod\w+|ench\w+|saco|paz|spam|bloque\w+|denunc\w+|lista|perturba\w*|(?:nao|nunca|sem|par[ae]m?|chega)(?: \w+){0,4} (?:receb\w+|mand\w+|envi\w+|cham\w+|ver|lig\w+|cobr\w+))\b/;

/** The least that a message must say before the classifier alone may take it for a request for silence. */
export const speaksOfContact = (normal: string): boolean =>
  CONTACT.test(normal) && !NOT.some((pattern) => pattern.test(normal));
