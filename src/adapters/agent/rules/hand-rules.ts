import type { Intent } from '../../../domain/intents.ts';

/** Patterns over normalised text. They are one of the methods compared, and features of the classifier. */
export const HAND_RULES: readonly { readonly intent: Intent; readonly name: string; readonly pattern: RegExp }[] = [
  {
    intent: 'wrong_person',
    name: 'not_me',
    pattern:
      /\bnao (?:sou|e) (?:o|a|ess[ea]|est[ea]|el[ea]|eu|mais o|mais a|comigo|para mim)\b(?! (?:unic|favor|culpad|responsav|devedor|caloteir|tipo|banco|mesm|primeir|cart|valor|cas|don[oa] (?:dess|dest|da d)|que|prob|minh|meu|cert))/,
  },
  {
    intent: 'wrong_person',
    name: 'not_number',
    pattern:
      /\b(?:numero|telefone|celular|whatsapp|chip|linha|contato)(?: (?:aqui|agora|ai|ja|esse|este|novo))* nao (?:e|pertence|era|esta)(?: mais)?\b(?! (?:para|pra|lugar|autoriz|disponiv|disso|permit))/,
  },
  {
    intent: 'wrong_person',
    name: 'wrong_number',
    pattern:
      /\b(?:numero|pessoa|telefone|contato|celular|cara|whatsapp)(?: \w+){0,1} errad[oa]\b|\b(?:engano|enganad[oa]|enganaram|enganou)\b|\berr(?:ou|aram|ei) (?:o|de|a) (?:numero|pessoa|telefone)/,
  },
  {
    intent: 'wrong_person',
    name: 'unknown_person',
    pattern:
      /\bnao (?:conheco|sei quem)(?: \w+){0,2} (?:ess[ea] (?:pessoa|cara|fulan\w+|nome|mulher|homem|moc\w+|senhor\w*)|ninguem|nenhum|fulan\w+|e ess[ea]|quem)/,
  },
  {
    intent: 'wrong_person',
    name: 'not_here',
    pattern:
      /\b(?:nao (?:tem|existe|ha|mora|trabalha)|nao mora mais)(?: \w+){0,3} (?:aqui|com esse nome|nenhum\w*|ninguem)\b|\baqui nao (?:tem|e|mora|existe)\b/,
  },
  {
    intent: 'wrong_person',
    name: 'new_chip',
    pattern:
      /\b(?:comprei|peguei|troquei|ganhei|adquiri|estou com)(?: \w+){0,3} (?:chip|numero|linha)\b|\bnumero (?:agora )?e meu\b|\b(?:antig[oa]|outr[oa]) don[oa]\b|\bex don[oa]\b/,
  },
  {
    intent: 'wrong_person',
    name: 'death',
    pattern:
      /\b(?:falec\w+|morreu|obito|morta|morto|partiu dessa|descansou|enterr\w+|in memoriam|foi a obito)\b(?! de rir)/,
  },
  {
    intent: 'wrong_person',
    name: 'relative',
    pattern:
      /\b(?:sou|aqui e|quem fala e|e) (?:o |a )?(?:irma|irmao|filh[oa]|espos[oa]|marido|mulher|mae|pai|net[oa]|vizinh[oa]|prim[oa]|sobrinh[oa]|sogr[oa]|cunhad[oa]|ex|namorad[oa]|tia|tio|patra[oa]) d|\b(?:fui|era|sou) casad[oa] com (?:el[ea]|ess)|\b(?:nem|nao) sei (?:por )?onde (?:el[ea] )?(?:anda|mora|esta)\b/,
  },
  {
    intent: 'wrong_person',
    name: 'moved_on',
    pattern: /\b(?:el[ea]|ess[ea] pessoa|fulan\w+) nao (?:usa|tem|mora|esta|e|trabalha)\b/,
  },
  {
    intent: 'dispute',
    name: 'not_recognised',
    pattern:
      /\bnao (?:reconhec\w+|reconec\w+|reconhes\w+|devo|concordo|aceito (?:ess[ea]|est[ea]|a|o) (?:cobranca|divida|valor)|procede|tenho (?:divida|debito|nada|conta|nenhum)|tem divida|existe ess[ae])\b/,
  },
  {
    intent: 'dispute',
    name: 'never_bought',
    pattern:
      /\b(?:nunca|jamais)(?: \w+){0,2} (?:comprei|fiz|contratei|assinei|tive|usei|peguei|devi|pedi|recebi|solicitei|autorizei|abri)\b|\bnao (?:fiz|contratei|comprei|assinei|autorizei|pedi|solicitei|usei|abri)\b/,
  },
  {
    intent: 'dispute',
    name: 'undue',
    pattern: /\b(?:indevid\w+|abusiv\w+|injust\w+|ilegal|errad[oa]|incorret\w+|prescr\w+|caduc\w+|contest\w+)\b/,
  },
  {
    intent: 'dispute',
    name: 'law',
    pattern:
      /\b(?:process\w+|procon|advogad\w+|justica|juizado|reclame aqui|danos? mora\w+|judicial\w*|boletim de ocorrencia|delegacia|policia|denunci\w+|consumidor gov)\b/,
  },
  {
    intent: 'dispute',
    name: 'not_mine',
    pattern:
      /\b(?:divida|cobranca|conta|compra|isso|fatura|debito)(?: \w+){0,2} nao (?:e|foi|era) (?:minha|meu|mim|comigo|feita|por mim|de minha)/,
  },
  {
    intent: 'dispute',
    name: 'misuse',
    pattern:
      /\b(?:clon\w+|fraud\w+|usaram meu\w*|falsific\w+|roubaram meu\w*|cancelei|devolvi|nao (?:recebi|entregaram|chegou) (?:o|a|nenhum) (?:produto|mercadoria|servico|pedido|encomenda))\b/,
  },
  {
    intent: 'hardship',
    name: 'no_job',
    pattern:
      /\b(?:desempreg\w+|perdi (?:o |meu |minha )?(?:emprego|trabalho|servico|renda)|demitid\w+|demitiram|mandad[oa] embora|sem (?:emprego|trabalho|servico|renda|salario)|fui demitid\w+|fechei (?:a|o|minha|meu)|fali\w*|falencia|estou parad[oa])\b/,
  },
  {
    intent: 'hardship',
    name: 'no_money',
    pattern:
      /\b(?:sem (?:um )?(?:dinheiro|condicoes|condicao|nada|um centavo|um real)|nao tenho (?:como|dinheiro|condic\w+|de onde|nem|um centavo|nada para)|nao (?:consigo|posso|da para|tem como|vou conseguir)(?: \w+){0,2} pagar|impossivel pagar|dur[oa] (?:demais|aqui|mesmo)|lis[oa]|quebrad[oa]|zerad[oa])\b/,
  },
  {
    intent: 'hardship',
    name: 'illness',
    pattern:
      /\b(?:doen\w+|hospital|internad\w+|internacao|cirurgia|cancer|acident\w+|afastad[oa]|inss|auxilio|remedios?|tratamento|depress\w+|quimio\w*|operad[oa]|uti|bolsa familia|bpc|loas)\b/,
  },
  {
    intent: 'hardship',
    name: 'need',
    pattern:
      /\b(?:dificuldade\w*|necessidade|fome|apert\w+|situacao (?:\w+ )?(?:dificil|complicad\w+|ruim|feia|critica)|endividad\w+|superendivid\w+|passando mal|sufoco|crise|comida|despej\w+|enchente|aluguel atrasad\w+)\b/,
  },
  {
    intent: 'human',
    name: 'person',
    pattern:
      /\b(?:atendente\w*|atendimento|human[oa]|gerente|supervisor\w*|ouvidoria|sac|telefonista|responsavel|operador\w*)\b/,
  },
  {
    intent: 'human',
    name: 'talk_to',
    pattern:
      /\b(?:fal(?:ar|o)|conversar|passa|transfere|chama|contato)(?: \w+){0,2} (?:com|para|de) (?:o |a |um |uma )?(?:alguem|gente|pessoa|pessoas|responsavel|setor|voces por telefone)\b|\bpessoa de verdade\b|\b(?:me liga|liga para mim|me ligue|podem me ligar|pode me ligar)\b/,
  },
  {
    intent: 'already_paid',
    name: 'paid',
    pattern:
      /(?<!\bnao |\bainda nao |\bnunca |\bse eu ja |\bse )\b(?:ja (?:\w+ ){0,2}(?:pag(?:uei|o|a|amos|ou)|quitei|quitad[oa]|acertei|acertad[oa]|depositei|transferi|foi pag[oa])|paguei|quitei|pagamos)\b/,
  },
  {
    intent: 'already_paid',
    name: 'made_pix',
    pattern:
      /\b(?:fiz|mandei|enviei|efetuei|realizei|acabei de (?:fazer|pagar|mandar|enviar))(?: \w+){0,2}(?: (?:pix|pagamento|transferencia|deposito))|\b(?:pix|pagamento|deposito) (?:ja )?(?:\w+ )?(?:feito|efetuado|realizado|enviado)\b|\bacabei de pagar\b/,
  },
  {
    intent: 'already_paid',
    name: 'is_paid',
    pattern:
      /\b(?:esta|foi|tudo|conta|divida|boleto|fatura|consta como|ja) (?:pag[oa]|quitad[oa])\b|\b(?:segue|mando|mandei|tenho|olha|anexo|eis)(?: \w+){0,2} comprovante\b/,
  },
  {
    intent: 'negotiate',
    name: 'discount',
    pattern:
      /\b(?:descont\w+|abat\w+|negoci\w+|renegoci\w+|acordo|proposta|propostas|parcel\w+|dividir|dividid[oa]|entrada|perdoa\w*|tira\w* (?:os |o )?(?:juros|multa)|isent\w+|promocao|contraproposta|condicoes? (?:especia\w+|de pagamento|melhor\w*))\b/,
  },
  {
    intent: 'negotiate',
    name: 'times',
    pattern:
      /\b(?:\d{1,2}|duas|tres|quatro|cinco|seis|dez|doze) ?(?:x|vezes|parcelas)\b|\bem (?:\d+|duas|tres|quatro|varias|algumas) vezes\b|\b\d+x\b/,
  },
  {
    intent: 'negotiate',
    name: 'cheaper',
    pattern:
      /\b(?:faz(?:em)? por|fecha por|aceita\w*(?: \w+){0,2} (?:\d|metade|menos)|baix\w+|reduz\w+|diminu\w+|facilit\w+|melhora\w*|menos|mais barato|metade|so tenho \d|por menos|quanto (?:fica|sai) a vista|a vista)\b/,
  },
  {
    intent: 'wants_to_pay',
    name: 'want',
    pattern:
      /\b(?:quero|queria|gostaria de|posso|preciso|vamos|bora|vou|quero ja|como (?:faco|eu faco|que eu faco|que faco|que faz|fazer|eu) (?:para|pra)?|onde)(?: (?:eu|ja|agora|para|logo))* (?:pag\w+|quit\w+|acert\w+|regulariz\w+|resolver)\b/,
  },
  {
    intent: 'wants_to_pay',
    name: 'send_code',
    pattern:
      /\b(?:mand[ae]|manda ai|envi[ae]|pass[ae]|gera|gere|me da|cade|quero|qual|preciso|pode (?:mandar|enviar|passar|gerar)|solta|joga|me ve)(?: \w+){0,3} (?:pix|boleto|codigo|chave|link|qr|qrcode|copia|conta|fatura|segunda via|dados)\b/,
  },
  {
    intent: 'wants_to_pay',
    name: 'pix_alone',
    pattern:
      /^(?:(?:o|a|me|opa|oi) )*(?:pix|chave pix|boleto|link|codigo|qr code|copia e cola|segunda via|2 via|pagar)(?: (?:por favor|agora|ai|emoji\w+|do pix|do boleto|\?))*$/,
  },
  {
    intent: 'promise',
    name: 'will_pay',
    pattern:
      /\b(?:pago|pagarei|acerto|quito|deposito|transfiro|resolvo|vou (?:\w+ )?(?:pagar|acertar|quitar|fazer o pix|depositar|resolver)|mando o (?:pix|dinheiro)|faco o pix|irei pagar|consigo pagar|vou conseguir pagar|dou um jeito|prometo|comprometo|estarei pagando|fazer o pagamento)\b/,
  },
  {
    intent: 'promise',
    name: 'when',
    pattern:
      /\b(?:quando (?:eu )?(?:receb\w+|cair|puder|sair|entrar|tiver|der)|assim que|so (?:recebo|dia|sexta|segunda|mes|semana|no|na|depois)|no (?:meu )?(?:pagamento|salario|adiantamento|vale)|mais para frente|me da (?:uns|um|mais)|ate (?:dia|sexta|segunda|sabado|amanha|terca|quarta|quinta))\b/,
  },
  {
    intent: 'question',
    name: 'wh',
    pattern:
      /\b(?:quanto|qual|quais|quem (?:e|sao|fala|esta)|o que e|de que|de onde|do que|que (?:divida|conta|empresa|cobranca|valor)|como (?:sei|conseguiram|tem|conferir|vou saber|posso (?:saber|confirmar))|por que|porque|onde|quando (?:venc|foi)|e (?:golpe|seguro|verdade|confiavel|real|fraude|serio))\b/,
  },
  { intent: 'question', name: 'scam', pattern: /\bgolp\w+|\bfraude\b|\bconfiavel\b/ },
  {
    intent: 'question',
    name: 'about',
    pattern:
      /\b(?:referente|respeito|serasa|spc|nome sujo|limpa\w* (?:o |meu )?nome|negativad\w*|comprovante|recibo|quitacao|cnpj|vencimento|juros|lgpd|meus dados|meu numero|razao social)\b/,
  },
  { intent: 'question', name: 'mark', pattern: /\?/ },
  {
    intent: 'other',
    name: 'small_talk',
    pattern:
      /^(?:(?:ok|okay|okey|beleza|certo|ta|esta|bom|boa|dia|tarde|noite|oi|ola|opa|sim|nao|entendi|obrigad[oa]|valeu|falou|tudo|bem|hum+|hm+|ah|e|ai|emoji\w+|k+|rs+|haha\w*|show|joia|tranquilo|combinado|amem|deus|abencoe|legal|isso|voce|tchau|ate|mais|certinho|perfeito|entao|vou|ver|ciente|\?)(?: |$))+$/,
  },
];

/** Who would be hurt most by being misread comes first. */
export const PRIORITY: readonly Intent[] = [
  'opt_out',
  'wrong_person',
  'dispute',
  'hardship',
  'human',
  'already_paid',
  'promise',
  'negotiate',
  'wants_to_pay',
  'question',
  'other',
];

export const ruleHits = (normal: string): { readonly intent: Intent; readonly name: string }[] =>
  HAND_RULES.filter((rule) => rule.pattern.test(normal)).map(({ intent, name }) => ({ intent, name }));

export const intentByHandRules = (normal: string): Intent => {
  const hits = new Set(ruleHits(normal).map((hit) => hit.intent));
  return PRIORITY.find((intent) => hits.has(intent)) ?? 'other';
};
