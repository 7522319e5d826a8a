import type { RealChannel } from '../../kernel/messaging-channels.ts';
import { type CheckedSender, MessagingError } from '../../modules/messaging/ports/messaging-channel.ts';
import { SENDER_FORMS } from '../../modules/messaging/routes/given-sender.ts';
import type { GivenSender } from '../../modules/messaging/rules/given-sender.ts';
import {
  type ChannelToConnect,
  connectChannel,
  type NotOffered,
} from '../../modules/messaging/use-cases/connect-channel.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { composeSenderSetup } from '../compose/sender-setup.ts';
import { CHANNEL_TITLES } from './channel-titles.ts';
import { type CredentialForm, readCredentials } from './read-credentials.ts';

type Form = CredentialForm<GivenSender, string>;

const FORMS: Readonly<Record<Exclude<RealChannel, 'email'>, Form>> = {
  whatsapp: {
    member: 'whatsapp',
    schema: SENDER_FORMS.whatsapp,
    example:
      '{"whatsapp": {"phoneNumberId": "…", "businessAccountId": "…", "accessToken": "…", "appSecret": "…"}}, both ids in digits',
    questions: {
      phoneNumberId: 'WhatsApp phone number id (digits; not the number)',
      businessAccountId: 'WhatsApp business account id (digits)',
      accessToken: 'Token of the system user',
      appSecret: 'App secret',
    },
  },
  twilio: {
    member: 'twilio',
    schema: SENDER_FORMS.twilio,
    example:
      '{"twilio": {"accountSid": "AC…", "authToken": "…", "from": "+55…"}}, where from is a number with + or a short code',
    questions: {
      accountSid: 'Twilio account SID (AC…)',
      authToken: 'Twilio auth token',
      from: 'Sender: a number of the account with + and country code, or a short code',
    },
  },
  zenvia: {
    member: 'zenvia',
    schema: SENDER_FORMS.zenvia,
    example: '{"zenvia": {"token": "…", "from": "…"}}, where from is the sender of the SMS account, without spaces',
    questions: {
      token: 'Zenvia token',
      from: 'Sender of the SMS account',
      webhookSecret: 'Secret of its notifications (empty: one is made)',
    },
  },
};

/** Connects a client's sender with credentials from a file, or from the terminal, which does not show them. */
export async function connectToChannel(
  db: Database,
  clientId: string,
  name: RealChannel,
  { config, file }: { readonly config: Config; readonly file: string | undefined },
): Promise<string> {
  const setup = composeSenderSetup(config, db);
  refuseWhatIsNotOffered(config, name, setup.channelToConnect(name));
  if (name === 'email' && file !== undefined) {
    throw new Error('E-mail needs no credentials of the client, and so no file');
  }
  const given = name === 'email' ? { channel: name } : await readCredentials(FORMS[name], file);
  try {
    const connected = await connectChannel({ db, now: () => new Date(), ...setup })({ clientId, given, source: null });
    return linesOf(clientId, name, connected).join('\n');
  } catch (error) {
    if (!(error instanceof MessagingError)) throw error;
    throw new Error(`${CHANNEL_TITLES[name]} does not accept this (${error.message}): nothing was stored`);
  }
}

function refuseWhatIsNotOffered(config: Config, name: RealChannel, to: ChannelToConnect | NotOffered): void {
  const title = CHANNEL_TITLES[name];
  if (to === 'set_by_operator') {
    throw new Error(
      `With SINGLE_CLIENT=true the environment names the sender of ${title}: there is nothing to connect`,
    );
  }
  if (to !== 'not_offered') return;
  throw new Error(
    config.messagingChannels.includes(name)
      ? `${title} needs SMTP_URL and MAIL_FROM`
      : `This deployment does not use ${title}: MESSAGING_CHANNEL must name ${name}`,
  );
}

function linesOf(
  clientId: string,
  name: RealChannel,
  { shownAs, peoplePerDay, quality = null, replaced }: CheckedSender & { readonly replaced: string | null },
): string[] {
  const reach =
    peoplePerDay === null
      ? 'the channel names no limit of people in 24 hours'
      : `it may reach ${peoplePerDay.toLocaleString('en-US')} people in 24 hours`;
  return [
    `${clientId} is connected to ${CHANNEL_TITLES[name]}: debtors see ${shownAs}, and ${reach}`,
    ...(quality === 'low' ? ['Its quality is low: people complain, so it sends more slowly'] : []),
    ...(quality === 'blocked' ? ['The channel lets it send nothing at the moment'] : []),
    ...(replaced === null ? [] : [`Its sender before, ${replaced}, sends no more and still receives`]),
    ...(name === 'whatsapp' ? [`Next: quita channels templates push ${clientId}`] : []),
  ];
}
