import { randomBytes, randomUUID } from 'node:crypto';
import { monthName, timestamp } from '../../calendar.ts';
import { addLine, invoices } from '../../resources/billing.ts';
import { addKey } from '../../resources/keys.ts';
import { type BeginBulk, bulkName } from './bulk.ts';

export const bulkKeys: BeginBulk = (account) => ({
  paths: ['/v2/account/keys'],
  add: (serial) => {
    addKey(account, bulkName(serial), `ssh-ed25519 ${Buffer.concat([ED25519_PREFIX, randomBytes(32)]).toString('base64')}`);
  },
});

/** The type's length and name, and the length of the key behind them. */
const ED25519_PREFIX = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32])]);

/** Lines of the billing history about nothing, so that the balance stays. */
export const bulkBillingLines: BeginBulk = (account) => ({
  paths: ['/v2/customers/my/billing_history'],
  add: (serial) => addLine(account, 0, { description: bulkName(serial), amount: '0.00', date: timestamp(account.nowMs), type: 'Payment' }),
});

export const bulkInvoices: BeginBulk = (account) => ({
  paths: ['/v2/customers/my/invoices'],
  add: (serial) => {
    const ids = { invoice_uuid: randomUUID(), invoice_id: String(account.nextId('invoice.id')) };
    invoices.insert(account, { ...ids, amount: (serial % 100).toFixed(2), invoice_period: monthName(account.nowMs) }, null);
  },
});
