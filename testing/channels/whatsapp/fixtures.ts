/** Requests as Meta’s public documentation prints them; hashes and one explanation are shortened, the language is ours. */
const envelope = (id: string, field: string, value: unknown) => ({
  object: 'whatsapp_business_account',
  entry: [{ id, changes: [{ value, field }] }],
});

const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };
const contacts = [{ profile: { name: 'Sheena Nelson' }, wa_id: '16505551234' }];
const received = (message: Readonly<Record<string, unknown>>) =>
  envelope('102290129340398', 'messages', {
    messaging_product: 'whatsapp',
    metadata,
    contacts,
    messages: [{ from: '16505551234', id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5', ...message }],
  });

/** From the OpenAPI document of the Business Messaging API and the reference of the `messages` webhook. */
export const RECEIVED = {
  text: received({ timestamp: '1749416383', type: 'text', text: { body: 'Does it come in another color?' } }),
  image: received({
    timestamp: '1744344496',
    type: 'image',
    image: {
      caption: 'Taj Mahal',
      mime_type: 'image/jpeg',
      sha256: 'SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=',
      id: '1003383421387256',
    },
  }),
  voice: received({
    timestamp: '1749416410',
    type: 'audio',
    audio: { id: '971571215375675', mime_type: 'audio/ogg; codecs=opus', sha256: 'X9…=', voice: true },
  }),
  document: received({
    timestamp: '1749416430',
    type: 'document',
    document: { id: '971571215375676', mime_type: 'application/pdf', sha256: 'Z2…=', filename: 'invoice-2026-06.pdf' },
  }),
  sticker: received({
    timestamp: '1749416440',
    type: 'sticker',
    sticker: { id: '335017183975037', mime_type: 'image/webp', sha256: 'A1…=', animated: false },
  }),
  location: received({
    timestamp: '1744344496',
    location: {
      address: '101 Forest Ave, Palo Alto, CA 94301',
      latitude: 37.44221496582,
      longitude: -122.16165924072,
      name: 'Philz Coffee',
      url: 'https://philzcoffee.com/',
    },
    type: 'location',
  }),
  contacts: received({
    timestamp: '1744344496',
    type: 'contacts',
    contacts: [
      {
        name: { first_name: 'Lucía', last_name: 'Gómez', formatted_name: 'Lucía Gómez' },
        org: { company: 'Google' },
        phones: [{ phone: '+1 (983) 555-2319', wa_id: '19835552319', type: 'MOBILE' }],
      },
    ],
  }),
  unsupported: received({
    timestamp: '1750090702',
    errors: [
      {
        code: 131051,
        title: 'Message type unknown',
        message: 'Message type unknown',
        error_data: { details: 'Message type is currently not supported.' },
      },
    ],
    type: 'unsupported',
  }),
  templateButton: received({
    context: { from: '15550783881', id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBJFNjk2OTMwNEZCQjhGMzUyQUYA' },
    timestamp: '1750091045',
    type: 'button',
    button: { payload: 'Unsubscribe', text: 'Unsubscribe' },
  }),
  listReply: received({
    context: { from: '15550783881', id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBJGMzEyNzhENTZDMzNGODlDRDgA' },
    timestamp: '1749854575',
    type: 'interactive',
    interactive: {
      type: 'list_reply',
      list_reply: { id: 'priority_express', title: 'Priority Mail Express', description: 'Next Day to 2 Days' },
    },
  }),
  buttonReply: received({
    context: { from: '15550783881', id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI3MEM2RUJFNkI0RENGQTVDRjUA' },
    timestamp: '1750025136',
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: 'cancel-button', title: 'Cancel' } },
  }),
  order: received({
    timestamp: '1750096325',
    type: 'order',
    order: { catalog_id: '194836987003835', text: '', product_items: [{ product_retailer_id: 'di9ozbzfi4' }] },
  }),
  reaction: received({
    timestamp: '1749419544',
    type: 'reaction',
    reaction: { message_id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI0RTJEOTc2ODVERUY5RDlGNkYA', emoji: '👍' },
  }),
  edit: received({
    timestamp: '1750269340',
    type: 'edit',
    edit: {
      original_message_id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5',
      message: { context: { id: 'M0' }, type: 'text', text: { body: 'PARAR' } },
    },
  }),
  editOfCaption: received({
    timestamp: '1750269340',
    type: 'edit',
    edit: {
      original_message_id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5',
      message: {
        context: { id: 'M0' },
        image: { caption: 'Segue o comprovante', mime_type: 'image/jpeg', id: '1003383421387256' },
      },
    },
  }),
  editOfUnknownKind: received({ timestamp: '1750269340', type: 'edit', edit: { original_message_id: 'wamid.a' } }),
  revoke: received({
    timestamp: '1750269341',
    type: 'revoke',
    revoke: { original_message_id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5' },
  }),
  system: received({
    timestamp: '1750269342',
    system: {
      body: 'User Sheena Nelson changed from 16505551234 to 12195555358',
      wa_id: '12195555358',
      type: 'user_changed_number',
    },
    type: 'system',
  }),
} as const;

/** A person with a user name, whose phone number WhatsApp withholds. */
export const WITHOUT_PHONE = envelope('102290129340398', 'messages', {
  messaging_product: 'whatsapp',
  metadata,
  contacts: [
    {
      profile: { name: 'Sheena Nelson', username: 'realsheenanelson' },
      user_id: 'US.13491208655302741918',
      parent_user_id: 'US.ENT.11815799212886844830',
    },
  ],
  messages: [
    {
      from_user_id: 'US.13491208655302741918',
      from_parent_user_id: 'US.ENT.11815799212886844830',
      id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=',
      timestamp: '1749416383',
      type: 'text',
      text: { body: 'Does it come in another color?' },
    },
  ],
});

const STATUS_ID = 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQUFERjg0NDEzNDdFODU3MUMxMAA=';

export const DELIVERED_WITHOUT_PHONE = envelope('102290129340398', 'messages', {
  messaging_product: 'whatsapp',
  metadata,
  contacts: [{ profile: { name: 'Pablo M.', username: 'pablomorales' }, user_id: 'US.13491208655302741918' }],
  statuses: [
    {
      id: STATUS_ID,
      status: 'delivered',
      timestamp: '1750030073',
      recipient_user_id: 'US.13491208655302741918',
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' },
    },
  ],
});

export const FAILED = envelope('102290129340398', 'messages', {
  messaging_product: 'whatsapp',
  metadata,
  statuses: [
    {
      id: STATUS_ID,
      status: 'failed',
      timestamp: '1750030073',
      recipient_id: '16505551234',
      errors: [
        {
          code: 131049,
          title: 'This message was not delivered to maintain healthy ecosystem engagement.',
          message: 'This message was not delivered to maintain healthy ecosystem engagement.',
          error_data: { details: 'In order to maintain a healthy ecosystem engagement, the message failed.' },
          href: '/documentation/business-messaging/whatsapp/support/error-codes',
        },
      ],
    },
  ],
});

export const STOPPED = envelope('102290129340398', 'user_preferences', {
  messaging_product: 'whatsapp',
  metadata,
  contacts: [{ wa_id: '16505551234' }],
  user_preferences: [
    {
      wa_id: '16505551234',
      detail: 'User requested to stop marketing messages',
      category: 'marketing_messages',
      value: 'stop',
      timestamp: 1731705721,
    },
  ],
});

export const TEMPLATE_REJECTED = envelope('102290129340398', 'message_template_status_update', {
  event: 'REJECTED',
  message_template_id: 1689556908129835,
  message_template_name: 'abandoned_cart',
  message_template_language: 'pt-BR',
  reason: 'INVALID_FORMAT',
  message_template_category: 'MARKETING',
  rejection_info: {
    reason: 'Your template has parameters placed next to each other (like {{1}}{{2}}) without text between them.',
    recommendation: 'Separate parameters with descriptive text.',
  },
});

export const THROUGHPUT_UPGRADE = envelope('102290129340398', 'phone_number_quality_update', {
  display_phone_number: '15550783881',
  event: 'THROUGHPUT_UPGRADE',
  current_limit: 'TIER_UNLIMITED',
});

export const ACCOUNT_RESTRICTED = envelope('102290129340398', 'account_update', {
  event: 'ACCOUNT_RESTRICTION',
  restriction_info: [
    { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1641330498 },
    { restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration: 1641330498 },
  ],
});

export const NUMBER_IN_TROUBLE = envelope('102290129340398', 'messages', {
  messaging_product: 'whatsapp',
  metadata,
  errors: [{ code: 131048, title: 'Spam rate limit hit', message: 'Spam rate limit hit' }],
});
