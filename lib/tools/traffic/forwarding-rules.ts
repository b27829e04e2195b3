import { z } from 'zod';

export interface ForwardingRule {
  readonly EntryProtocol: string;
  readonly EntryPort: number;
  readonly TargetProtocol: string;
  readonly TargetPort: number;
  readonly TlsPassthrough?: boolean;
  readonly CertificateID?: string;
}

/** What a load balancer listens on, and where it hands that to. */
export function forwardingRules() {
  return z
    .array(
      z.strictObject({
        EntryProtocol: z.enum(['http', 'https', 'http2', 'http3', 'tcp', 'udp']),
        EntryPort: z.int().min(1).max(65_535),
        TargetProtocol: z.enum(['http', 'https', 'http2', 'tcp', 'udp']),
        TargetPort: z.int().min(1).max(65_535),
        TlsPassthrough: z.boolean().optional(),
        CertificateID: z.string().optional().describe('Ends TLS; out of certificate-list'),
      }),
    )
    .min(1);
}

/** The rules as the platform words them. */
export function forwardingBody(rules: readonly ForwardingRule[]) {
  return rules.map((rule) => ({
    entry_protocol: rule.EntryProtocol,
    entry_port: rule.EntryPort,
    target_protocol: rule.TargetProtocol,
    target_port: rule.TargetPort,
    ...(rule.TlsPassthrough !== undefined && { tls_passthrough: rule.TlsPassthrough }),
    ...(rule.CertificateID !== undefined && { certificate_id: rule.CertificateID }),
  }));
}
