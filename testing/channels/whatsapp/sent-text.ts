import { type Answer, graphError } from './answers.ts';
import type { FakeFiles } from './files.ts';
import { type FakePayments, textOfOrder } from './orders.ts';
import { isPhoneRequest, textOfPhoneRequest } from './phone-requests.ts';
import type { FakeTemplates } from './templates.ts';

/** Returns the text that the debtor reads, or the refusal of a message that does not have the documented form. */
export function textOfMessage(
  message: Readonly<Record<string, unknown>>,
  templates: FakeTemplates,
  files: FakeFiles,
  payments: FakePayments,
): string | Answer {
  if (message['type'] === 'text') {
    const { body } = message['text'] as { readonly body: string };
    return body.length > 0 && body.length <= 4_096 ? body : graphError(100, { details: 'The text is too long' });
  }
  if (message['type'] === 'document') {
    const { id, caption } = message['document'] as { readonly id: string; readonly caption: string };
    return files.all.has(id) && caption.length <= 1_024 ? caption : graphError(131009);
  }
  if (message['type'] === 'interactive' && isPhoneRequest(message['interactive'])) {
    return textOfPhoneRequest(message['interactive']);
  }
  if (message['type'] === 'interactive') return textOfOrder(message['interactive'], payments);
  return message['type'] === 'template' ? templates.render(message['template'] as never, payments) : graphError(131051);
}
