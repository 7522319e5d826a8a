import { OTHER_THING, REMOVE } from './opt-out-slots.ts';

/**
 * What looks like a request for silence and is none. Each is cut out of the message before the grammar reads it, so that what
 * stands beside it is still heard: `tira meu nome do serasa e para de me mandar mensagem`.
 */
export const NEAR_MISSES: readonly RegExp[] = [
  // Another thing is to stop, or nothing is to stop.
  new RegExp(
    `\\b(?:par\\w+|cheg[au]\\w*|basta|deix\\w+|evit\\w+|cess\\w+) de (?:me |ficar )?(?:cobr\\w+|mand\\w+|envi\\w+|coloc\\w+|por|bot\\w+|ger\\w+|aument\\w+|aplic\\w+|somar|adicion\\w+|inclu\\w+)(?: \\w+){0,3} (?:${OTHER_THING})\\b`,
    'g',
  ),
  /\b(?:chega|basta|para|parem|pare) de (?:me )?(?:enrol\w+|mentir\w*|robo|conversa fiada|maquina|juros\w*|desculpa\w*|graca|frescura|palhacada|sofr\w+|dever|divida\w*)\b(?! (?:de )?mensa)/g,
  /\bbasta (?:me )?(?:mand\w+|envi\w+|pass\w+|clic\w+|ger\w+|pag\w+)/g,
  /\b(?:nao|nunca) (?:quero |precisa\w* |e para |vao )?(?:parar|parem|pare) de\b/g,
  /\b(?:parei|paramos|parou|parar|paro|parando|parado|parada) (?:de|com) (?:\w+ )?(?:trabalh\w+|pag\w+|estud\w+|fum\w+|beb\w+|funcion\w+|usar|ir|entrar|dever|fazer|vender|curso|faculdade|academia|tratamento)\b/g,
  /\b(?:vivo|vivendo|fico|ficando|estou|sou)(?: \w+){0,1} (?:parad[oa]|cobrad[oa])\b/g,
  // Conditions: what happens once it is paid.
  /\b(?:se|quando|depois que|assim que|caso|ai|pagando) (?:eu |a gente |nos )?(?:pag\w+|quit\w+|acert\w+|fizer|parcel\w+|fech\w+)\b(?: (?!mas\b|entao\b|agora\b)\w+){0,6} (?:par\w+|deix\w+|tir\w+|remov\w+|sai|exclu\w+|cess\w+|apag\w+)(?: (?!mas\b)\w+){0,6}/g,
  /\b(?:par[ae]m?|parar|deix\w+|vao parar|cess\w+)(?: \w+){0,5} (?:se|quando|depois que|assim que|caso) (?:eu |a gente )?(?:pag\w+|quit\w+|acert\w+|fizer|parcel\w+)\b/g,
  // Another channel or hour is asked for, or a person instead of a machine.
  /\b(?:nao (?:me )?|para de (?:me )?|parem de (?:me )?)li\w+(?: (?!nem\b|mais\b)\w+){0,6} (?:manda|mandem|mande|so|apenas|prefiro|por|pelo|via|me chama|chama|melhor)(?: \w+){0,2} (?:mensagem|mensagens|whatsapp|texto|escrito|aqui)\b/g,
  /\bmensagem nao me lig\w+|\bnao me li(?:ga|gue|guem) (?:agora|hoje|o|para o nome|para o fato)\b/g,
  /\bnao (?:me )?(?:mand|cham|lig|envi|perturb|incomod)\w+(?: (?!mais\b|nunca\b)\w+){0,3} (?:de madrugada|a noite|de noite|fim de semana|domingo|sabado|feriado|ness[ea] hora\w*|nest[ea] hora\w*|ess[ea] hora\w*|tao cedo|tao tarde|antes d[aeo]s? \d+|depois d[aeo]s? \d+|hoje)\b/g,
  /\bnao quero (?:mais )?(?:fal\w+ com |convers\w+ com |atendimento de |atendimento |resposta de |mensagem )?(?:um |uma |esse |essa )?(?:robo|maquina|automatic\w+|gravacao|inteligencia artificial|ia|bot|resposta pronta)\b(?! me)/g,
  // `Chamar de` names, `cobrar nada` tells, `cansei de esperar` waits.
  /\bnao (?:me )?cham\w+ (?:de|assim|por)\b|\bsalv\w+ (?:o )?meu numero\b|\batualiz\w+(?: \w+){0,1} cadastro\b|\bnao (?:me )?cobr[aeou]+ nada\b/g,
  /\bcansei de (?:esper\w+|lig\w+|tent\w+|mand\w+|procur\w+|fal\w+|recl\w+|robo|maquina|explic\w+)\b/g,
  // Things that are not to be sent, whatever else is.
  new RegExp(`\\bnao (?:precisa\\w* )?(?:me )?(?:mand|envi|cheg|cobr)\\w+(?: \\w+){0,3} (?:${OTHER_THING})\\b`, 'g'),
  /\bnao (?:me )?cobr[ae]m? (?:a mais|o que|duas vezes|errado|de novo o)/g,
  /\bnao (?:consigo|estou (?!interess|afim|a fim|disp)\w+|consegui|recebi|vi|tinha|sabia|posso)(?: \w+){0,2} (?:receb\w+|ver|abrir|baixar)\b(?! (?:essas?|mais|esse))/g,
  /\bnao (?:recebi|chegou|chegaram|vi|veio|tive|mandaram|teve|foi)(?: \w+){0,1} (?:nenhum\w*|qualquer)(?: \w+){0,1}/g,
  /\b(?:cheg|receb)\w+ (?:so )?cobranc\w+ dos outros\b|\bmensag\w+ (?:foi )?apagad\w+/g,
  /\bpar\w+ de (?:me )?cobr\w+ (?:por )?(?:o que|algo|coisa|uma coisa|uma divida|divida que|conta que|duas vezes|em dobro)\b/g,
  /\b(?:chega|par[ae]m?|deslig\w+|tir[ae]m?)(?: (?:de|com|o|esse|essa|mensagem|resposta|mensagens))* (?:robo|automatic\w+|maquina)\b(?=.*\b(?:alguem|pessoa|atendente|human\w+|gente)\b)/g,
  /\bmandei cancelar (?:o|a|esse|essa|tudo|meu|minha)\b|^parou\b|\bnao paro de\b|\bsossego ness\w+/g,
  /\bnao (?:recebi|chegou|recebemos|recebo)(?: \w+){0,2} mais\b(?: \w+)?/g,
  /\b(?:chega|para|pare|deixa) de (?:papo furado|textao|lero lero|conversa)\b|\bvou ser bloque\w+/g,
  /\bquero (?:ter |ficar em )?paz\b(?= com meu nome|.*\b(?:boleto|pago|pagar|pix|quitar)\b)/g,
  /\b(?:pod\w+|da para) parar (?:a|as|de|com a) (?:cobranca|cobrar|procurar)\w*\b(?=.*\b(?:pag\w+|quit\w+))/g,
  /\b(?:pag|quit)\w+(?: \w+){0,5} pod\w+ parar (?:a|as|de|com a) (?:cobranca\w*|cobrar|procurar)\b/g,
  /\bparar? (?:de )?(?:corr\w+|rend\w+|cresc\w+|aument\w+|subir|gerar)\b/g,
  /\b(?:nunca|ninguem|nem) (?:me )?(?:mand|envi|avis|lig|cham|cobr)(?:aram|ou)(?: \w+){0,2}/g,
  /\bnao (?:consigo|estou conseguindo|consegui|deu para) (?:mand|envi|lig|contat|fal|entrar em contato)\w*/g,
  /\bnao (?:me )?(?:deix\w+|esquec\w+|abandon\w+)/g,
  // What is to be removed, blocked or left is something of the debt, of the bank, of the telephone.
  new RegExp(`\\b${REMOVE}(?: \\w+){0,6} (?:${OTHER_THING}|nome sujo|score|cobranca (?:do|indev\\w*)|divida)\\b`, 'g'),
  /\b(?:lista|cadastro|relacao) (?:de|dos) (?:devedor|inadimpl|negativ)\w*/g,
  /\bmandei cancelar\b(?= (?:no|na|em|dia|ha|faz|o|a|e)\b)|\bproib\w+ (?:essa|a|esta|de) cobranc\w+|\bquero nada nao\b/g,
  /\b(?:tir[ae]|tirar|tirei) (?:um |uma |a |o |essa |minha )?(?:foto|print|duvida|copia|extrato|ferias|dinheiro|leite)\w*/g,
  /\b(?:apag|exclu|delet|remov|bloque)(?:uei|ei|i|ou|iu|eu|amos|ada|ado)(?: \w+){0,3} (?:sem querer|a mensagem|o boleto|a conversa|o link|o codigo|o aplicativo|o app|por engano)\b/g,
  /\b(?:cartao|conta|pix|chip|senha|aplicativo|app|nome|cpf|limite|banco|beneficio|salario|internet|luz|linha|whatsapp|celular|telefone)(?: (?:esta|foi|ta|ja|meu|minha|ficou|vai ser|tambem|do|da|de|banco|que|era|estava))* bloque\w+/g,
  /\b(?:cartao|cartoes|contas?|pix|cpf|bens|beneficio|salario|banco|saldo|limite|acesso|senha)(?: \w+){0,3} bloque\w+/g,
  /\bbloque\w+(?: \w+){0,2} (?:cartao|contas|cartoes|acesso|bens|saldo|conta|pix|chip|senha|cpf|beneficio|salario|nome|internet|luz|sinal|aplicativo|app|judicial\w*|justica|banco)\b/g,
  /\b(?:som[ae]|sumiu|sumi|somando|chega|chegou|chegar)(?: \w+){0,2} (?:tudo|valor\w*|total|boleto\w*|salario|pagamento|dinheiro|produto|fatura\w*|correio|final|fim|ate|dia|amanha|semana)\b(?! (?:de )?mensa)/g,
  /\bsai(?:r|u|a)?(?: \w+){0,3} (?:(?:lista|relacao) (?:de|dos) (?:devedor|inadimpl|negativ)\w*|pagamento|salario|dinheiro|boleto|codigo|emprego|servico|caro|barato|quanto|por (?:quanto|menos|\d+)|dia \d+|divida\w*|vermelho|sufoco|buraco|aperto|serasa|spc|situacao|negativ\w+|casa|restric\w+|cadastro de)\b/g,
  /\bdeix(?:a|e|em) (?:eu |me )?(?:ver|pensar|pagar|explicar|falar|perguntar|confirmar|conferir|olhar|comigo|anotado|saber|resolver|quitar|receber|parcelar)\b/g,
  /\bme (?:esqueci|esqueco|esquecendo|esqueceu|larguei|deixou|deixaram|largou)\b|\besque(?:ca|cam|ce) (?:os? |as? |ess[ea]s? )?(?:juros|multa|divida|valor|taxa)/g,
  // Silence as a courtesy to whoever is about to pay, and payment as the way to it.
  /\bnao precisa\w*(?: (?:mais|ficar|me|voces?|estar))* (?:mand|envi|cobr|cham|lig|lembr|avis|insist)\w+(?: \w+){0,4}\b(?=.*\b(?:pag[oau]\w*|pix|boleto|quit[oa]\w*|deposit\w+|transfir\w+)\b|(?<=\b(?:pago|pagar|pagando|quito|deposito|transfiro)\b.*))/g,
  /(?<!\b(?:peco|pedi|pedindo|falei|disse|avisei|favor|solicit\w+|quero|queria|gostaria|implor\w+|exijo|e) )\bpara (?:que )?(?:voces?|ces)(?: (?:me|logo|ja))* par(?:ar|arem|em) de(?: \w+){1,2}\b(?=.*\b(?:chave|pix|boleto|pag[oau]\w*|quit\w+|transfir\w+|acert\w+)\b)/g,
  /\b(?:nao|nem) adianta(?: (?:me|ficar|mais|voces?))* \w+(?: \w+){0,2} antes\b/g,
  /^(?:e |so )*para (?:que )?(?:voces?|ces)(?: (?:me|logo|ja))* par(?:ar|arem|em) de (?:me )?cobr\w+/g,
  /\b(?:par[ae]m?|pare|parar|chega) (?:com|de) (?:ess[ae]s?|est[ae]s?|tant[ao]s?) (?:mentira\w*|juros|multa\w*|historia\w*|enrolac\w+|palhacada|valor\w*|taxa\w*)\b/g,
  /\b(?:vamos|bora|queria|quero|para|da para) (?:parar com isso|sair dess[ae]|me livrar disso|me livrar dess[ae])\b(?=.*\b(?:pag\w+|pix|codigo|chave|quit\w+|acordo|parcel\w+|divid\w+|desempreg\w+|dinheiro|divida)\b)/g,
  /\bnao (?:me |precisa\w* (?:me )?)li(?:ga|gar|gue|guem)\b(?=(?: \w+){0,4} (?:so|quero|prefiro|pode|manda|me passa|falando|me chama|chama|aqui no chat)\b)/g,
  /\b(?:essa|esta|a) (?:proposta|opcao|parcela|forma|data|condicao) nao\b|\b(?:foi|fui|esta|ficou|sendo|tive|continua) bloquead[oa]\b/g,
  /\bme (?:liguem|liga|ligue|chamem)\b nao gosto de \w+(?: \w+){0,3} (?:por|pelo) (?:mensagem|whatsapp|texto|escrito)\b/g,
  // Something else is to come instead of what is to end.
  /\b(?:par[ae]m?|pare|chega|deixa|deixem) (?:de|com) (?:me )?(?:(?:ficar )?(?:mand|envi|enrol)\w+ )?(?:(?:essa|essas|tanta|so|a|as) )?(?:mensage\w+|texto\w*|conversa|lembrete\w*)(?: pronta\w*| automatica\w*| copiada\w*)? (?:e|mas) (?:ja |me |logo |so )*(?:mand|envi|pass|gera|ger|transfer|faz|fac|resolv|cham)\w+(?: \w+){0,4} (?:pix|boleto|chave|codigo|link|humano|pessoa|atendente|alguem|proposta|desconto|conta|valor)\b/g,
];
