import {
  BOTHERS,
  fill,
  HARD_STOP,
  LIST,
  MESSAGE,
  NO_THING,
  NOT_BUREAU,
  PHONE,
  PURE_MESSAGE,
  REMOVE,
  SEND,
  SENT,
  STOP,
  WISH,
  wished,
} from './opt-out-slots.ts';

/** The families in which Portuguese asks for silence, each composed of slots; `readable` text in which near misses are cut out. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  /** `parem de ficar me mandando`, `chega de mensagem`, `favor suspender todos os envios`. */
  stop: [
    `\\b${STOP} (?:(?:logo|ja|agora|por favor|um pouco|ai|imediatamente|voces?|pelo amor de deus) )*(?:de|d|di|do|com|em)${fill(3)} ${SEND}\\b${NO_THING}`,
    `\\b(?:${HARD_STOP}|chega|xega|basta|cansei|evit[ae]m?|evitar)(?: (?:logo|ja|agora|por favor|imediatamente|ai))*(?: (?:assinatura|com|de|d|c|do|da|dos|das|o|a|os|as|ess[ae]s?|est[ae]s?|ta?nt[ao]s?|suas?|qualquer|tod[ao]s?|mandar|envio|envios|enviar|receber|me|mais|minhas?|meu|recebimento|tipo|novas?|futuras?|outras?)){1,5} ${MESSAGE}\\b${NO_THING}`,
    `\\b${HARD_STOP}(?: (?:o|os|a|as|com|todo|todos|qualquer|esse|esses|de|imediatamente|ja)){0,3} (?<!\\bpara )(?:envios?|disparos?|recebimento|contatos?|comunicac\\w+|mensage\\w+|notificac\\w+|ligac\\w+)\\b`,
    '\\b(?:par[ae]m?|parar|pararem) (?:ja |logo )?com (?:isso|iss|isto|tudo|essa|esse|essas|esses|a |as |o |os )',
    '\\b(?:par[ae]m?) (?:por favor|ja|agora|imediatamente|logo|porra|ai|cara|mano|caralho|gente)$',
    '^(?:parem?|chega|parou|paro)\\b(?! (?:de|mim|voces?|ele|ela|a|o|que|eu|quem|quando|onde|pagar|pag|quit)\\b).{0,25}$',
    '\\b(?:entao|spam|disso|isso|ja|voces|so|favor|inferno|cacete|saco) parem\\b',
    '\\b(?:pode|podem|podia\\w*|poderia\\w*|da para|tem como|favor|gentileza|voces? (?:vao|querem|podem|tem que|precisam)|tratem? de|trata de|ve se|vejam se|faz favor de|quero que|pedindo|(?<!eu ja paguei )pedi\\w*|peco|peso|implor\\w+|suplic\\w+|mandando|falei|disse|mandei|avisei|exijo|solicito|gostaria que|ordeno|imploro|suplico)(?: (?:para|que|voces?|ja|logo|a|de|me|mais|eu|o senhor|a senhora|fac\\w+ o favor de|educadamente|encarecidamente)){0,3} (?:parar|pararem|parem|pare|parassem|parasse|cessem|cessar|param)\\b(?! (?:a cobranca|as cobrancas|de (?:procur|cobr)\\w+(?: \\w+){0,3} (?:vou pag|pago|ja pag|paguei)\\w*|os juros|o juros|com o juros|a divida|de (?:rende|crescer|aument)\\w+))',
    `\\b(?:da|deem|dao|de) (?:um |mais )*(?:tempo|sossego|trégua|tregua|paz|descanso|folga)(?: \\w+){0,2} (?:com|de|d[oae]ss?[ae]?s?)${fill(2)} ${PURE_MESSAGE}`,
    `\\b(?:deu|ja deu|ja chega|ja encheu|ja basta|encheu|cansou)(?: \\w+){0,2} (?:de|com|dess[ae]s?|ess[ae]s?|tant[ao]s?)${fill(2)} (?:${PURE_MESSAGE}|${SEND})\\b`,
    `\\b(?:par|oarem|parw|pera|pra|para|oara|pata|paar|apra|pare) d[ei]? ?(?:me |fica\\w* )*(?:mand|envi|mnad|mamd|cham|pertu|perturb|encher|cobr)\\w*${NO_THING}`,
    '\\b(?:abst\\w+)(?: \\w+){0,4} (?:contat\\w+|comunic\\w+|mensage\\w+|envi\\w+|mand\\w+|cobr\\w+|lig\\w+)',
  ],
  /** `não me mandem nada`, `nunca mais me chame`, `nem adianta insistir`. */
  refuse: [
    `\\b(?:nao|nunca mais|jamais|nem|nunca)(?: (?:e para|precisa\\w*|tem que|volt[ae]m?(?: mais)? a|torn[ae]m?(?: mais)? a|ous[ae]m?|fic\\w+|fiqu\\w+|continu\\w+|tent\\w+|ven?ham?|quero ver|adianta|mais|voces?|por favor|precisam))* (?:me|mim|nos|mi|meu) (?:(?:mais|nunca|fic\\w+|volt\\w+|vir|vem|venham?) )*${SEND}\\b${NO_THING}(?! de\\b)`,
    `\\b(?:nao|nunca mais|jamais)(?: (?:me|mim|nos|e para|precisa\\w*|volt[ae]m? a|torn[ae]m? a|ous[ae]m?|fic\\w+|fiqu\\w+|continu\\w+|tent\\w+|venham?|adianta|mais|voces?|a|por favor))* ${SEND}${fill(4)} (?:mais|mai|mas mensage\\w+|nunca|novamente|jamais)\\b(?! (?:caro|barato|um dia|tempo|dias|uns dias|alguns))`,
    `\\b(?:nao|nunca mais|nem)(?: (?:e para|precisa\\w*|fic\\w+|fiqu\\w+|continu\\w+|mais|voces?|me|por favor))* (?:mand[ae]m?|mandar\\w*|mandando|envi[ae]m?|enviar\\w*|enviando|cham[ae]m?|chamar|escrev[ae]m?|li(?:ga|guem?)|ligar|cobr[ae]m?|encaminh\\w+|dispar\\w+|procur\\w+|contat\\w+)(?: (?:mais|me|essas?|esses?|isso|tant[ao]s?|de|por|em|qualquer|nenhum\\w*|outr[ao]s?|nov[ao]s?|tipo|a|o|as|os))* (?:${PURE_MESSAGE}|nada|aqui|para mim|para ca|para esse|para este|nesse|neste|nest[ea]|comigo|para o meu|no meu|para meu|nele|para ele|para (?:minha|meu) \\w+)\\b${NO_THING}`,
    '\\b(?:nao|nunca mais) (?:mais )?(?:entr[ae]m?|entrar|entrarem|fac?am?|fazer|mantenham?|tentem?)(?: mais| novo| nenhum| qualquer| em| um| novamente)* contato\\b',
    '\\bnao (?:mandem|mande|enviem|envie|chamem|chame|adicion\\w+|liguem|ligue|procurem|contatem|contate|escrevam|encaminhem|disparem)(?: mais| por favor| aqui| nada| obrigado| obrigada)*$',
    `\\bnao (?:mais )?${BOTHERS.replace('|abus', '|abuse')}\\b(?! (?:com o valor|com a divida|nao))`,
    `^(?:por favor |favor |ja falei |eu disse )?(?:nao|nunca mais) (?:me |mais )*${SEND}(?: (?:mais|por favor|aqui|nada|obrigado|obrigada|nunca|ta|viu|ok|porra|ai|nao|moco|moca|amigo))*$`,
    `(?:^|\\b(?:moco|moca|favor|me|mim|aqui) )(?:me )?(?:mand[ae]m?|envi[ae]m?|cham[ae]m?|perturb[ae]m?|ligu?[ae]m?|cobr[ae]m?|incomod[ae]m?)(?: (?:mais|nada|aqui|me|mensagem|mensagens|msg|isso|para mim|desse jeito|no meu whatsapp)){1,3} nao(?: (?:viu|visse|moco|moca|obrigad[oa]|por favor|home|hein))*$`,
    `\\bnao (?:mand[ae]m?|mandarem|mandar|envi[ae]m?|enviar|enviarem|cham[ae]m?) mais\\b${NO_THING}`,
    `\\b(?:falei|pedi|disse|avisei|peco|favor|gentileza|solicit\\w+|quero|exijo|requeiro|proib\\w+|determino|ordeno|pedindo|falando|dizendo|avisando|agradec\\w+|gostaria|prefer\\w+|prefiro|queria|melhor|espero|implor\\w+|desej\\w+)${wished(3)} (?:nao|nunca mais|evit\\w+|deix\\w+ de|proib\\w+)(?: (?:me|mais|se|nos|voces?|seja|ser|fosse|sejam|continu\\w+|fic\\w+|volt\\w+|a|de|em|por)){0,4} (?:${SEND}|${SENT}|receb\\w+|entr\\w+ em contato|us\\w+ (?:o )?meu|contato|${PURE_MESSAGE})\\b${NO_THING}`,
    '\\b(?:nao|nunca mais) (?:usem|use|usar|utilizem?|utilizar|tenham|mantenham|compartilhem|guardem)(?: \\w+){0,2} (?:meu|meus|este|esse) (?:numero|telefone|celular|contato|whatsapp|dados)\\b',
    `\\b(?:nao|nem) adianta(?: mais)?(?: voces?)?(?: me| ficar)* ${SEND}\\b${NO_THING}`,
    `\\b(?:nao (?:ha|tem|vejo)|sem) (?:necessidade|motivo|razao|por ?que) (?:de|para|em)${fill(2)} (?:continuar |ficar )?(?:me )?(?:mandar|enviar|envio de mensag|chamar|perturbar|incomodar|insistir|contatar|novos? contato|nova mensag|outra mensag)\\w*${NO_THING}(?! (?:a|ao|para o?|o caso|isso)\\b)`,
    `\\b(?:sem|nada de|zero|nenhuma?|chega de) (?:mais |nova |outra |receber )*(?:${PURE_MESSAGE}|cobrancas? (?:por aqui|no whatsapp|por whatsapp|nesse numero))(?: (?:por favor|para mim|aqui|nesse|neste|numero|mais|ok|obrigado|obrigada|daqui|para frente|de voces|no meu|whatsapp|celular|a partir de|agora|hoje))*$`,
    `\\b(?:nada mais|nenhuma? mais|nem mais um|nem mais uma|mais nenhuma?) (?:de )?${PURE_MESSAGE}\\b(?<!recebi \\w{1,40})`,
    `^${PURE_MESSAGE} (?:mais )?nao\\b(?: (?:mais|por favor|quero|obrigado|aqui))*$`,
  ],
  /** `não quero mais receber`, `não desejo ser contatada`, `não aguento mais essas mensagens`. */
  wish: [
    `\\b(?:nao|nem|nunca)(?: (?:e que|eu|mais|te|vos|lhes?|os|ja|aqui))* ${WISH}${wished(5)} (?:receb(?:er|endo|a|am|o)|${PURE_MESSAGE}|${SENT}|ser contatad\\w+)\\b${NO_THING}`,
    `\\b(?:nao|nem)(?: (?:eu|mais))* (?:quero|queria|desejo|aceito|aguento|suporto|tolero|admito|guento|autorizo|permito|gostaria)(?: (?!pag|reconhe|dever)\\w+){0,2} (?:cobrancas?|robo)(?: \\w+){0,2} (?:whatsapp|aqui|mensagem|telefone|celular|numero|todo dia|toda hora|mais|mandando|nele|nela|neste|nesse|me chamando|me enchendo|me cobrando)\\b`,
    `\\b(?:nao|nem)(?: (?:eu|mais))* (?:quero|queria|gostaria|aceito|admito|permito|autorizo|desejo|aguento|suporto|consinto)(?: (?:mais|nem|nunca|de))* (?:que|q|a|com|voces?|o)(?: (?:voces?|me|mais|esse|essa|nunca|ninguem|seu|robo|fic\\w+|fiqu\\w+|continu\\w+|a|empresa|o|entrem|venham?|mim|senhor|senhora|sistema)){0,5} (?:${SEND}|entrem|entrar)\\b${NO_THING}`,
    `\\bnao (?:aguento|suporto|guento|aturo|tolero)(?: \\w+){0,4} (?:cham|mand|cobr|perturb|receb|enchend|lig|insist|mensag|incomod)\\w+`,
    '\\bnao (?:mais )?(?:quero|desejo|tenho interesse em|preciso) (?:mais )?(?:ter |nenhum |nenhuma |qualquer |tipo de |de )*(?:papo|conversa|conversinha|prosa|contato|relacao|falar com voces|nada com voces|nada de voces|nada vindo de voces|ligacao com voces|saber (?:mais )?(?:de voces|disso|dess\\w+|de (?:mensagem|contato|papo|conversa|nada)|de mensagem sua))\\b',
    '\\bnao quero (?:mais )?(?:saber|papo|conversa)$|\\bnao quero (?:mais )?saber (?:de|dess\\w+|dest\\w+) (?:voces?|mensag\\w+|contato|nada|gente|empresa|robo)\\b',
    '\\bnao (?:quero|aguento|suporto)(?: (?:mais|nem|nunca|ter que|ter de|ficar))* (?:ver|ouvir|ler|abrir|vendo|ouvindo|lendo)(?: \\w+){0,2} (?:isso|isto|voces|mensag\\w+|nada de voces|nada disso|robo)\\b',
    `\\b(?:dispenso|recuso|evit[ae]m?|repudio|rejeito|me recuso a receber|abro mao d[ea]|detesto|odeio)${fill(3)} (?:${PURE_MESSAGE}|receber)\\b`,
    '\\b(?:quero|queria|desejo|gostaria de|gostaria|solicito|peco|preciso|pretendo|exijo|pedi|requerer|como|tem como|da para|prefiro|posso|requeiro)(?: (?:eu|voces?|por favor|que|posso|faco|fazer|faz|para|logo|ja|se|me|a|poder|muito|favor|gentilmente|onde|clico|e))* (?:sair|saio|parar de (?:receber|ver)|deixar de (?:receber|ser)|paro de receber|me descadastr\\w+|me remov\\w+|me desinscrev\\w+|me livr\\w+ (?:disso|dess\\w+)|ser (?:removid|excluid|descadastrad|retirad|esquecid|deixad|apagad)\\w+)\\b(?!(?: d[ao]| dess[ae])? ?~)(?! (?:d[oa]|dess[ae]|dest[ae]|n[oa])? ?(?:divida|aperto|situacao|vermelho|buraco|sufoco|serasa|spc|casa|emprego|empresa|negativ\\w+|plano|conta|academia|curso|escola|grupo familiar|pagamento|contrato|caro|quanto|por))',
    `\\b(?:quero|aguento|aceito|suporto|preciso)(?: (?:mais|de))* (?:receber |ver |ser )?(?:nada|${PURE_MESSAGE}|isso)(?: \\w+){0,2} nao(?: (?:viu|visse|moco|moca|obrigad[oa]))*$`,
    '\\b(?:parar|paro|deixar|deixo|par[ae]) de receber\\b(?! (?:o|meu|minha|a|meus|auxilio|beneficio|salario|bolsa|seguro|pensao))',
    '\\b(?:quero|preciso d[ae]|so quero|exijo|peco|gostaria de|me (?:da|deem|deixa em|deixem em)) (?:ter |um pouco de |de |minha |meu |a |o )*(?:paz|sossego|silencio|tranquilidade)\\b(?! de espirito)',
    `\\b(?:saco cheio|cansad[oa]|fart[oa]|irritad[oa]|de saco|exaust[oa]|enjoad[oa]|cheio|cheia|cansei)${fill(4)} (?:${PURE_MESSAGE}|receber|receb\\w+|ser cobrad\\w+|me (?:mand|cham|lig|cobr)\\w+|voces? (?:me )?(?:mand|cham|lig|cobr|perturb|ench)\\w+)\\b`,
    '\\b(?:nao (?:tenho|ha|temos|existe)|nao estou|sem|zero) (?:mais |o menor |nenhum |nenhuma )*(?:interess\\w+|vontade)(?: (?:em|de|nenhum|mais|nesse|nisso|por))* (?:receb\\w+|mensag\\w+|contato\\w*|conversar com voces|favor (?:remover|retirar)|ser contatad\\w+|me (?:remov|tir|exclu)\\w+)\\b',
    '\\b(?:por|no|pelo|nesse|neste) (?:meu )?(?:whatsapp|aqui|numero|celular)(?: aqui)? (?:eu )?nao(?: quero| aceito| autorizo| da| por favor| obrigad[oa]| parem| me mand\\w+)*$|^aqui nao quero$|^aqui nao(?: por favor| parem| obrigad[oa])+$',
    '\\b(?:que|para que|espero que|solicito que|peco que|gostaria que)(?: (?:nao haja|nao ocorra\\w*|nao se repita\\w*|nenhum\\w*|cesse\\w*|nao tenha|nao seja\\w*))(?: (?:o|a|os|as|mais|novos?|novas?|outr[oa]s?|qualquer|esse|essas?|feit[oa]s?)){0,3} (?:contato|mensage\\w+|envio\\w*|comunicac\\w+|ligac\\w+)\\b',
    '\\b(?:rogo|solicito|peco|exijo|quero|requeiro) que cess\\w+',
    '\\bnao quero (?:mais )?nem saber (?:de|d[oae]) (?:voces?|mensag\\w+|robo|contato)|\\bquero (?:ficar|viver) (?:sossegad[oa]|em paz|quiet[oa])\\b',
    `\\b(?:prefiro|preferiria|preferia|melhor)(?: \\w+){0,2} (?:nao|sem|que nao)${fill(3)} (?:receber|${SENT}|${SEND}|${PURE_MESSAGE})\\b`,
    '\\bnao quero (?:mais )?(?:fazer parte|estar|esta|continuar|ficar|permanecer|figurar|meu (?:numero|nome|contato|telefone))(?: \\w+){0,3} (?:lista|cadastro|base|grupo|sistema|mailing|agenda)\\b(?! de (?:devedor|inadimpl|negativ))',
    '\\bnao quero (?:mais )?que (?:voces? )?(?:tenham?|usem?|guardem?|fiquem? com) (?:o )?(?:meu|esse|este|nosso)|\\bnao quero (?:ter )?(?:o )?meu (?:numero|telefone|contato|whatsapp|celular)(?: \\w+){0,2} (?:ai|lista|cadastro|sistema|base|com voces|usado|exposto|divulgado|registrad\\w+|salv\\w+)\\b',
  ],
  /** `tira meu número daí`, `me exclui dessa lista`, `solicito a remoção do meu contato`. */
  remove: [
    `\\b${REMOVE}(?: \\w+){0,5} ${LIST}${NOT_BUREAU}\\b(?! de (?:devedor|inadimpl|negativ))`,
    `\\b${REMOVE}(?: \\w+){0,3} (?:meu|meus|minhas|esse|este|nosso|ese|mei|o)(?: \\w+){0,2} ${PHONE}\\b`,
    `\\b${REMOVE} (?:o )?(?:numero|telefone|whatsapp|celular|contato)(?: (?:dai|ai|daqui|por favor|disso|logo|ja))*$`,
    `\\b(?:me|mim|mi|nos|se) (?:tir[ae]m?|tirar|remov[ae]m?|remover|removam|exclua\\w*|exclui\\w*|descadastr\\w*|desinscrev\\w*|retir[ae]m?|retirar|apag[au]\\w*|delet[ae]m?|deletar|risc[ae]m?|risquem|elimin\\w+)(?: (?:daqui|dai|disso|disto|dessa|desse|dessas|desta|deste|de tudo|fora|por favor|logo|ja|agora|ai|ok|ta|viu|obrigado|obrigada|urgente|imediatamente|porra|cara|mano)|$)`,
    `\\b(?:tir[ae]m?|remov[ae]m?|exclu\\w+|risc[ae]m?|apag\\w+) (?:eu|nos|a gente|ela|ele|meu nome|o meu nome)(?: (?:de|da|do|dessa|desse|daqui|dai|disso|ai|logo|por favor|dess[ae]s?))`,
    '\\bme (?:remov\\w+|exclu\\w+|descadastr\\w+|desinscrev\\w+)\\b(?! (?:d[oa]s? )?(?:serasa|spc|negativ|uma|os juros|essa|a))|\\bser (?:removid|excluid|descadastrad|retirad|apagad)[oa]\\b(?! d[oa]s? (?:serasa|spc|negativ))',
    `\\b(?:remocao|exclusao|retirada|descadastr\\w+|baixa|eliminacao|desvinculacao|anonimizacao|apagamento|cancelamento|interrupcao|suspensao|encerramento|cessacao de todo e|cessacao|bloqueio|fim|termino|desligamento)(?: (?:imediat[oa]|definitiv[oa]|total|complet[oa]|d[oae]s?|n[oae]s?|dess[ae]s?|dest[ae]s?|meus?|minhas?|tod[oa]s?|quaisquer|qualquer|futur[oa]s?|nov[oa]s?|o|a|os|as|ess[ae]s?|est[ae]s?|presente|envio|recebimento|tais|suas|seus)){1,5} (?:${PHONE}|${PURE_MESSAGE}|envios?|recebimento|informac\\w+)\\b`,
    '\\b(?:descadastr\\w+|desinscrev\\w+|desiscrev\\w+|descadastra\\w*|unsubscribe|opt ?out|unsub|remove me)\\b',
    `\\b(?:numero|telefone|celular|whatsapp|contato|cadastro|dados|nome)(?: \\w+){0,2} (?:seja|sejam|fosse|fossem|ser|for|esteja) (?:imediatamente |definitivamente )?(?:retirad|removid|excluid|apagad|deletad|descadastrad|eliminad|bloquead|desvinculad|tirad)[oa]s?\\b${NOT_BUREAU}`,
    `\\b(?:mensagens?|contatos?|envios?|notificac\\w+|comunicac\\w+|ligac\\w+|cobrancas por (?:aqui|whatsapp|mensagem))(?: \\w+){0,2} (?:seja|sejam|fosse|fossem) (?:imediatamente |definitivamente )?(?:interrompid|suspens|encerrad|cessad|cancelad|bloquead|finalizad|parad)[oa]s?\\b`,
    '\\b(?:bota|coloca|poe|poem|ponha|ponham|coloquem|deixa|quero|quer[oi]a|mantenham?)(?: \\w+){0,2} (?:numero|telefone|contato|celular|whatsapp) (?:fora|para nao receber|longe|na lista negra|na lista de bloqueio|como nao perturb\\w+)',
    '\\b(?:cancel\\w+|desativ\\w+|desabilit\\w+|encerr\\w+)(?: (?:o|a|as|os|meu|minha|esse|esta|este|essas|todas)){0,2} (?:inscricao|recebimento|envio|envios|notificac\\w+|cadastro|numero|registro|alertas?|lembretes?|contato|comunicac\\w+)\\b(?! d[oa]s? (?:plano|curso|cartao|servico))',
    '\\b(?:bloquei\\w+|bloquear)(?: (?:o|a|ai|ja|logo)){0,2} (?:meu|esse|este|o) (?:numero|contato|telefone|celular|whatsapp)\\b',
    '\\b(?:meu|este|esse) (?:numero|telefone|contato|celular|whatsapp) (?:fora|longe|nao e para|nao pode ser|nao deve ser|nao esta autorizad|nao esta disponivel|nao quero)',
    '\\bpar[ae]m? de (?:usar|utilizar|ter)(?: \\w+){0,2} (?:numero|telefone|celular|contato|whatsapp|dados)\\b|\\b(?:parar|deix[ae]m?|deixar|cess\\w+) de (?:usar|utilizar|ter)(?: \\w+){0,2} (?:numero|telefone|celular|contato|whatsapp|dados)\\b',
    '\\b(?:fora|longe|sai|saia|saiam|sumam?|some|larg\\w+|arred\\w+|desgrud\\w+|xo)(?: (?:d[oae]|daqui|com|esse|ja|logo|voces?|robo|todos|de)){0,3} (?:meu|minha|o meu|nosso) (?:whatsapp|celular|telefone|numero|vida|frente|pe|cola|contato|conversa|chat|tela|inbox|caixa de entrada|direct|vista)\\b',
  ],
};

export const compiled = Object.entries(FAMILIES).flatMap(([family, sources]) =>
  sources.map((source) => ({ family, pattern: new RegExp(source) })),
);

/** The family by which a text asks for silence, null when it does not. */
export const silenceFamily = (text: string): string | null =>
  compiled.find(({ pattern }) => pattern.test(text))?.family ?? null;
