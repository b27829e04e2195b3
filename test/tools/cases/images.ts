import type { RoutedCase } from './case.ts';

const onImage = (body: unknown) => ({ method: 'POST', path: '/v2/images/5/actions', body }) as const;

export const imageCases: readonly RoutedCase[] = [
  ['image-list', {}, { method: 'GET', path: '/v2/images?page=1&per_page=50' }],
  ['image-list', { Type: 'distribution' }, { method: 'GET', path: '/v2/images?page=1&per_page=50&type=distribution' }],
  ['image-list', { Type: 'application' }, { method: 'GET', path: '/v2/images?page=1&per_page=50&type=application' }],
  ['image-list', { Type: 'user' }, { method: 'GET', path: '/v2/images?page=1&per_page=50&private=true' }],
  ['image-get', { ID: 5 }, { method: 'GET', path: '/v2/images/5' }],
  [
    'image-create',
    { Name: 'golden', Url: 'https://files.example.com/golden.qcow2', Region: 'nyc3' },
    { method: 'POST', path: '/v2/images', body: { name: 'golden', url: 'https://files.example.com/golden.qcow2', region: 'nyc3' } },
  ],
  [
    'image-create',
    { Name: 'g', Url: 'https://e.com/g.img', Region: 'nyc3', Distribution: 'Debian', Description: 'd', Tags: ['base'] },
    {
      method: 'POST',
      path: '/v2/images',
      body: { name: 'g', url: 'https://e.com/g.img', region: 'nyc3', distribution: 'Debian', description: 'd', tags: ['base'] },
    },
  ],
  ['image-update', { ID: 5, Name: 'new' }, { method: 'PUT', path: '/v2/images/5', body: { name: 'new' } }],
  ['image-delete', { ID: 5 }, { method: 'DELETE', path: '/v2/images/5' }],
  ['image-action-transfer', { ID: 5, Region: 'ams3' }, onImage({ type: 'transfer', region: 'ams3' })],
  ['image-action-convert', { ID: 5 }, onImage({ type: 'convert' })],
  ['image-action-get', { ImageID: 5, ActionID: 6 }, { method: 'GET', path: '/v2/images/5/actions/6' }],
  ['size-list', { PerPage: 10 }, { method: 'GET', path: '/v2/sizes?page=1&per_page=10' }],
];
