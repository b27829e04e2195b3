import type { RoutedCase } from './case.ts';

export const accountCases: readonly RoutedCase[] = [
  ['account-get-information', {}, { method: 'GET', path: '/v2/account' }],
  ['balance-get', {}, { method: 'GET', path: '/v2/customers/my/balance' }],
  ['billing-history-list', {}, { method: 'GET', path: '/v2/customers/my/billing_history?page=1&per_page=30' }],
  ['invoice-list', { Page: 2, PerPage: 5 }, { method: 'GET', path: '/v2/customers/my/invoices?page=2&per_page=5' }],
  ['action-get', { ID: 7 }, { method: 'GET', path: '/v2/actions/7' }],
  ['action-list', {}, { method: 'GET', path: '/v2/actions?page=1&per_page=30' }],
  [
    'key-create',
    { Name: 'laptop', PublicKey: 'ssh-ed25519 AAAA' },
    { method: 'POST', path: '/v2/account/keys', body: { name: 'laptop', public_key: 'ssh-ed25519 AAAA' } },
  ],
  ['key-get', { ID: 7 }, { method: 'GET', path: '/v2/account/keys/7' }],
  ['key-list', {}, { method: 'GET', path: '/v2/account/keys?page=1&per_page=30' }],
  ['key-delete', { ID: 7 }, { method: 'DELETE', path: '/v2/account/keys/7' }],
];
