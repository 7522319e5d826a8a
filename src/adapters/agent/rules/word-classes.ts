/**
 * What a word is about, whatever its form: what the classifier learned of `patrão` holds for `chefe`. The first class that
 * fits is the word's.
 */
const CLASSES: readonly (readonly [string, RegExp])[] = [
  ['not', /^(?:nao|nunca|jamais|nem|sem|nenhum\w*|ninguem|nada|tampouco)$/],
  ['if', /^(?:se|caso|quando|assim|depois|apos|ate)$/],
  ['ask', /^(?:quem|qual|quais|quanto|quantos|quantas|onde|como|porque|cade|\?)$/],
  ['i', /^(?:eu|me|mim|meu|meus|minha|minhas|comigo|nos|nosso|nossa|gente)$/],
  ['you', /^(?:voces?|te|seu|sua|seus|suas|contigo|senhor|senhora|senhores)$/],
  [
    'they',
    /^(?:ele|ela|eles|elas|dele|dela|deles|delas|fulan\w+|sujeito|cidada\w+|criatura|moco|moca|cara|rapaz|homem|mulher|pessoa|pessoas|titular|destinatari\w+|dono|dona)$/,
  ],
  [
    'kin',
    /^(?:mae|pai|filh\w+|irma\w*|espos\w+|marid\w+|vo|avo\w*|vovo|net[oa]s?|tia|tio|prim[oa]s?|sobrinh\w+|sogr[oa]|cunhad\w+|namorad\w+|ex|padrast\w*|madrast\w*|viuv[oa]|vizinh\w+|bebe|menin[oa]|crianca\w*|familia|genro|nora|bisavo\w*|enteado)$/,
  ],
  [
    'boss',
    /^(?:patra\w*|chefe|firma|fabrica|colega|funcionari\w+|secretari\w+|estagiari\w+|recepca\w*|consultorio|padaria|oficina|salao|comercio|escritorio|inquilin\w+)$/,
  ],
  [
    'dead',
    /^(?:falec\w+|morr\w+|mort[oa]|obito|finad[oa]|defunto|enterr\w+|sepult\w+|velorio|luto|partiu|descansou|memoriam|certidao)$/,
  ],
  ['phone', /^(?:numeros?|telefones?|celular\w*|whatsapp|chip|linha|contatos?|aparelho|operadora|cadastro|digito)$/],
  ['name', /^(?:nomes?|chamo|sobrenome|cpf|rg|identidade)$/],
  [
    'wrong',
    /^(?:errad\w*|erro|erros|errou|erraram|engan\w+|equivoc\w+|confund\w+|troc\w+|incorret\w*|desatualiz\w+|desconhec\w+)$/,
  ],
  ['know', /^(?:conhec\w+|sei|sabe|ouvi|vi)$/],
  ['admit', /^(?:reconhec\w+|concord\w+|aceit\w+|admit\w+|confess\w+|procede|pertence|confere|bate)$/],
  [
    'buy',
    /^(?:compr\w+|contrat\w+|assin\w+|solicit\w+|autoriz\w+|adquir\w+|parcelei|financi\w+|emprestimo\w*|consignado|plano|seguro|pacote|fidelidade|produto|mercadoria|encomenda|pedido|servico\w*|matricul\w*)$/,
  ],
  ['undo', /^(?:cancel\w+|devolv\w+|desist\w+|tranc\w+|rescind\w+|encerr\w+|arrepend\w+)$/],
  [
    'debt',
    /^(?:divid\w+|debit\w+|cobranc\w+|pendenc\w+|devo|devia|devendo|devedor\w*|boleto|fatura\w*|mensalidad\w+|conta|contas|titulo|lancamento|fiador|avalista)$/,
  ],
  [
    'unfair',
    /^(?:indevid\w+|abusiv\w+|injust\w+|ilegal\w*|ilegitim\w+|absurd\w+|mentir\w+|roub\w+|ladr\w+|fraud\w+|golpist\w+|estelionat\w+|falsific\w+|clon\w+|hacke\w+|invad\w+|usaram|terceiros|prescr\w+|caduc\w+|duplic\w+|dobro|invent\w+|contest\w+|impugn\w+|inexistente|improcedente)$/,
  ],
  [
    'law',
    /^(?:process\w+|procon|advogad\w+|justica|juiz|juizado|judicial|acao|liminar|indeniz\w+|moral|morais|reclame|anatel|forum|boletim|bo|delegacia|policia|denunci\w+|direitos?|lei|lgpd|crime|queixa)$/,
  ],
  ['proof', /^(?:prov[ae]\w*|comprov\w+|contrato|assinatura|documento\w*|protocolo|nota|fiscal|evidencia)$/],
  ['jobless', /^(?:desempreg\w+|demit\w+|demiss\w+|parad[oa]s?|afastad\w+|encostad\w+|rescis\w+|desocupad\w+)$/],
  [
    'job',
    /^(?:emprego|trabalh\w+|trampo|salario\w*|renda|bico\w*|faxina\w*|diarista|ganh\w+|venda\w*|cliente\w*|autonom\w+|mei|loja|lojinha|negocio|comerciante|motorista|pedreiro|estagio|curriculo|vaga|roca|safra)$/,
  ],
  [
    'money',
    /^(?:dinheiro|grana|centavo\w*|tosta\w*|real|reais|recurso\w*|condic\w+|bolso|limite|saldo|economias|puto|pila)$/,
  ],
  [
    'broke',
    /^(?:fali\w*|falencia|quebr\w+|lis[oa]|dur[oa]|zerad\w+|lascad\w+|ferrad\w+|fudid\w+|pelad\w+|pindaiba|pindura|lona|miseria|sufoco|perrengue|apert\w+|aperto|dureza|endivid\w+|superendivid\w+|crise|dificuldade\w*|dificil|necessidade\w*|precari\w+|vulnerab\w+|desesperad\w+|desampar\w+|atolad\w+|afogad\w+|puxado|osso|impossivel|impossibilit\w+|complicad\w+|negativ[oa])$/,
  ],
  [
    'ill',
    /^(?:doen\w+|adoec\w+|hospital|intern\w+|cirurgia|oper(?:ei|ou|ad\w+)|cancer|quimio\w*|acident\w+|remedio\w*|tratamento|depress\w+|ansiedade|uti|hemodialise|avc|derrame|infarto|lupus|diabet\w+|gravid\w+|acamad\w+|cama|atestado|pericia|inss|auxilio|beneficio|bpc|bolsa|muleta|coluna|saude|autista|prematur\w+|aposentad\w+)$/,
  ],
  [
    'need',
    /^(?:fome|comida|comer|cesta|doacao|doacoes|despej\w+|aluguel|luz|agua|gas|enchente|alag\w+|incendio|fogo|seca|temporal|abrigo|igreja|favor|esmola|feijao|arroz|gasto|gastei|gastou|assalt\w+|calote|pensao|divorci\w+|separ(?:ei|ad\w+))$/,
  ],
  [
    'lost',
    /^(?:perd[ie]\w*|acabou|sumiu|fech(?:ei|ou|aram)|cort(?:ou|aram|ad\w+)|suspens\w+|bloquearam|levou|levaram|atrasad\w+)$/,
  ],
  ['can', /^(?:consigo|posso|poder|pode|podem|podia|tenho|tem|tinha|da|dou|conseguir|possuo|disponho|sobra)$/],
  [
    'done',
    /^(?:pag(?:uei|ou|aram|amos|as|os)|quit(?:ei|ou|ad\w+)|acertei|acertamos|depositei|transferi|liquid\w+|compens\w+|baixa|debitou|debitad\w+|descont(?:ou|aram|ad\w+)|efetu(?:ei|ad\w+)|realiz(?:ei|ad\w+)|comprovante|recibo|feito|fiz)$/,
  ],
  ['pay', /^(?:pag\w+|quit\w+|acert\w+|regulariz\w+|resolv\w+|deposit\w+|transf\w+|pix|chave|qr|codigo|link)$/],
  [
    'deal',
    /^(?:descont\w+|parcel\w+|negoci\w+|renegoci\w+|acordo\w*|propost\w+|entrada|vezes|dividir|juros|multa|abat\w+|reduz\w+|diminu\w+|baix\w+|facilit\w+|vista|metade|\d+x)$/,
  ],
  [
    'when',
    /^(?:hoje|amanha|segunda|terca|quarta|quinta|sexta|sabado|domingo|dia|semana|mes|meses|ano|anos|ontem|passad[oa]|retrasad\w+|proxim\w+|cedo|tarde|noite|manha|prazo|agora|ja)$/,
  ],
  [
    'human',
    /^(?:atend\w+|human\w+|gerente|supervisor\w*|responsavel|robo|maquina|ouvidoria|sac|telefonema|ligacao|ligue\w*|liga|ligar|ligarem|representante|diretor\w*|coordena\w+|funcionario)$/,
  ],
  ['stop', /^(?:par[ae]m?|parar\w*|cess\w+|chega|basta|suspend\w+|interromp\w+|evit\w+|abst\w+|deix[ae]m?|deixar)$/],
  [
    'write',
    /^(?:mand[ae]\w*|mandar\w*|envi[ae]\w*|enviar\w*|cham[ae]m?|chamar\w*|escrev\w+|contat\w+|procur[ae]\w*|receb(?:er|endo)|mensage\w+|notific\w+|aviso\w*|lembrete\w*|sms|spam)$/,
  ],
  [
    'bother',
    /^(?:perturb\w+|incomod\w+|encher|ench[ae]\w*|atorment\w+|importun\w+|chate\w+|insist\w+|azucrin\w+|saco|paz|sossego|quiet[oa]|irrit\w+|persegu\w+)$/,
  ],
  [
    'remove',
    /^(?:tir[ae]\w*|tirar\w*|remov\w+|exclu\w+|apag\w+|delet\w+|retir\w+|descadastr\w+|bloque\w+|elimin\w+|lista|risc[ae]\w*|esque[cs]\w+|revog\w+)$/,
  ],
  ['want', /^(?:quero|queria|gostaria|desejo|preciso|pretendo|peco|prefiro|interesse)$/],
  ['firm', /^(?:empresa|escola|banco|clinica|faculdade|academia|credor|cnpj|site|golpe|confiavel|seguro|verdade)$/],
  ['bureau', /^(?:serasa|spc|score|negativ\w+|suj[oa]|limp\w+|protest\w+|cartorio)$/],
  ['is', /^(?:sou|e|era|foi|seja|somos|sao|esta|estou|estao)$/],
];

const known = new Map<string, string | null>();

const classOf = (word: string): string | null => {
  const before = known.get(word);
  if (before !== undefined) return before;
  const found = CLASSES.find(([, pattern]) => pattern.test(word))?.[0] ?? null;
  // Bounded: whoever writes decides what words there are.
  if (known.size < 20_000) known.set(word, found);
  return found;
};

/** Which classes there are, and which stand near before which. */
export const classFeatures = (words: readonly string[]): string[] => {
  const classes = words.map(classOf).filter((found) => found !== null);
  const out = classes.map((found) => `k:${found}`);
  for (let i = 0; i < classes.length; i += 1)
    for (let j = i + 1; j < Math.min(classes.length, i + 4); j += 1) out.push(`K:${classes[i]}>${classes[j]}`);
  return out;
};
