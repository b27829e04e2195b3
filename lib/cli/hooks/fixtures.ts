/** A delivery to try a hook with: what a sender's documentation shows, cut to the members that conditions are about. */
export interface Fixture {
  readonly contentType: string;
  /** Headers that say what it is about. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): Fixture => ({
  contentType: 'application/json',
  headers,
  body: JSON.stringify(body),
});

const repository = { id: 1296269, name: 'shop', full_name: 'example/shop', default_branch: 'main' };
const sender = { login: 'captain', id: 1 };

/** By name: the sender, and what it tells of. */
export const fixtures: Readonly<Record<string, Fixture>> = {
  'github/ping': json({ zen: 'Keep it logically awesome.', hook_id: 30, repository, sender }, { 'x-github-event': 'ping' }),
  'github/push': json(
    { ref: 'refs/heads/main', before: '0'.repeat(40), after: '7d1b31e74ee336d15cbd21741bc88a537ed063a0', repository, sender },
    { 'x-github-event': 'push' },
  ),
  'github/workflow_run': json(
    {
      action: 'completed',
      workflow_run: {
        id: 30433642,
        name: 'Deploy',
        head_branch: 'main',
        head_sha: '7d1b31e74ee336d15cbd21741bc88a537ed063a0',
        event: 'push',
        status: 'completed',
        conclusion: 'failure',
      },
      repository,
      sender,
    },
    { 'x-github-event': 'workflow_run' },
  ),
  'stripe/invoice.payment_failed': json({
    id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
    object: 'event',
    type: 'invoice.payment_failed',
    data: { object: { id: 'in_1', object: 'invoice', customer: 'cus_1', amount_due: 2000, status: 'open' } },
  }),
  'slack/slash_command': {
    contentType: 'application/x-www-form-urlencoded',
    body: 'command=%2Faccount&text=&user_id=U2147483697&user_name=captain&channel_id=C2147483705&team_id=T0001&trigger_id=13345224609.738474920',
  },
  'slack/url_verification': json({ type: 'url_verification', challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P' }),
  'standard-webhooks/event': json({ type: 'invoice.paid', timestamp: '2026-01-01T00:00:00Z', data: { id: 'in_1' } }),
  'chat/uptime_down': json({
    text: 'DOWN: shop-api (https://shop.example.com) failing from 3 of 4 regions since 12:03 UTC: connect timeout',
    attachments: [{ color: '#d00000', title: 'DOWN: shop-api', footer: 'check 5a49 alert 17f0 incident 9c2e' }],
  }),
};
