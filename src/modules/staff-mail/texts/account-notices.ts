import { KNOWN_SOURCE_DAYS, LOCK_MINUTES } from '../../../kernel/login-limits.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';

/** These notices inform the owner of changes that another person may have made. Each text is the same for everybody. */
export const apiKeyCreatedEmail = (): Email =>
  emailOf('Quita: nova chave de API', {
    heading: 'Uma chave de API foi criada',
    paragraphs: [
      'Uma nova chave de API foi criada na conta do Quita deste e-mail. A chave anterior, se havia uma, deixou de funcionar.',
    ],
    footnotes: [
      'Se não foi você nem alguém da sua equipe, peça uma nova senha para este e-mail e depois revogue a chave: até ser revogada, ela continua valendo.',
    ],
  });

export const passwordChangedEmail = (): Email =>
  emailOf('Quita: senha trocada', {
    heading: 'A senha foi trocada',
    paragraphs: [
      'A senha da conta do Quita deste e-mail foi trocada, e as outras sessões abertas foram encerradas.',
      'Se foi você, não é preciso fazer nada.',
    ],
    footnotes: [
      'Se não foi você, peça agora uma nova senha para este e-mail: isso encerra todas as sessões. Verifique também se alguém mais lê os seus e-mails.',
    ],
  });

export const loginLockedEmail = (): Email =>
  emailOf(`Quita: login bloqueado por ${LOCK_MINUTES} minutos`, {
    heading: `O login foi bloqueado por ${LOCK_MINUTES} minutos`,
    paragraphs: [
      'Houve cinco tentativas seguidas de entrar na conta do Quita deste e-mail com uma senha errada. Nenhuma delas acertou a senha.',
      `Quem fez essas tentativas não consegue entrar com senha pelos próximos ${LOCK_MINUTES} minutos. Sessões abertas e chaves de API continuam funcionando, e o bloqueio causado por estranhos não vale para os navegadores e endereços de rede de onde você entrou nos últimos ${KNOWN_SOURCE_DAYS} dias.`,
    ],
    footnotes: [
      'Se foi você, aguarde ou peça uma nova senha: a troca encerra o bloqueio. Se não foi, não é preciso fazer nada.',
    ],
  });

export const passkeyAddedEmail = (): Email =>
  emailOf('Quita: nova chave de acesso', {
    heading: 'Uma chave de acesso foi adicionada',
    paragraphs: [
      'Uma chave de acesso foi adicionada à conta do Quita deste e-mail. Com ela, quem a tem entra na conta sem senha.',
      'Se foi você, não é preciso fazer nada.',
    ],
    footnotes: [
      'Se não foi você, entre no Quita, apague a chave em Conta, Acesso, encerre as outras sessões e troque a senha. Se não conseguir entrar, peça a uma pessoa Responsável da sua empresa que remova o seu acesso.',
    ],
  });

export const passkeyCopyRefusedEmail = (): Email =>
  emailOf('Quita: chave de acesso recusada', {
    heading: 'Uma chave de acesso foi recusada',
    paragraphs: [
      'Alguém tentou usar uma chave de acesso da conta do Quita deste e-mail, e a contagem de usos que ela enviou era antiga. Isso pode significar que existe uma cópia da chave. A entrada foi recusada.',
      'Por segurança, entre de outro modo, apague essa chave em Conta, Acesso e adicione uma nova.',
    ],
    footnotes: ['Se a chave é sua e continua sendo recusada, apague-a e adicione uma nova.'],
  });
