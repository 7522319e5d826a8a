import { BOTHERS, PURE_MESSAGE, SEND } from './opt-out-slots.ts';

/** A command that is the whole message, as the messages themselves teach (`PARAR`), with what people hang on it. */
const LEAD =
  '(?:por favor|favor|gente|ei|ow|o|oi|ola|bom dia|boa tarde|boa noite|ja|eu|so|entao|ok|voces?|mas|moco|moca|amigo|cara|mano|quero que|quero|desejo|peco|solicito|gostaria de|exijo|prezados|senhores|ilustres|oxe|na moral|homem|home|menino|vixe|cansei|tchau|pode|podem|escrevi|digitei|respondi|mandei|digo|responder|resposta|opcao|pedido de|emoji\\w+)';
const COMMAND =
  '(?:parar?|pare|parem|parou|paro|paron?|stop|sair|sai|saia|saiam|cancelar|cancela|cancele|cancelem|cancelado|remover|remova|remove|descadastr\\w*|desinscrever|unsubscribe|optout|opt out|me deixa|me deixem|me bloqueia|me bloqueie|nao quero mais|bloquear|bloqueando|bloquead[oa]s?|bloqueei|bloqueado e denunciado|block|bloq|chega|basta|some|suma|sumam|somem|vaza|vazem|rala|xispa|desgruda|desinfeta|me exclua|me exclui|me excluir|me remova|me remove|me tira|me tire|me tirem|fora|xo|parrar|praar|paarr?|parae|sotp|stp|siar|ssair|oarar|psrar|pqrar|sait|cancealr|canclear|para ai|sem contato|silencio|nao perturb\\w*|nao pertub\\w*|excluir|exclua|excluam|cancele isso|tira isso|tirem isso|tira eu|interrompa|interromper|desativar|desligar|encerrar contato|encerrar|encerra|retirar|retirem|silencio|denunciado|denunciei|deu|ja deu|me erra|me esquece|larga|me larga|acabou|desapare[cs]w+|sai encosto|deixa de insistencia|apaguem tudo|te manca|se manca|sai vazado|bloqueio na hora|blok|solicito remocao|cessem|abstenham se|fica proibido|desativem isso|desencosta|desencostem|desaparecam|emojipare(?: emojipare)*|tira isso|tirem isso|deleta tudo(?: meu)?|me deixe|remocao(?: imediata)?|descadastramento(?: imediato)?|exclua me|exclusao(?: imediata)?|vai para o block|bloqueando em [d_ ]+|parem por favor)';
const TAIL =
  '(?:por favor|obrigad[oa]|agora|ja|ai|logo|porra|caralho|cacete|saco|chega|parar?|parem|sair|stop|com isso|tudo|daqui|emoji\\w+|fazendo favor|disso|imediatamente|de vez|urgente|meu|mano|cara|amigo|gente|moco|moca|pelo amor de deus|serio|na moral|ta|viu|ok|voces?|inferno|poxa|po|ne|mesmo|isso|hein|robo|chato|rapaz|menino|o|mensagens?|envio|envios)';
const WHOLE = new RegExp(`^(?:${LEAD} )*${COMMAND}(?: ${TAIL})*$`);

const PATTERNS: readonly RegExp[] = [
  // Be left alone.
  /\b(?:me|mim|nos|mi) (?:deix[ae]m?|dex[ae]m?|deixar|deixassem)(?: \w+){0,2} (?:(?:em )?paz|quiet[oa]|sossegad[oa]|tranquil[oa]|(?:em )?sossego|de lado|de fora|fora disso|viver)\b/,
  /\b(?:deix|dex)[ae]m? (?:eu|ela|ele|nos|nois|a gente|o meu|meu|minha|mim)(?: \w+){0,2} (?:(?:em )?paz|quiet[oa]|sossegad[oa]|(?:em )?sossego|de lado|viver)\b/,
  /\bme (?:esque[cs][ae]m?|errem?|erra|larg[au]e?m?|larguem|bloquei[ae]m?|poup[ae]m?(?= (?:de|d[ao]s|dess\w+)\b))\b(?! (?:a|o|os|do|da|de (?:pag|mand)|com o (?:juros|valor))\b)/,
  /\besque[cs][ae]m? (?:d?o )?(?:de mim|que eu existo|que existo|meu (?:numero|nome|telefone|contato|whatsapp)|da gente|desse numero|deste numero)/,
  /\b(?:finj[ao]m?|finge|faz(?:em)?|facam?) (?:de conta )?que (?:eu )?(?:nao existo|morri|sumi)\b/,
  /\b(?:desist[ae]m?|desiste|desencan[ae]m?|desencana|desapeg[au]\w*|desgrud[ae]m?|larg[au]e?m?) (?:de|d[eo]) (?:mim|nos|meu pe)\b|\blarg[au]e?m? d?o (?:meu )?pe\b/,
  /\bperc?(?:de|am|a) (?:o )?meu (?:numero|contato|telefone)\b/,
  // Go away.
  /^(?:vai|vao|cai|caiam|da o|rala|vaza|xispa|desgruda|sai|saiam|arreda|chispa|desinfeta|rapa|pega)\w*(?: (?:embora|fora|peito|pe|daqui|de mim|da minha cola|do meu whatsapp|porra|mano|cara|beco|o beco|para la|pra la|robo|logo))+$/,
  /\b(?:xisp[ae]m?|desgrud[ae]m?|cai fora|caiam fora|desinfet[ae]m?|vaz[ae]m? daqui|rala daqui|(?:pega|pegue|peguem) o beco|(?:arred\w+|sai|saiam|vaz\w+|some|sumam|xo)(?: \w+){0,2} com (?:ess[ae]s?|tuas?|suas?) mensage\w+)\b/,
  /\bsai(?:a|am)? (?:fora|d?o (?:meu )?pe|daqui|da minha (?:vida|cola|frente)|para la|do meu \w+|de cima de mim|fora daqui)\b/,
  /\b(?:some|suma|sumam|somem|sumir?|desaparec\w+|evapor[ae]m?)(?:m)? (?:daqui|da minha vida|da minha frente|do meu \w+|por favor|com isso|logo|de vez|da minha vista)\b/,
  /\b(?:some|suma|sumam|sumir|sumissem) com (?:ess[ae]s?|as?|os?) (?:mensage\w+|contatos?|meu numero|numero)\b/,
  /\b(?:vai|va|vao|procur[ae]m?|vejam?) (?:\w+ ){0,3}(?:perturb|encher|incomod|cobr|amol|chate|torr|infern|aporrinh|enche|pentelh|azucrin|aborrec)\w*(?: \w+){0,4} outr[oa]s?\b|\b(?:procura|vai|vao|procurem) outr[oa] (?:\w+ )?para (?:perturb|ench|incomod|cobr|torr|amol)\w+/,
  /\b(?:vai|vao|va) (?:procurar|cacar|arrumar|arranjar) (?:o que|outra coisa|servico|um servico|oq|outro|o que que)\b/,
  /\bvai ver se (?:eu )?(?:estou|to|esta|chov)\b|\bnao (?:tem|tenham?) (?:mais )?o que fazer nao\b/,
  // Bother.
  /\b(?:par[ae]m?|pare|parar) de (?:bul|mex|ench|abus|perturb|amol|apit|toc|atazan|aperre)\w+(?: \w+){0,1} (?:com|n[oa]|o|a) (?:meu|minha|nosso)\b/,
  /\baqui nao(?: \w+){0,1} nem(?: \w+){1,2} nem\b/,
  /\b(?:enche|enchem|encha|encham|encher|enchendo|torr\w+) (?:mais )?(?:o |a |meu |minha |o meu |a minha )?(?:saco|paciencia|cabeca|juizo)\b/,
  /\bpeg(?:a|am|ar|ando|ue|uem) (?:no|do|n) (?:meu )?pe\b|\bno meu pe\b|\bna minha cola\b/,
  /\b(?:voces?|ja|isso) (?:ja )?(?:ench(?:eu|eram)|torr(?:ou|aram)|deu no saco)\b|\bencheu o saco\b|\bsaco cheio de voces\b/,
  /\b(?:sossega|sosseguem)(?: \w+){0,2} (?:mensage\w+|whatsapp|robo)\b/,
  /\b(?:incomodando|enchendo|perturbando|irritando|chateando|torrando)(?: \w+){0,2} para(?: \w+){0,1}$|^para (?:que (?:ta|esta|eu ja|nao aguento|chega)|por favor|pelo amor)\b/,
  /^(?:ja |eu ja |eu )?(?:mandei|digitei|respondi|escrevi|coloquei|botei|enviei|falei)(?: \w+){0,2} (?:parar|pare|sair|stop|cancelar|remover|descadastrar)\b/,
  /\b(?:me deix\w+|deixarem me)(?: \w+){0,1} em paz\b|\blarguem mao\b|\b(?:estou )?fora dess[ae] lista\b|\brasg\w+ (?:o )?meu (?:numero|contato)\b/,
  /\b(?:voces?|essas? mensage\w+|esse robo|isso)(?: (?:esta|estao|so|ja|vivem?|ficam?|toda hora|todo dia|aqui|ai|sao|automaticas))* me (?:incomod|perturb|atorment|azucrin|irrit|importun|aporrinh|infern|chate|aperre|estress)\w+(?! (?:com a (?:situacao|divida)))/,
  /\b(?:aguento|suporto|aturo) (?:mais )?(?:voces|esse robo)\b|\b(?:quero|exijo|mantenham?) distancia(?: de voces)?\b|\bvirou (?:perturbac\w+|importunac\w+|perseguic\w+)\b/,
  /\bmensage\w+(?: \w+){0,3} nao (?:aguento|suporto)\b|\bcans(?:ei|ado|ada) bloque\w+|\bonde (?:eu )?(?:clico|aperto|faco) para sair\b|\bpedir para sair\b|\b(?:autorizacao|consentimento) (?:esta |foi )?revogad[oa]\b/,
  /\b(?:apag|exclu|remov|tir|delet|destru|retir)(?:a|am|e|em|ue|uem|ui|uam) (?:isso|ele|dai|daqui)\b(?<=\bnumero\b.*)|\bnumero(?: \w+){0,4} (?:apag|delet|remov)(?:a|em|uem|am)\b|\bdestru\w+ meus dados|\brasg\w+ (?:a )?minha ficha\b|\bnao quero (?:mais )?voces (?:com|no|em) (?:o )?meu\b/,
  /\b(?:nunca|nao) (?:dei|autorizei|me (?:inscrevi|cadastrei))(?: \w+){0,3} (?:remov|cancel|tir|exclu|apag|retir)\w+|\b(?:melhor|bom) (?:voces? )?par(?:ar|arem)\b|\bnao (?:dei|autorizo)(?: \w+){0,1} (?:permissao |autorizacao )?(?:nada disso|para isso)\b|\bultima vez que (?:peco|aviso|falo)\b|\bsai da minha conta do whatsapp\b|\barreda\b/,
  /\bmand\w+ para outr[oa]\b(?=.*\bnao\b)/,
  /\bsair (?:d[ae]|dess[ae]|dest[ae]) (?:minha |sua )?(?:lista|grupo|mailing|transmissao)\b|\bpode me bloquear\b|\bso (?:para|da) (?:a )?familia\b/,
  /\b(?:que|espero que|quero que)(?: \w+){0,2} (?:seja|fosse) a ultima (?:mensage\w+|vez)|\btem que ser a ultima mensage|\bqualquer (?:novo |outro |nova |outra )?(?:contato|mensage\w+|ligacao)(?: \w+){0,6} (?:prova|assedio|autos|crime|importunac\w+|denunciad\w+|process\w+)|\bnotificad\w+ (?:a|para|de) (?:cess|par|nao|se abst)\w*|\bcessem\b/,
  /\bse (?:voces? )?nao par(?:arem|ar|am)\b|\bbom de mensage\w+|\bnao precisam? mais (?:voces )?(?:me )?(?:avis|lembr|escrev|procur|cobr|mand|cham|contat)\w+|\bpedido formal (?:de exclus|para cess|de remo|para que nao)\w*/,
  /^(?:ou )?(?:ou )(?:voces? )?par(?:a|am|em)\b|\bou (?:voces? )?par(?:am|em) ou\b|\b(?:me|nos) (?:deix\w+|mant\w+|coloc\w+) (?:de )?fora d(?:as?|os?|iss|ess|est)\w*|\b(?:deixar|deixem|deixe) (?:eu|me) (?:de )?fora\b/,
  /\bsossego(?: \w+){0,2} respeitad|\bfac(?:am|a) (?:o favor|a gentileza|um favor|o obsequio)(?: \w+){0,2} (?:sumir|de nao)|\benfi\w+(?: \w+){0,4} mensage|\bguard\w+ (?:ess[ae]s?|suas?)(?: \w+){0,1} mensage|\bpara quem quer(?:er|ia)? receber\b/,
  /\bnao (?:assinei|pedi|solicitei|me inscrevi|me cadastrei|quis)(?: \w+){0,2} receber (?:isso|ess\w+|mensage\w+|nada)|\b(?:opcao|botao|comando|jeito|forma|maneira|meio) (?:de|para)(?: eu| me| voces)* (?:sair|parar|descadastr\w+|nao receber|bloquear|deixar de receber|cancelar (?:iss|ess|mensage|o envio|o receb)\w*)|\bcomo (?:eu )?(?:desligo|desativo|bloqueio|tiro|paro) (?:isso|voces|ess\w+|o robo)\b/,
  /\b(?:pedido|solicitado|avisado|falado|dito)(?: \w+){0,2} nao (?:me )?(?:mand|envi|cham|receb|escrev|contat|lig|procur|perturb|incomod)\w+/,
  /\bnunca mais(?: \w+){0,3} (?:quero|queria)(?: \w+){0,2} (?:ver|receber|ouvir)\b|\blista de (?:bloqueio|nao perturb\w+)\b|\bnao(?: \w+){0,2} aparec\w+ mais\b|\b(?:prefiro|quero|peco|gostaria) que(?: \w+){0,5} nao (?:haja|chegue|venha|exista)\w* mais\b/,
  /\bque insistencia\b|\b(?:nao|nem) (?:dei|passei|forneci|autorizei)(?: \w+){0,2} (?:numero|contato|telefone|whatsapp|dados)(?: \w+){0,4} (?:apag|tir|remov|exclu|delet)\w+|\bapag\w+ tudo(?: \w+){0,1} meu\b|\brobo(?: e)? me deixa$|\b(?:quero|gostaria de|desejo) ser (?:esquecid|deixad|ignorad)[oa]\b/,
  /\bja (?:falei|pedi|disse|mandei) para (?:voces? )?para[r]?$/,
  /\bnao ench[ae]m?(?: mais)?\b/,
  new RegExp(`\\bproib\\w+(?: \\w+){0,4} (?:${SEND}|contat\\w+|us\\w+|mensage\\w+|receber)`),
  new RegExp(
    `\\b(?:que saco|que inferno|que chatice|inferno|saco|chat[oa]s?|insuportave\\w+|insuportavel)(?: \\w+){0,3} (?:ess[ae]s?|dess[ae]s?|tant[ao]s?|de|com)(?: \\w+){0,2} ${PURE_MESSAGE}\\b`,
  ),
  new RegExp(
    `\\b(?:voces?|esse robo|ess[ae] (?:empresa|gente|robo|pessoal)) nao (?:par[ae]m?|cans[ae]m?|desist\\w+|sosseg\\w+)(?: nunca)?(?: de)?(?: (?:me|ficar))* (?:${BOTHERS}|mand\\w+|envi\\w+|cham\\w+|lig\\w+|cobr\\w+)`,
  ),
  // Block and denounce.
  /\b(?:vou|irei|estou|ja|vai ser|vao ser|sera|serao|te|voces?|numero|contato|esse|este|foi|foram|acabei de|pronto|tchau|obrigad[oa] a)(?: (?:te|ter|que|vou|vao|vai|ser|esta|estao|esse|este|o|voces?|numero|contato|ja|foi|foram|de|ate|todos?|os|numeros|a|acabar|mandar|fazer|por))* (?:bloque(?:ar|ei|ando|ad[oa]s?))\b(?! (?:n?o (?!numero|contato)|n?a |meu|minha|judicial|pelo|por falta))/,
  /\b(?:vou|ja|vai)(?: \w+){0,3} (?:silenci\w+|denunci\w+|arquivar|excluir) e (?:te )?bloque\w+|\bvai para o block\b|\b(?:denunci\w+|bloque\w+) se (?:\w+ ){0,2}(?:mand|insist|continu|cham|envi|perturb|incomod)\w+/,
  /\bbloque(?:io|ei|arei|ar|ado|ando)(?: \w+){0,2} (?:voces?|esse numero|este numero|esse contato|este contato|numero|contato|tudo)\b/,
  /\bbloque\w+ e denunci\w+|\bdenunci\w+ e bloque\w+|\b(?:denunci\w+|marc\w+|report\w+)(?: \w+){0,4} (?:como |por |de )?(?:spam|importunac\w+|perturbac\w+)\b/,
  /\b(?:se|caso|quem|que) (?:voces? )?(?:me )?(?:mand|cham|lig|perturb|incomod|insist|continu|envi|vier|vir|escrev|aparec|receb|cheg|entr)\w*(?: \w+){0,6} (?:bloque\w+|denunci\w+)\b/,
  /\b(?:se|caso) (?:voces? )?(?:(?:continu\w+|insist\w+|fic\w+|volt\w+|segu\w+)(?: a| em| me)* )(?:me )?(?:mand|cham|lig|perturb|incomod|envi|ench|assedi|import)\w*(?: \w+){0,6} (?:process\w+|denunci\w+|justica|procon|policia|bo|delegacia|providenc\w+|medidas|advogad\w+)\b/,
  /\b(?:mais uma|mais um|outra|proxima|so mais uma)(?: \w+){0,1} (?:mensage\w+|contato|ligacao|whatsapp)(?: \w+){0,4} (?:bloque\w+|denunci\w+|process\w+|procon|policia|justica)\b/,
  // Law.
  /\b(?:revog\w+|retir\w+|cancel\w+|cass\w+)(?: \w+){0,3} (?:consentimento|autorizacao|permissao|anuencia)\b(?! (?:do|da) (?:banco|cartao|debito))/,
  /\b(?:nao|nunca|jamais|sem)(?: \w+){0,1} (?:tem|tenho|ha|dei|dou|deu|possu\w+|concedi|concedo|existe|dao|tinham?)(?: \w+){0,2} (?:permissao|autorizacao|consentimento|direito|anuencia)(?: \w+){0,2} (?:para|de|a)(?: \w+){0,3} (?:mand|envi|cham|contat|continu|us|entr|perturb|incomod|receb|guard|lig|procur)\w*/,
  /\b(?:nao|sem) (?:tem|tenho|dei|dou|ha) (?:o |a )?(?:meu|minha) (?:consentimento|autorizacao|permissao)\b/,
  /^(?:eu )?nao (?:autorizo|permito|consinto|dei (?:permissao|autorizacao)|dou (?:permissao|autorizacao))(?: (?:nada|isso|voces?|mais|contato))*$/,
  /\bbloqueei$|\b(?:querem?|vai|vao) parar$|\brobo (?:chato )?para$|\besse quero que nao\b|\bvai virar spam\b/,
  /\bnao (?:autoriz|permit|consint)\w+(?: \w+){0,2} (?:receb\w+|envi\w+|mand\w+|voces a|contat\w+|cham\w+|contato|mensage\w+|uso|us[ae]m|usar|o uso|trata\w+|lig\w+|comunic\w+)\b/,
  /\b(?:me oponho|oponho me|oposicao|direito de oposicao)(?: \w+){0,4} (?:tratamento|dados|contato|contatos|mensage\w+|receb\w+|uso|envio)\b|\bdireito (?:ao esquecimento|ao sossego|de ser esquecid[oa]|de oposicao|de nao ser (?:contatad|incomodad|perturbad)[oa])\b/,
  /\b(?:lgpd|lei geral de protecao|protecao de dados|art(?:igo)? 18)(?: \w+){0,12} (?:elimin\w+|exclu\w+|exclus\w+|apag\w+|remo[cv]\w+|retir\w+|cess\w+|oposicao|revog\w+|par\w+ de|nao quero|descadastr\w+)\b/,
  /\b(?:elimin\w+|exclu\w+|exclus\w+|apag\w+|remo[cv]\w+|retir\w+)(?: \w+){0,3} (?:meus|dos meus|os meus|minhas)(?: \w+){0,2} (?:dados|informacoes)\b(?! (?:do|no|da) (?:serasa|spc))/,
  // Others.
  /\bstop\b|\bleave me alone\b|\bno more messages\b|\bdon t (?:text|message|contact) me\b|\bno me (?:escriban?|manden?|molesten?)\b/,
  /\bfloodar|\bflood\b/,
  /\bnao receber(?: mais)?(?: (?:mensagem|mensagens|nada|isso))?$/,
  /^(?:parar|sair|cancelar|cancela|cancele|pare|encerrar|remover|bloquear)(?: (?:d[aeo]s?|com|as?|o|os|todas|essas?|minha|meu|de receber|envio))* (?:mensagem|mensagens|lista|contato|contatos|inscricao|cadastro|notificacoes|notificacao|envio|recebimento|cobrancas|whatsapp|avisos?|lembretes?|numero)$/,
  /\bnao precisa(?:m)?(?: (?:mais|me|voces?|ficar|vir|nem))* (?:mand\w+|envi\w+|cham\w+|perturb\w+|insist\w+|incomod\w+)(?: (?:mais|me|essas?|tantas?|outra|nenhuma))* (?:mensagem|mensagens|nada|whatsapp|mais|aqui)\b/,
];

/** Idioms, commands, threats and the law: what no grammar composes. */
export const isSilenceIdiom = (text: string): boolean =>
  WHOLE.test(text) || PATTERNS.some((pattern) => pattern.test(text));

/** The negation that closes the clause: `me mande mais não`, `quero mais prosa não`. */
const AFTERWARDS: readonly RegExp[] = [
  /^(?:(?:e|entao|por favor|moc[oa]|meu filho|ja falei|oxe|olhe) )*(?:me |nos )?(?:escrev[ae]m?|mand[ae]m?|envi[ae]m?|cham[ae]m?|procur[ae]m?|perturb[ae]m?|ligu?[ae]m?|cobr[ae]m?|incomod[ae]m?|insist[ae]m?)(?=.* (?:mais|nada|para mim|aqui|mensage\w+)\b)(?: \w+){1,4} nao$|^me (?:escrev[ae]m?|mand[ae]m?|cham[ae]m?|procur[ae]m?|perturb[ae]m?|cobr[ae]m?|incomod[ae]m?) nao$/,
  /(?:^|\beu |\bmoc[oa] |\bnao )(?:quero|aguento|aceito|desejo|suporto) (?:mais )?(?:saber|prosa|conversa|papo|mensage\w+|contato|receber|voces)(?: \w+){0,4} nao$/,
];

/** Judged clause by clause: beyond a comma the `não` denies something else. */
export const refusesAfterwards = (clause: string): boolean => AFTERWARDS.some((pattern) => pattern.test(clause));
