import type { QuestionTopic } from '../../../domain/intents.ts';

const TOPICS: readonly (readonly [QuestionTopic, RegExp])[] = [
  [
    'fraud',
    /\bgolp\w*|\bfraud\w*|\bconfiavel\b|\bseguro\b|\be (?:verdade|serio|real|oficial)\b|\bcomo (?:sei|vou saber|saber|posso (?:saber|confirmar|confiar|ter certeza)|confir\w+|verific\w+|conferir)\b|\bvirus\b|\bfalso\b|\bveridic\w*/,
  ],
  ['cnpj', /\bcnpj\b|\brazao social\b/],
  [
    'privacy',
    /\b(?:conseguiu|conseguiram|pegou|pegaram|arrumou|arrumaram|tem|tirou|tiraram|passou|deu|descobriram|achou|acharam)(?: \w+){0,2} (?:meu|minha|meus)(?: \w+)? (?:numero|contato|telefone|celular|whatsapp|dados|cpf)\b|\blgpd\b|\bmeus dados\b|\bprivacidade\b/,
  ],
  [
    'bureau',
    /\b(?:serasa|spc|scpc|nome (?:esta )?suj\w*|suja\w* (?:o |meu )?nome|limp\w* (?:o |meu )?nome|nome (?:limpo|fica limpo|volta|sai|negativad\w*)|negativ\w*|score|restric\w*|protest\w*)\b/,
  ],
  [
    'receipt',
    /\b(?:recibo|comprovante de (?:quitacao|pagamento)|quitacao|carta de quitacao|termo|nada consta|comprovante)\b/,
  ],
  ['due_date', /\b(?:venc\w+|prazo|ate quando|quando (?:foi|era)|que dia (?:venc|era|foi)|data d\w)\b/],
  [
    'how_to_pay',
    /\b(?:aceita\w*|pode(?:m)? ser|da para|posso|como(?: eu)?|onde|tem como)(?: \w+){0,4} (?:pag\w+|pix|boleto|cartao|credito|debito|loteric\w*|transferencia|dinheiro|deposito|qr|ted)\b|\bforma\w* de pagamento\b|\bchave pix\b|\bqual (?:a |o )?(?:chave|pix|link)\b/,
  ],
  [
    'creditor',
    /\bquem (?:e|sao|fala|esta|ta)\b|\b(?:que|qual)(?: e)?(?: a| o)? (?:empresa|loja|banco|credor)\b|\bde onde (?:e|sao|fala\w*|voces?)\b|\bcom quem (?:falo|estou)\b|\bvoce e (?:um |uma )?(?:robo|pessoa|empresa)\b|\bquem (?:esta |que esta )?cobran\w*|\bendereco\b|\bonde fica\b|\bempresa e essa\b/,
  ],
  ['amount', /\b(?:quanto|valor|qnto|total|preco|juros|multa|quantia|corrigid\w*|atualizad\w*)\b/],
  [
    'origin',
    /\b(?:de ?que|do que|de ?onde|sobre o ?que|que (?:divida|conta|cobranca|fatura|compra|debito|pendencia)|o que (?:e|eu) (?:isso|essa|esse|devo|comprei)|referente|respeito|origem|motivo|divida (?:e essa|do que|de que)|(?:por ?que|porque) (?:estou|esta|voces|to|me)|numero da fatura|nota fiscal|contrato|detalh\w*|compra foi|qual (?:e )?(?:a )?(?:divida|conta|compra|fatura|pendencia|cobranca|debito)|isso e o ?que|que isso|o que e isso)\b/,
  ],
];

/** What is asked about, in the order it is asked; `unknown` when a question names nothing that we know. */
export const topicsOf = (normal: string): QuestionTopic[] =>
  TOPICS.map(([topic, pattern]) => ({ topic, at: normal.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ topic }) => topic);
