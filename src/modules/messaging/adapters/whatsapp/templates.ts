import { z } from 'zod';
import { marketingWords } from '../../../../kernel/marketing-words.ts';
import {
  type ChannelCredentials,
  type ChannelTemplates,
  MessagingError,
  type TemplateText,
} from '../../ports/messaging-channel.ts';
import { type GraphClient, usable, usableAccount } from './graph-client.ts';
import { isMarketing, isOurLanguage, reasonOf, templateState } from './template-state.ts';

/** WhatsApp's reviewers want to see an example of the document that a template carries. */
const SAMPLE_FILENAME = 'exemplo.pdf';

/** Writes a PDF of one page with one line of plain ASCII text. */
export function sampleDocument(line = 'Exemplo do documento que acompanha a mensagem.'): Uint8Array<ArrayBuffer> {
  const content = `BT /F1 14 Tf 72 770 Td (${line.replace(/[\\()]/g, '')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = text.length;
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}

const PAGE_SIZE = 200;
/** A business account holds at most 6,000 templates. */
const MAX_PAGES = 40;
const CATEGORY = 'UTILITY';
/** "Content in this language already exists": another run of the same command was faster. */
const EXISTS = '100/2388024';

/** Templates by the management API of the business account. */
export function createTemplates(graph: GraphClient): ChannelTemplates {
  return {
    async push(texts, given) {
      const credentials = usable(given);
      const existing = new Set((await listTemplates(graph, credentials)).map(({ name }) => name));
      const advertising = texts.filter((text) => wordsOf(text).length > 0);
      const missing = texts.filter((text) => !existing.has(text.name) && !advertising.includes(text));
      const handle = missing.some(({ document }) => document) ? await uploadSample(graph, credentials) : null;
      // WhatsApp would approve such a text in the category that costs most, or not at all.
      const refused = advertising.map((text) => `${text.name} (marketing: ${wordsOf(text).join(', ')})`);
      for (const text of missing) {
        try {
          await create(graph, credentials, text, handle);
        } catch (error) {
          if (!(error instanceof MessagingError) || error.kind !== 'rejected') throw error;
          if (error.channelCode !== EXISTS) refused.push(`${text.name} (${error.channelCode ?? 'no code'})`);
        }
      }
      if (refused.length > 0) throw new MessagingError('rejected', `WhatsApp refuses templates: ${refused.join(', ')}`);
    },

    async states(names, given) {
      const found = new Map((await listTemplates(graph, usable(given))).map((template) => [template.name, template]));
      return names.map((name) => {
        const template = found.get(name);
        if (template === undefined) return { name, state: 'missing', reason: null, isMarketing: null };
        const { status, rejected_reason: reason, category } = template;
        // WhatsApp moves a text that it takes for advertising into a dearer category, in which fewer people get it.
        const moved = category === null || category === CATEGORY ? null : `category ${category}`;
        return {
          name,
          state: templateState(status) ?? 'pending',
          reason: reasonOf(status, reason, moved),
          isMarketing: isMarketing(category),
        };
      });
    },
  };
}

const wordsOf = ({ body, buttons }: TemplateText): readonly string[] =>
  [body, ...buttons.map(({ title }) => title)].flatMap(marketingWords);

const shortText = z
  .string()
  .max(200)
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const template = z.object({
  name: z.string().max(512),
  language: z.string().max(20),
  status: z.string().max(64),
  category: shortText,
  rejected_reason: shortText,
});
type Template = z.infer<typeof template>;

const page = z.object({
  data: z.array(z.unknown()).max(1_000),
  paging: z
    .object({
      cursors: z
        .object({ after: z.string().max(2_000) })
        .nullish()
        .catch(null),
      next: z.string().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** Returns the templates in the product's language. An element that cannot be read is left out. */
async function listTemplates(graph: GraphClient, credentials: ChannelCredentials): Promise<Template[]> {
  const path = `${usableAccount(credentials)}/message_templates`;
  const query = { fields: 'name,language,status,category,rejected_reason', limit: String(PAGE_SIZE) };
  const elements = await readPages(graph, credentials, 'listing the templates', path, query);
  return elements
    .flatMap((element) => template.safeParse(element).data ?? [])
    .filter(({ language }) => isOurLanguage(language));
}

/** Whether the number belongs to the business account, on which the templates are created. */
export async function accountHasNumber(graph: GraphClient, credentials: ChannelCredentials): Promise<boolean> {
  const path = `${usableAccount(credentials)}/phone_numbers`;
  const numbers = await readPages(graph, credentials, 'listing the numbers', path, { fields: 'id', limit: '100' });
  const withId = z.object({ id: z.literal(credentials.senderId) });
  return numbers.some((element) => withId.safeParse(element).success);
}

/** Follows the cursor and never the address of the next page, which contains the token. */
async function readPages(
  graph: GraphClient,
  { accessToken: token }: ChannelCredentials,
  what: string,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<unknown[]> {
  const elements: unknown[] = [];
  let after: string | null = null;
  for (let number = 0; number < MAX_PAGES; number += 1) {
    const { data, paging }: z.infer<typeof page> = await graph.call({
      what,
      method: 'GET',
      path,
      query: { ...query, after },
      token,
      read: (answer) => page.parse(answer),
    });
    elements.push(...data);
    after = paging?.next ? (paging.cursors?.after ?? null) : null;
    if (after === null) return elements;
  }
  throw new MessagingError('rejected', `WhatsApp: ${what} found more than ${MAX_PAGES} pages`);
}

async function create(
  graph: GraphClient,
  credentials: ChannelCredentials,
  text: TemplateText,
  handle: string | null,
): Promise<void> {
  await graph.call({
    what: 'creating a template',
    method: 'POST',
    path: `${usableAccount(credentials)}/message_templates`,
    token: credentials.accessToken,
    json: {
      name: text.name,
      language: text.language,
      category: CATEGORY,
      components: [
        ...(text.document ? [{ type: 'HEADER', format: 'DOCUMENT', example: { header_handle: [handle] } }] : []),
        {
          type: 'BODY',
          text: text.body,
          ...(text.examples.length === 0 ? {} : { example: { body_text: [text.examples] } }),
        },
        ...buttonsOf(text),
      ],
    },
    read: () => undefined,
  });
}

/** WhatsApp asks for these very words on the button, and shows them in the person's language. */
const PIX_BUTTON = 'Copy Pix code';

function buttonsOf({ buttons, pixCode }: TemplateText): readonly object[] {
  const shown = [
    ...buttons.map(({ title }) => ({ type: 'QUICK_REPLY', text: title })),
    ...(pixCode === undefined
      ? []
      : [
          {
            type: 'PAYMENT_REQUEST',
            text: PIX_BUTTON,
            payment_setting: { type: 'pix_dynamic_code', pix_dynamic_code: { code: pixCode } },
          },
        ]),
  ];
  return shown.length === 0 ? [] : [{ type: 'BUTTONS', buttons: shown }];
}

const session = z.object({ id: z.string().regex(/^upload:[\w=?&%.:+/-]{1,2000}$/) });
const uploaded = z.object({ h: z.string().min(1).max(8_000) });

/** An example is uploaded in another way than the document of a message: in a session of the app. */
async function uploadSample(graph: GraphClient, { accessToken: token }: ChannelCredentials): Promise<string> {
  const file = sampleDocument();
  const { id } = await graph.call({
    what: 'announcing an example document',
    method: 'POST',
    path: 'app/uploads',
    query: { file_name: SAMPLE_FILENAME, file_length: String(file.byteLength), file_type: 'application/pdf' },
    token,
    read: (answer) => session.parse(answer),
  });
  const { h } = await graph.call({
    what: 'uploading an example document',
    method: 'POST',
    path: id,
    token,
    file,
    headers: { authorization: `OAuth ${token}`, file_offset: '0' },
    read: (answer) => uploaded.parse(answer),
  });
  return h;
}
