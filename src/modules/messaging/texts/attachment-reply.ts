import { withOptOutLine } from './replies.ts';
import {
  fillTemplate,
  firstThatFits,
  type MessageFacts,
  messageValues,
  SHORT_OPT_OUT_LINE,
  shortValues,
} from './values.ts';

/** Answers a file without words. The file stands in the client's inbox before this is said. */
export const attachmentReply = (facts: MessageFacts): { readonly text: string; readonly short: string } => {
  const told = 'Recebi o arquivo, {{firstName}}. Uma pessoa da {{creditor}} vai ver.';
  const briefly = 'Recebi o arquivo, {{firstName}}. Uma pessoa da empresa vai ver.';
  return {
    text: fillTemplate(withOptOutLine(told), messageValues(facts)),
    short: firstThatFits(
      [told, briefly].map((body) => `${body} ${SHORT_OPT_OUT_LINE}`),
      shortValues(facts),
    ),
  };
};
