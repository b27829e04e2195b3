import { randomUUID } from 'node:crypto';
import { paymentDelayHours } from '../assumptions.ts';
import { HOUR_MS, monthName, monthStart, monthTitle, timestamp } from '../calendar.ts';
import { listReply } from '../paging.ts';
import type { Account } from '../store/account.ts';
import { collection } from '../store/collection.ts';
import { chargeTables, dropCharges, usageBetween } from './charges.ts';
import { type Family, route } from './family.ts';

/** A line of the billing history; only an Invoice names its invoice. Amounts are texts with two decimals, payments negative. */
export interface BillingLine {
  readonly description: string;
  readonly amount: string;
  readonly invoice_id?: string;
  readonly invoice_uuid?: string;
  readonly date: string;
  readonly type: 'Invoice' | 'Payment';
}

export interface Invoice {
  readonly invoice_uuid: string;
  readonly invoice_id: string;
  readonly amount: string;
  readonly invoice_period: string;
}

const history = collection<BillingLine, { readonly id: number }>({
  table: 'billing_history',
  key: 'integer',
  id: (_line, hidden) => hidden.id,
});
export const invoices = collection<Invoice>({ table: 'invoices', key: 'text', id: (invoice) => invoice.invoice_uuid });

/** Balance, billing history and invoices. Source: operations balance_get, billingHistory_list, invoices_list. */
export const billingFamily: Family = {
  tables: [...chargeTables, ...history.tables, ...invoices.tables],
  routes: [
    route('GET /v2/customers/my/balance', {}, (_request, account) => {
      const usageCents = monthToDateCents(account);
      const owedCents = account.total(OWED);
      return {
        month_to_date_balance: dollars(owedCents + usageCents),
        account_balance: dollars(owedCents),
        month_to_date_usage: dollars(usageCents),
        generated_at: timestamp(account.nowMs),
      };
    }),
    route('GET /v2/customers/my/billing_history', {}, (request, account) => listReply(request, 'billing_history', history.source(account))),
    route('GET /v2/customers/my/invoices', {}, (request, account) => {
      const preview = { ...openInvoice(account), amount: dollars(monthToDateCents(account)), updated_at: timestamp(account.nowMs) };
      return listReply(request, 'invoices', invoices.source(account), `"invoice_preview":${JSON.stringify(preview)},`);
    }),
  ],
  due: {
    'billing.month': (account) => {
      const month = monthStart(account.nowMs, -1);
      closeMonth(account, month, toCents(usageBetween(account, month, account.nowMs)));
      dropCharges(account, account.nowMs);
      openMonth(account);
    },
    'billing.payment': (account, cents) => pay(account, Number(cents)),
  },
  born: openMonth,
};

/** Writes the invoice of the month that began at `monthMs`, and has the account's card pay it some hours later. */
export function closeMonth(account: Account, monthMs: number, cents: number): void {
  const closed = openInvoice(account);
  const invoice: Invoice = { ...closed, amount: dollars(cents), invoice_period: monthName(monthMs) };
  invoices.insert(account, invoice, null);
  account.set(OPEN_INVOICE, '');
  addLine(account, cents, {
    description: `Invoice for ${monthTitle(monthMs)}`,
    amount: dollars(cents),
    invoice_id: invoice.invoice_id,
    invoice_uuid: invoice.invoice_uuid,
    date: timestamp(account.nowMs),
    type: 'Invoice',
  });
  if (cents > 0) {
    account.schedule(account.nowMs + paymentDelayHours * HOUR_MS, 'billing.payment', cents);
  }
}

/** Pays `cents` with the account's card. */
export function pay(account: Account, cents: number): void {
  const line: BillingLine = {
    description: 'Payment (Visa 4242)',
    amount: dollars(-cents),
    date: timestamp(account.nowMs),
    type: 'Payment',
  };
  addLine(account, -cents, line);
}

const OWED = 'billing.owed-cents';
const OPEN_INVOICE = 'billing.open-invoice';

function openMonth(account: Account): void {
  account.set(OPEN_INVOICE, JSON.stringify(newInvoice(account)));
  account.schedule(monthStart(account.nowMs, 1), 'billing.month', monthName(account.nowMs));
}

function openInvoice(account: Account): Omit<Invoice, 'amount'> {
  const text = account.setting(OPEN_INVOICE) ?? '';
  return text === '' ? newInvoice(account) : JSON.parse(text);
}

function newInvoice(account: Account): Omit<Invoice, 'amount'> {
  return { invoice_uuid: randomUUID(), invoice_id: String(account.nextId('invoice.id')), invoice_period: monthName(account.nowMs) };
}

/** Adds a line to the history; what is owed changes by `cents`. */
export function addLine(account: Account, cents: number, line: BillingLine): void {
  history.insert(account, line, { id: account.nextId('billing-line.id') });
  account.count(OWED, cents);
}

function monthToDateCents(account: Account): number {
  return toCents(usageBetween(account, monthStart(account.nowMs), account.nowMs));
}

function toCents(amount: number): number {
  return Math.round(amount * 100);
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
