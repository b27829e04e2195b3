import type { Message } from './message.ts';

/** A message in the form that the webhooks of chat services take: a text, and an attachment. */
export function chatPayload({ text, title, color, fields, footer }: Message): object {
  const shown = fields.map((field) => ({ title: escaped(field.title), value: escaped(field.value), short: field.short }));
  return { text: escaped(text), attachments: [{ color, title: escaped(title), fields: shown, footer: escaped(footer) }] };
}

/** Names are other people's words: none of them becomes a link or calls a whole channel. Source: the chat service's rules for text. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function mailText({ text, fields, footer }: Message): string {
  return `${[text, '', ...fields.map(({ title, value }) => `${title}: ${value}`), '', footer].join('\n')}\n`;
}
