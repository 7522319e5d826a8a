/**
 * How servers that write no report of RFC 3464 say that a mail was not delivered, in the forms of the large providers.
 * Each mail comes back with the original below, whose headers have our addresses.
 */
interface ServerMail {
  readonly from: string;
  readonly subject?: string;
  readonly headers?: string;
  readonly text: string;
  /** `false`: our addresses stand in the envelope alone. */
  readonly returns?: boolean;
}

const returned =
  '\nReturn-Path: <{{BOUNCE}}>\nFrom: Escola Aurora <cobranca@quita.example>\nMessage-ID: <{{MESSAGE}}>\n\nPARAR';

export const FAILURES: Readonly<Record<string, ServerMail & { readonly kind: string }>> = {
  yahoo: {
    from: 'MAILER-DAEMON@provedor.example',
    text: 'Sorry, we were unable to deliver your message to the following address.\n\n<ana@cliente.example>:\n550: 5.1.1 This user does not have an account here, user unknown\n\n--- Below this line is a copy of the message.',
    kind: 'undeliverable',
  },
  'yahoo, full mailbox': {
    from: 'mailer-daemon@provedor.example',
    text: 'Sorry, we were unable to deliver your message to the following address.\n\n<ana@cliente.example>:\n552 1 Requested mail action aborted, mailbox not found: over quota\n\n--- Below this line is a copy of the message.',
    kind: 'retryable',
  },
  'exchange 2003': {
    from: 'postmaster@cliente.example',
    subject: 'Undeliverable: Sobre a sua conta',
    headers: 'X-Mailer: Internet Mail Service (5.5.2657.72)\nReturn-Path: <>',
    text: 'Your message\n\n  To:      ana@cliente.example\n  Subject: Sobre a sua conta\n\ndid not reach the following recipient(s):\n\nana@cliente.example on Wed, 18 Nov 2026 14:00:03 -0300\n    The recipient name is not recognized\n    MSEXCH:IMS:ESCOLA:CLIENTE:SERVIDOR 0 (000C05A6) Unknown Recipient\n',
    kind: 'undeliverable',
  },
  zoho: {
    from: 'mailer-daemon@mail.provedor.example',
    text: 'This message was created automatically by mail delivery software.\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\nana@cliente.example Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 <ana@cliente.example>... User Unknown\n\nReceived:from mail.provedor.example',
    kind: 'undeliverable',
  },
  gmx: {
    from: 'MAILER-DAEMON@mail.provedor.example',
    headers: 'Return-Path: <>',
    text: 'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error. The following address\nfailed:\n\n<ana@cliente.example>\n\nReason:\ndelivery retry timeout exceeded\n\n--- The header of the original message is following. ---\n',
    kind: 'retryable',
  },
  opensmtpd: {
    from: 'Mailer Daemon <MAILER-DAEMON@mx.provedor.example>',
    subject: 'Delivery status notification: error',
    text: '    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\nana@cliente.example: 550 5.1.1 The email account that you tried to reach does not exist\n\n    Below is a copy of the original message:\n',
    kind: 'undeliverable',
  },
  workmail: {
    from: 'MAILER-DAEMON@regiao.provedor.example',
    headers: 'Return-Path: <>',
    text: 'An error occurred while trying to deliver the mail to the following recipients:\nana@cliente.example\n\nTechnical report:\n\nAction: failed\nFinal-Recipient: rfc822; ana@cliente.example\nDiagnostic-Code: smtp; 550 5.1.1 user unknown\nStatus: 5.1.1\n',
    kind: 'undeliverable',
  },
  dragonfly: {
    from: 'MAILER-DAEMON <>',
    subject: 'Mail delivery failed',
    text: 'This is the DragonFly Mail Agent v0.13 at mx.provedor.example.\n\nThere was an error delivering your mail to <ana@cliente.example>.\n\nmx.cliente.example [192.0.2.5] did not like our RCPT TO:\n550 5.1.1 no such user\n\nMessage headers follow.\n',
    kind: 'undeliverable',
  },
  'dragonfly, policy': {
    from: 'MAILER-DAEMON <>',
    text: 'There was an error delivering your mail to <ana@cliente.example>.\n\nmx.cliente.example did not like our final DATA:\n550-5.7.26 Unauthenticated email is not accepted due to\n550 5.7.26 DMARC policy\n\nMessage headers follow.\n',
    kind: 'rejected',
  },
  sendmail: {
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.provedor.example>',
    subject: 'Returned mail: User unknown',
    text: '   ----- The following addresses had permanent fatal errors -----\n<ana@cliente.example>\n\n   ----- Transcript of session follows -----\n550 <ana@cliente.example>... User unknown\n\n   ----- Original message follows -----\n',
    kind: 'undeliverable',
  },
  'qmail, unknown host': {
    from: 'MAILER-DAEMON@mx.provedor.example',
    text: "Hi. This is the qmail-send program at mx.provedor.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<ana@cliente.example>:\nSorry, I couldn't find any host named cliente.example. (#5.1.2)\n\n--- Below this line is a copy of the message.\n",
    kind: 'undeliverable',
  },
  'in Portuguese': {
    from: 'postmaster@provedor.com.br',
    subject: 'Mensagem não entregue',
    text: 'A mensagem não pôde ser entregue ao destinatário ana@cliente.example.\n\nMotivo: caixa postal cheia.\n',
    kind: 'retryable',
  },
};

export const DELAYS: Readonly<Record<string, ServerMail>> = {
  sendmail: {
    from: 'MAILER-DAEMON@mx.provedor.example',
    subject: 'Warning: could not send message for past 4 hours',
    text: '    **  THIS IS A WARNING MESSAGE ONLY  **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n\nThe original message could not be delivered for 4 hours.\nWarning: message still undelivered after 4 hours. Will keep trying until message is 5 days old\n',
  },
  'a text that nobody knows': {
    from: 'MAILER-DAEMON@mx.provedor.example',
    text: 'Something happened to your mail. Have a nice day.',
    returns: false,
  },
  'a text that nobody knows, from a person': {
    from: 'Ana <ana@cliente.example>',
    text: 'Segue resposta do nosso sistema.',
    returns: false,
  },
};

export const COMPLAINTS: Readonly<Record<string, ServerMail>> = {
  hotmail: {
    from: 'staff@hotmail.com',
    subject: 'complaint about message from 192.0.2.1',
    headers: 'Content-Type: multipart/mixed; boundary=b',
    text: '--b\nContent-Type: message/rfc822\n\nReturn-Path: <{{BOUNCE}}>\nMessage-ID: <{{MESSAGE}}>\nSubject: Sobre a sua conta\n\nOi\n--b--\n',
    returns: false,
  },
};

/** The text of a notification of Amazon SES that comes as an e-mail. */
export const sesNotification = (event: object): ServerMail => ({
  from: 'AWS Notifications <no-reply@sns.provedor.example>',
  subject: 'AWS Notification Message',
  text: `${JSON.stringify({ ...event, mail: { source: '{{BOUNCE}}', messageId: '0100' } })}\n\n--\nIf you wish to stop receiving notifications from this topic, please visit the link below\n`,
  returns: false,
});

export const rawOf = ({ from, subject = 'failure notice', headers = '', text, returns = true }: ServerMail): string =>
  [`From: ${from}`, 'To: {{BOUNCE}}', `Subject: ${subject}`, 'MIME-Version: 1.0', ...(headers === '' ? [] : [headers])]
    .concat(headers.includes('Content-Type') ? [] : ['Content-Type: text/plain; charset=utf-8'])
    .concat('', returns ? `${text}${returned}` : text)
    .join('\n');
