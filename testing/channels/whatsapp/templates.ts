/** The templates of one business account, as the management API of the fake keeps them. */
import { type Answer, graphError } from './answers.ts';
import { type FakePayments, refusedRequest } from './orders.ts';

export interface FakeTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly components: readonly Readonly<Record<string, unknown>>[];
  status: string;
  category: string;
  rejected_reason: string;
}

interface Component {
  readonly type: string;
  readonly text?: string;
  readonly buttons?: readonly { readonly type: string; readonly text: string }[];
}

interface SentTemplate {
  readonly name: string;
  readonly language: { readonly code: string };
  readonly components?: readonly {
    readonly type: string;
    readonly sub_type?: string;
    readonly index?: string;
    readonly parameters: readonly { readonly type: string; readonly text?: string }[];
  }[];
}

const componentOf = (template: FakeTemplate, type: string): Component | undefined =>
  (template.components as unknown as readonly Component[]).find((one) => one.type.toUpperCase() === type);

export class FakeTemplates {
  readonly all: FakeTemplate[] = [];
  /** The status of a new template: Meta reviews it first. */
  firstStatus = 'PENDING';
  /** The handles that an upload of an example has returned. */
  readonly handles = new Set<string>();

  find(name: string): FakeTemplate {
    const found = this.all.find((template) => template.name === name);
    if (found === undefined) throw new Error(`no template ${name}`);
    return found;
  }

  add(name: string, body: string, change: Partial<FakeTemplate> = {}): FakeTemplate {
    const template: FakeTemplate = {
      id: String(1_689_556_908_129_000 + this.all.length),
      name,
      language: 'pt_BR',
      status: 'APPROVED',
      category: 'UTILITY',
      rejected_reason: 'NONE',
      components: [{ type: 'BODY', text: body }],
      ...change,
    };
    this.all.push(template);
    return template;
  }

  create(body: Readonly<Record<string, unknown>>): Answer {
    const { name, language, category, components } = body as unknown as FakeTemplate;
    if (!/^[a-z0-9_]{1,512}$/.test(name)) return graphError(100, { subcode: 2388047 });
    if (this.all.some((one) => one.name === name && one.language === language)) {
      return graphError(100, { subcode: 2388024, details: 'Content in this language already exists' });
    }
    const made = { name, language, components } as FakeTemplate;
    const text = componentOf(made, 'BODY')?.text ?? '';
    if (/^\s*\{\{/.test(text) || /\}\}\s*$/.test(text)) return graphError(100, { subcode: 2388299 });
    const requests = (componentOf(made, 'BUTTONS')?.buttons ?? []).filter(({ type }) => type === 'PAYMENT_REQUEST');
    if (requests.some((button) => button.text !== 'Copy Pix code')) return graphError(100, { subcode: 2388042 });
    const header = components.find((one) => one['format'] === 'DOCUMENT') as
      | { example?: { header_handle?: readonly string[] } }
      | undefined;
    if (header !== undefined && !this.handles.has(header.example?.header_handle?.[0] ?? '')) {
      return graphError(100, { subcode: 2388273, details: 'The example document is missing' });
    }
    const { id, status } = this.add(name, text, { language, category, components, status: this.firstStatus });
    return { status: 200, body: { id, status, category } };
  }

  page(query: URLSearchParams, baseUrl: string): Answer {
    const from = Number(query.get('after') ?? 0);
    const to = from + Number(query.get('limit') ?? 25);
    const data = this.all.slice(from, to).map(({ components: _components, ...template }) => template);
    const next = to < this.all.length ? { next: `${baseUrl}/next?access_token=secret&after=${to}` } : {};
    return { status: 200, body: { data, paging: { cursors: { before: String(from), after: String(to) }, ...next } } };
  }

  /** Returns the text that the debtor reads, or the refusal. */
  render(sent: SentTemplate, payments: FakePayments): string | Answer {
    const template = this.all.find(({ name, language }) => name === sent.name && language === sent.language.code);
    if (template?.status === 'PAUSED') return graphError(132015);
    if (template?.status === 'DISABLED') return graphError(132016);
    if (template?.status !== 'APPROVED') return graphError(132001, { status: 404 });
    const text = componentOf(template, 'BODY')?.text ?? '';
    const placeholders = new Set(text.match(/\{\{\d+\}\}/g) ?? []);
    const part = (type: string) => sent.components?.filter((one) => one.type === type) ?? [];
    const values = part('body')[0]?.parameters ?? [];
    if (values.length !== placeholders.size) return graphError(132000);
    if (values.some((value) => /[\n\t]| {5}/.test(value.text ?? '') || value.text === '')) return graphError(132018);
    const wantsHeader = componentOf(template, 'HEADER') !== undefined;
    if (wantsHeader !== part('header').length > 0) return graphError(132012);
    const buttons = componentOf(template, 'BUTTONS')?.buttons ?? [];
    if (part('button').length > buttons.length) return graphError(131009);
    for (const [index, button] of buttons.entries()) {
      if (button.type !== 'PAYMENT_REQUEST') continue;
      const given = part('button').find((one) => one.sub_type === 'payment_request' && one.index === String(index));
      const refused = refusedRequest(given?.parameters, payments);
      if (refused !== null) return refused;
    }
    return text.replace(/\{\{(\d+)\}\}/g, (_, number: string) => values[Number(number) - 1]?.text ?? '');
  }
}
