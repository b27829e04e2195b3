import { z } from 'zod';
import { paging } from '../../catalogue/fields.ts';
import { tool } from '../../catalogue/tool.ts';

export const billingTools = [
  tool({
    name: 'balance-get',
    title: 'Get the balance',
    description: "Balance and this month's usage so far, in US dollars as decimal strings.",
    input: () => z.object({}),
    route: 'GET /v2/customers/my/balance',
  }),
  tool({
    name: 'billing-history-list',
    title: 'List the billing history',
    description: 'Invoices, payments, credits and refunds, newest first; payments are negative.',
    input: () => z.object(paging(30)),
    route: 'GET /v2/customers/my/billing_history',
    returns: 'billing_history',
    summary: ['description', 'amount', 'date', 'type', 'invoice_id', 'invoice_uuid'],
  }),
  tool({
    name: 'invoice-list',
    title: 'List invoices',
    description: 'Invoices of past months, newest first; invoice_preview beside them is the current month so far.',
    input: () => z.object(paging(30)),
    route: 'GET /v2/customers/my/invoices',
    returns: 'invoices',
    summary: ['invoice_uuid', 'invoice_id', 'amount', 'invoice_period'],
  }),
];
