import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedChancery } from '../../../../../test/harness.ts';
import { publishForm } from '../../../../../test/published-forms.ts';

test('the controls of an amount have its question in their names', async () => {
  const chancery = await sharedChancery('all');
  const { owner } = await chancery.team();
  const currencies = [{ id: 'EUR' }, { id: 'GBP' }];
  const form = await publishForm(chancery, owner, {
    title: 'Order',
    fields: [
      { id: 'sum', type: 'money', label: 'Yearly amount', options: currencies },
      { id: 'amount', type: 'money', label: 'Amount', options: currencies.slice(0, 1) },
    ],
  });
  const page = await (await fetch(`${chancery.url}/f/${form.publicToken}`)).text();
  const names = Array.from(page.matchAll(/aria-label="([^"]*)"/g), ([, name]) => name).filter((name) =>
    /amount|currency/i.test(name ?? ''),
  );
  assert.deepEqual(names, ['Yearly amount: Amount', 'Yearly amount: Currency', 'Amount']);
});
