import { formatCalendarDate } from '../../../kernel/texts/format.ts';
import type { Channel } from '../../policy/rules/policy-pack.ts';
import type { Refusal, RightsKind } from '../rules/rights-request.ts';

/**
 * The words of the page of rights, for a reader of twelve years: short sentences, one thought each.
 * `reading-level.test.ts` measures them.
 */
export const RIGHTS_TEXTS = {
  title: (creditor: string) => `Os seus direitos: ${creditor}`,
  front: {
    heading: 'Os seus dados e os seus direitos',
    who: (creditor: string) => `Esta página é de quem recebeu uma mensagem de ${creditor}.`,
    why: 'Aqui a pessoa vê o que a empresa guarda sobre ela. Ela também pode pedir o que a lei dá.',
    digits: 'Os 4 últimos números do seu CPF',
    hint: 'Se a conta é de uma empresa, use os 4 últimos do CNPJ. Só pedimos isso. Nunca pedimos senha.',
    open: 'Abrir',
    wrong: 'Esses números não estão certos. Confira e tente de novo. São no máximo 5 erros por dia.',
    shut: 'Você errou 5 vezes hoje. Por segurança, esta página só abre de novo amanhã.',
    closed: 'A página fechou porque passou meia hora. Digite os números de novo.',
    notMine: {
      heading: 'Isto não é meu',
      text: 'Você não é a pessoa que a empresa procura? Avise aqui. Paramos de usar este contato.',
      button: 'Isto não é meu',
    },
  },
  notMineDone: {
    heading: 'Pronto, obrigado por avisar',
    text: 'Este contato não será mais usado para esta pessoa. O telefone sai também das outras empresas que usam este serviço.',
    protocol: (protocol: string) => `Guarde o número do seu pedido: ${protocol}`,
    end: 'Este link não abre mais.',
  },
  heading: 'Os seus dados e os seus direitos',
  hello: (name: string) => `Olá, ${name}.`,
  about: (creditor: string) => `Isto é o que ${creditor} guarda sobre você. Mais abaixo você pode fazer pedidos.`,
  backToPay: 'Ver a página de pagamento',
  done: (protocol: string) => `Pronto. Recebemos o seu pedido. O número dele é ${protocol}. Guarde esse número.`,
  refused: {
    empty: 'Escreva o que você quer dizer. O campo estava vazio.',
    file_kind: 'O arquivo precisa ser um PDF ou uma foto (JPEG ou PNG). Nada foi enviado.',
    file_size: 'O arquivo é grande demais. O limite é 5 MB. Nada foi enviado.',
    no_opening:
      'Com essa escolha não sobra nenhuma hora. A lei só deixa escrever em dias e horas certos. Escolha mais horas ou mais dias.',
    channel: 'A empresa não escreve para você por esse meio. Escolha outro.',
    hours: 'A hora do fim tem que vir depois da hora do começo. Escolha pelo menos um dia.',
  } satisfies Readonly<Record<Refusal, string>>,

  data: {
    heading: 'O que guardamos sobre você',
    name: 'Nome',
    phones: 'Telefones',
    emails: 'E-mails',
    none: 'nenhum',
    from: (creditor: string, day: string) => `Estes dados vieram de ${creditor}. Ela trouxe os dados no dia ${day}.`,
    ground: {
      none: 'A lei deixa a empresa usar os dados para cobrar uma conta (LGPD, artigo 7, X).',
      contract: 'A lei deixa a empresa usar os dados por causa do contrato e da conta (LGPD, artigo 7, V e X).',
      consent: 'A empresa usa os dados porque você deixou (LGPD, artigo 7, I). Você pode mudar de ideia.',
    },
    consent: (day: string, source: string | null) =>
      `A empresa diz que você deixou usar os dados no dia ${day}${source === null ? '' : `, assim: “${source}”`}.`,
    debts: 'As suas contas',
    debt: (invoice: string | null) => (invoice === null ? 'Conta' : `Fatura ${invoice}`),
    amount: 'Valor no começo',
    owed: 'Valor hoje',
    due: 'Venceu em',
    what: 'Do que é',
    state: 'Como está',
    more: (count: number) => `Há mais ${count.toLocaleString('pt-BR')} na cópia dos seus dados.`,
    moreInJson: (count: number) => `Há mais ${count.toLocaleString('pt-BR')} na cópia em JSON.`,
  },

  score: {
    heading: 'A sua nota',
    text: 'Um computador dá uma nota de 0 a 100 para cada conta. Ele soma pontos. A conta é esta:',
    points: (points: number) => `${points > 0 ? '+' : ''}${points}`,
    total: (score: number) => `Nota: ${score}`,
    decides: 'A nota decide só a ordem das mensagens: quem a empresa chama primeiro.',
    decidesNot:
      'A nota não muda o valor. Não muda os seus direitos. Não vai para nenhuma lista. Ninguém nega nada a você por causa dela.',
    notUsed: 'A nota não usa onde você mora, a sua idade, o seu sexo nem a sua origem.',
    none: 'As suas contas ainda não têm nota.',
    ask: 'Pedir que uma pessoa confira a nota',
    askText: 'A lei deixa você pedir que uma pessoa olhe a nota (LGPD, artigo 20). Se quiser, conte o motivo.',
    askButton: 'Pedir a conferência',
  },

  contacts: {
    heading: 'As mensagens',
    text: 'Toda mensagem passa por regras antes de sair. Em cada uma você vê quais foram.',
    none: 'Nenhuma mensagem ainda.',
    more: 'Aqui estão as últimas. A cópia dos seus dados tem mais.',
    leftOut: (count: number) =>
      `Aqui estão as últimas ${count.toLocaleString('pt-BR')}. Há outras mais antigas: peça à empresa.`,
    sent: (channel: string) => `A empresa escreveu por ${channel}`,
    received: (channel: string) => `Você escreveu por ${channel}`,
    failed: 'Esta mensagem não chegou.',
    words: 'Ler a mensagem',
    erased: 'O texto foi apagado.',
    rules: 'Por que ela pôde sair',
    law: (source: string) => `Base: ${source}`,
    ofClient: 'Uma regra da própria empresa, que só pode ser mais rígida que a lei.',
    reply: 'Foi uma resposta ao que você escreveu. Resposta pode sair a qualquer hora.',
    receipt: 'Foi o seu recibo. O recibo sai assim que o pagamento é confirmado.',
    confirmation: 'Foi a confirmação do seu pedido de silêncio. Depois dela não sai mais nada.',
    unknown: 'A regra desta mensagem já foi apagada com o histórico.',
  },

  listings: {
    heading: 'Cadastros de quem deve',
    text: 'Alguns cadastros mostram quem deve, como Serasa e SPC. Este serviço não põe ninguém neles. Só a empresa pode pôr, e ela tem que nos contar.',
    none: 'A empresa não contou que pôs o seu nome em um cadastro.',
    listed: (bureau: string, day: string) => `A empresa pôs o seu nome no cadastro ${bureau} no dia ${day}.`,
    what: (debt: string) => `O motivo: ${debt}.`,
    notified: (day: string) => `Ela diz que avisou você antes, no dia ${day}.`,
    removeBy: (day: string) => `O seu nome tem que sair até o dia ${day}.`,
    removed: (day: string) => `O seu nome saiu no dia ${day}.`,
    rule: 'A conta foi paga ou virou acordo? O nome sai em até 5 dias úteis (Súmula 548 do STJ).',
  },

  money: {
    heading: 'Acordos, pagamentos e recibos',
    none: 'Nenhum acordo e nenhum pagamento ainda.',
    agreement: (protocol: string) => `Acordo ${protocol}`,
    states: {
      ACTIVE: 'valendo',
      COMPLETED: 'cumprido',
      BROKEN: 'desfeito por atraso',
      CANCELLED: 'cancelado',
    } as Readonly<Record<string, string>>,
    total: (amount: string, times: number) => `${amount} em ${times} ${times === 1 ? 'vez' : 'vezes'}`,
    accepted: (day: string) => `Você aceitou no dia ${day}.`,
    download: 'Baixar o Termo de Acordo',
    paid: (amount: string, day: string) => `Pagamento de ${amount} no dia ${day}`,
    refunded: (amount: string) => `${amount} voltaram para você.`,
    receipt: 'Baixar o recibo',
    quittance: (year: number) => `A empresa declara que você pagou todas as contas de ${year}.`,
    quittanceRevoked: (year: number) =>
      `A declaração de que as contas de ${year} estão pagas não vale mais: um pagamento voltou.`,
    quittanceDownload: 'Baixar a declaração',
  },

  asks: {
    heading: 'O que você pode pedir',
    text: 'Cada pedido ganha um número. Quando uma pessoa precisa responder, ela tem 15 dias. A resposta aparece aqui.',
    correction: {
      heading: 'Corrigir um dado',
      text: 'Algo está errado? Conte o que está errado e como é o certo.',
      label: 'O que está errado',
      button: 'Pedir a correção',
    },
    dispute: {
      heading: 'Dizer que a conta não está certa',
      text: 'Conte o que houve. A cobrança para até a empresa olhar.',
      label: 'O que houve',
      debt: 'Qual conta',
      all: 'Todas',
      file: 'Arquivo, se tiver (PDF, JPEG ou PNG, até 5 MB)',
      button: 'Enviar',
    },
    copy: {
      heading: 'Receber uma cópia de tudo',
      text: 'A cópia tem tudo o que a empresa guarda sobre você aqui.',
      pdf: 'Baixar em PDF, para ler',
      json: 'Baixar em JSON, para usar em outro programa',
    },
    preference: {
      heading: 'Escolher quando receber mensagens',
      text: 'A empresa só vai escrever nas horas que você escolher. A escolha só pode diminuir as mensagens.',
      from: 'Não antes das',
      to: 'Não depois das',
      days: 'Em que dias',
      channel: 'Por onde',
      anyChannel: 'Tanto faz',
      button: 'Salvar a escolha',
      clear: 'Apagar a minha escolha',
      now: (hours: string) => `A sua escolha agora: ${hours}.`,
      weekdays: ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'],
    },
    silence: {
      heading: 'Não receber mais mensagens',
      text: 'As mensagens de cobrança param. A conta continua existindo, e a página de pagamento também.',
      button: 'Quero silêncio',
      done: 'Você já pediu silêncio. Esse pedido vale.',
    },
    notMine: {
      heading: 'Isto não é meu',
      text: 'Você não é esta pessoa? Avise. O contato sai do cadastro, e este link para de abrir.',
      button: 'Isto não é meu',
    },
  },

  requests: {
    heading: 'Os seus pedidos',
    none: 'Você ainda não fez nenhum pedido.',
    kinds: {
      correction: 'Correção de dados',
      dispute: 'Conta que não está certa',
      score_review: 'Conferência da nota por uma pessoa',
      preference: 'Escolha de horas',
      silence: 'Silêncio',
      not_mine: 'Isto não é meu',
    } satisfies Readonly<Record<RightsKind, string>>,
    asked: (day: string, protocol: string) => `Pedido no dia ${day}. Número ${protocol}.`,
    waits: (day: string) => `Uma pessoa da empresa responde até ${day}.`,
    doneAtOnce: 'Feito na hora.',
    granted: (day: string) => `A empresa aceitou o pedido no dia ${day}.`,
    refused: (day: string) => `A empresa não aceitou o pedido no dia ${day}.`,
    changed: (fields: string) => `O que mudou: ${fields}.`,
    fields: {
      debtorPhone: 'telefone',
      debtorEmail: 'e-mail',
      dueDate: 'vencimento',
      originalAmount: 'valor',
    } as Readonly<Record<string, string>>,
  },

  help: {
    heading: 'Não resolveu?',
    text: (how: string) => `Para falar com a empresa, ${how}.`,
    authorities:
      'Você também pode procurar o Procon da sua cidade, o site consumidor.gov.br e a ANPD, que cuida dos dados das pessoas.',
  },
} as const;

interface Listing {
  readonly bureau: string;
  readonly invoiceId: string | null;
  readonly notifiedOn: string;
  readonly listedOn: string;
  readonly removeBy: Date | null;
  readonly removedOn: string | null;
}

/** What the page and the copy say of a listing at a credit bureau. */
export function listingWords(listing: Listing, dayOf: (moment: Date) => string): readonly string[] {
  const { listings, data } = RIGHTS_TEXTS;
  const { bureau, invoiceId, notifiedOn, listedOn, removeBy, removedOn } = listing;
  return [
    listings.listed(bureau, formatCalendarDate(listedOn)),
    listings.what(data.debt(invoiceId)),
    listings.notified(formatCalendarDate(notifiedOn)),
    ...(removedOn !== null
      ? [listings.removed(formatCalendarDate(removedOn))]
      : removeBy === null
        ? []
        : [listings.removeBy(dayOf(removeBy))]),
  ];
}

export const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  whatsapp: 'WhatsApp',
  sms: 'SMS',
  email: 'e-mail',
  call: 'telefone',
};

/** What a person calls the channel of a message. */
export const channelName = (channel: string): string =>
  ({ twilio: 'SMS', zenvia: 'SMS', sandbox: 'WhatsApp', page: 'esta página' })[channel] ??
  (CHANNEL_NAMES as Readonly<Record<string, string>>)[channel] ??
  channel;
