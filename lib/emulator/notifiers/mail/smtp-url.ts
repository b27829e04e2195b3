import { isIPv4 } from 'node:net';

/** Where mail is handed in. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins encrypted, instead of changing over with STARTTLS. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
  readonly from: string;
  /** Whether it is this machine: nobody is in between, and certificates are made for testing. */
  readonly local: boolean;
}

/** An `SMTP_URL` that can not be used: what is wrong with it, without the password. */
export class SmtpUrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SmtpUrlError';
  }
}

const EXAMPLE = 'smtp://user:password@mail.example.com:587?from=alerts@example.com';

/** Reads `SMTP_URL`. Errors: SmtpUrlError. */
export function parseSmtpUrl(text: string): SmtpServer {
  if (!URL.canParse(text)) {
    throw new SmtpUrlError(`SMTP_URL is not a URL; it is written like ${EXAMPLE}`);
  }
  const url = new URL(text);
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'from');
  if (!['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new SmtpUrlError(
      `SMTP_URL must begin with smtp:// or smtps:// and name a server, not ${url.protocol}; it is written like ${EXAMPLE}`,
    );
  }
  if (unknown !== undefined) {
    throw new SmtpUrlError(`SMTP_URL: ${unknown} is not known, only from is; it is written like ${EXAMPLE}`);
  }
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const user = decoded(url.username);
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    credentials: user === '' ? undefined : { user, pass: decoded(url.password) },
    from: url.searchParams.get('from') ?? (user.includes('@') ? user : 'deckhand@localhost'),
    local: host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.')),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SmtpUrlError(
      `SMTP_URL: its user or password is not percent-encoded: a % in it is written %25; it is written like ${EXAMPLE}`,
    );
  }
}
