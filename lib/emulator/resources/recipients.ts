import { insightMessages } from '../assumptions.ts';
import { unprocessable } from '../errors.ts';
import { isObject, onlyFields } from '../fields.ts';

/** Whom an alert is told to. Source: the OpenAPI document, components `notification` and `alerts`. */
export interface Recipients {
  readonly email: readonly string[];
  readonly slack: readonly { readonly channel: string; readonly url: string }[];
}

/** Reads recipients; either array may be empty. Errors: 422. */
export function parseRecipients(value: unknown): Recipients {
  if (!isObject(value) || !Array.isArray(value.email) || !Array.isArray(value.slack)) {
    throw unprocessable(insightMessages.recipients);
  }
  onlyFields(value, ['email', 'slack'], 'recipients: ');
  return { email: value.email.map(parseEmail), slack: value.slack.map(parseSlack) };
}

function parseEmail(value: unknown): string {
  if (typeof value !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(value)) {
    throw unprocessable(insightMessages.email);
  }
  return value;
}

function parseSlack(value: unknown): Recipients['slack'][number] {
  const { channel, url } = isObject(value) ? value : {};
  if (!isObject(value) || typeof channel !== 'string' || channel === '' || typeof url !== 'string' || !isWebAddress(url)) {
    throw unprocessable(insightMessages.slack);
  }
  onlyFields(value, ['channel', 'url'], 'slack: ');
  return { channel, url };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
